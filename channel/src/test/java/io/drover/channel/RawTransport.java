// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.proto.ChannelProtos.AnswerProto;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.retry.RetryPolicies;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcWritable;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.net.StandardSocketFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;

/** A connection that has a token and sends arbitrary bytes. */
final class RawTransport implements AutoCloseable {
  private static final RequestHeaderProto HEADER =
      RequestHeaderProto.newBuilder()
          .setMethodName("report")
          .setDeclaringClassProtocolName(ChannelProtocolPB.class.getName())
          .setClientProtocolVersion(1)
          .build();

  private final Client client;
  private final Client.ConnectionId connection;

  RawTransport(InetSocketAddress server, UserGroupInformation speaker) {
    Configuration conf = Manager.conf(0);
    client = new Client(RpcWritable.Buffer.class, conf, new StandardSocketFactory());
    connection =
        new Client.ConnectionId(
            server,
            ChannelProtocolPB.class,
            speaker,
            Math.toIntExact(Manager.PATIENCE.toMillis()),
            RetryPolicies.TRY_ONCE_THEN_FAIL,
            conf);
  }

  AnswerProto send(byte[] report) throws IOException {
    Writable request =
        new Writable() {
          @Override
          public void write(DataOutput out) throws IOException {
            HEADER.writeDelimitedTo((OutputStream) out);
            CodedOutputStream coded = CodedOutputStream.newInstance((OutputStream) out);
            coded.writeByteArrayNoTag(report);
            coded.flush();
          }

          @Override
          public void readFields(DataInput in) {
            throw new UnsupportedOperationException();
          }
        };
    Writable answer =
        client.call(RPC.RpcKind.RPC_PROTOCOL_BUFFER, request, connection, new AtomicBoolean());
    return ((RpcWritable.Buffer) answer).getValue(AnswerProto.getDefaultInstance());
  }

  @Override
  public void close() {
    client.stop();
  }
}
