// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcServerException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;

/**
 * Hadoop's RPC, but for this: who sends what cannot be read is hung up on. Hadoop answers and reads
 * on; such messages never come to {@link ReportReceiver}, which would tell who sends too many to
 * wait. Like this each of them costs its sender a connection and a log-in. Whether the answer that
 * says why comes first is left to chance.
 */
final class StrictRpcEngine extends ProtobufRpcEngine2 {
  /** Tells the server, and the client, that the connection ends here. */
  static final class UnreadableException extends RpcServerException {
    UnreadableException(Exception cause) {
      super(cause.toString(), cause);
    }

    @Override
    public RpcStatusProto getRpcStatusProto() {
      return RpcStatusProto.FATAL;
    }

    @Override
    public RpcErrorCodeProto getRpcErrorCodeProto() {
      return RpcErrorCodeProto.FATAL_DESERIALIZING_REQUEST;
    }
  }

  @Override
  public RPC.Server getServer(
      Class<?> protocol,
      Object implementation,
      String bindAddress,
      int port,
      int handlers,
      int readers,
      int queueSizePerHandler,
      boolean verbose,
      Configuration conf,
      SecretManager<? extends TokenIdentifier> tokens,
      String portRange,
      AlignmentContext alignment)
      throws IOException {
    return new Server(
        protocol,
        implementation,
        conf,
        bindAddress,
        port,
        handlers,
        readers,
        queueSizePerHandler,
        verbose,
        tokens,
        portRange,
        alignment) {
      @Override
      public Writable call(
          RPC.RpcKind kind, String connectionProtocol, Writable request, long receiveTime)
          throws Exception {
        try {
          return super.call(kind, connectionProtocol, request, receiveTime);
        } catch (InvalidProtocolBufferException | RpcServerException e) {
          throw new UnreadableException(e);
        }
      }
    };
  }
}
