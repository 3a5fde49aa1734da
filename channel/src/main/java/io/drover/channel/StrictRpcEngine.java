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
 * Hadoop's RPC engine, except that it closes the connection of a client that sends an unreadable
 * message. Hadoop would answer and read on. Unreadable messages never reach {@link ReportReceiver},
 * so its rate limit does not apply to them. Closing the connection makes each of them cost its
 * sender a new connection and authentication. The client may or may not get the answer first.
 */
final class StrictRpcEngine extends ProtobufRpcEngine2 {
  /** Makes the server close the connection after telling the client. */
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
