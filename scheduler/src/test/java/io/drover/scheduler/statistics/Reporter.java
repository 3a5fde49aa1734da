// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.channel.ChannelProtocolPB;
import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.retry.RetryPolicies;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/** Somebody who makes one call, over a connection of its own, and hears why if it is refused. */
record Reporter(Configuration conf, InetSocketAddress channel) {
  private static final int TIMEOUT_MILLIS = 10_000;

  /** A report of which nothing is said but whose and the how many-th it is. */
  AnswerProto report(UserGroupInformation speaker, ApplicationAttemptId as, long sequence)
      throws IOException {
    Configuration own = new Configuration(conf);
    RPC.setProtocolEngine(own, ChannelProtocolPB.class, ProtobufRpcEngine2.class);
    ChannelProtocolPB proxy =
        RPC.getProtocolProxy(
                ChannelProtocolPB.class,
                RPC.getProtocolVersion(ChannelProtocolPB.class),
                channel,
                speaker,
                own,
                NetUtils.getDefaultSocketFactory(own),
                TIMEOUT_MILLIS,
                RetryPolicies.TRY_ONCE_THEN_FAIL)
            .getProxy();
    try {
      return proxy.report(
          null, ReportProto.newBuilder().setAttempt(as.toString()).setSequence(sequence).build());
    } catch (ServiceException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e);
    } finally {
      RPC.stopProxy(proxy);
    }
  }
}
