// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import java.io.IOException;

/** The connection to one ResourceManager. Belongs to the channel's thread. */
interface Transport extends AutoCloseable {
  /**
   * Makes one call, once, within a bounded time.
   *
   * @throws IOException if there was no answer, for whatever reason
   */
  AnswerProto send(ReportProto report) throws IOException;

  @Override
  void close();
}
