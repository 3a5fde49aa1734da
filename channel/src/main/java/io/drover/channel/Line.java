// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import java.io.IOException;

/** The line to one ResourceManager. Belongs to the channel's thread. */
interface Line extends AutoCloseable {
  /**
   * Makes one call, once, within a bounded time.
   *
   * @throws IOException if there was no answer, for whatever reason
   */
  AnswerProto tell(ReportProto report) throws IOException;

  @Override
  void close();
}
