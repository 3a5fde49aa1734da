// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.ReportLoop.Transport;
import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.security.sasl.SaslException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.io.retry.RetryPolicies;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.net.StandardSocketFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/**
 * A connection through Hadoop's RPC. The token is chosen anew for each call: where another one is
 * to be shown than that with which the connection was opened, another one is opened.
 */
final class RpcTransport implements Transport {
  /** The limit of the time for connecting, for logging in and for each answer. */
  static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** Bytes of an answer at most: two lists of 500 of the longest names, and to spare. */
  static final int MAX_ANSWER = 1 << 20;

  private final String address;

  /** How the other end says that a token is none, or not what it says it is. */
  private static final Set<String> NO_ENTRY =
      Set.of(SecretManager.InvalidToken.class.getName(), SaslException.class.getName());

  private final String attempt;
  private final UserGroupInformation speaker;
  private final Configuration conf;
  private final int timeoutMillis;
  private Optional<Token<AMRMTokenIdentifier>> shown = Optional.empty();
  private int refused;
  private ChannelProtocolPB proxy;

  /**
   * A line that is opened by the first call.
   *
   * @param address host:port
   * @param attempt whose AMRMToken is shown, where there are others
   * @param speaker has the AMRMToken
   */
  RpcTransport(
      String address,
      String attempt,
      UserGroupInformation speaker,
      Configuration conf,
      Duration timeout) {
    this.timeoutMillis = Math.toIntExact(timeout.toMillis());
    this.address = address;
    this.attempt = attempt;
    this.speaker = speaker;
    this.conf = new Configuration(conf);
    RPC.setProtocolEngine(this.conf, ChannelProtocolPB.class, ProtobufRpcEngine2.class);
    this.conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_TIMEOUT_KEY, timeoutMillis);
    this.conf.setInt(
        CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    this.conf.setInt(CommonConfigurationKeys.IPC_MAXIMUM_RESPONSE_LENGTH, MAX_ANSWER);
    // With pings a server that hangs would be waited for.
    this.conf.setBoolean(CommonConfigurationKeys.IPC_CLIENT_PING_KEY, false);
  }

  @Override
  public AnswerProto send(ReportProto report) throws IOException {
    List<Token<AMRMTokenIdentifier>> tokens =
        ChannelTokenSelector.bestFirst(speaker.getTokens(), attempt);
    for (int others = tokens.size() - 1; ; others--) {
      try {
        return send(report, choose(tokens));
      } catch (IOException e) {
        if (!isNoEntry(e)) {
          throw e;
        }
        refused++;
        close();
        if (others <= 0) {
          throw e;
        }
      }
    }
  }

  /** The best one, unless that has been refused: which of two is the newer cannot be told. */
  private Optional<Token<AMRMTokenIdentifier>> choose(List<Token<AMRMTokenIdentifier>> tokens) {
    return tokens.isEmpty()
        ? Optional.empty()
        : Optional.of(tokens.get(Math.floorMod(refused, tokens.size())));
  }

  private static boolean isNoEntry(IOException e) {
    return e instanceof RemoteException remote && NO_ENTRY.contains(remote.getClassName());
  }

  private AnswerProto send(ReportProto report, Optional<Token<AMRMTokenIdentifier>> token)
      throws IOException {
    if (!token.equals(shown)) {
      close();
    }
    if (proxy == null) {
      proxy = open(token);
      shown = token;
    }
    try {
      return proxy.report(null, report);
    } catch (ServiceException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e);
    }
  }

  private ChannelProtocolPB open(Optional<Token<AMRMTokenIdentifier>> token) throws IOException {
    InetSocketAddress server = NetUtils.createSocketAddr(address);
    if (server.isUnresolved()) {
      throw new UnknownHostException(address);
    }
    return RPC.getProtocolProxy(
            ChannelProtocolPB.class,
            RPC.getProtocolVersion(ChannelProtocolPB.class),
            server,
            token.map(this::holder).orElse(speaker),
            conf,
            new Sockets(),
            timeoutMillis,
            RetryPolicies.TRY_ONCE_THEN_FAIL)
        .getProxy();
  }

  /** Somebody with that token only, who is named as the other end names its holder. */
  private UserGroupInformation holder(Token<AMRMTokenIdentifier> token) {
    UserGroupInformation holder = UserGroupInformation.createRemoteUser(attempt);
    holder.addToken(token);
    return holder;
  }

  @Override
  public void close() {
    if (proxy != null) {
      RPC.stopProxy(proxy);
      proxy = null;
    }
  }

  @Override
  public String toString() {
    return address;
  }

  /**
   * Hadoop shares one RPC client, with one time limit for connecting, among all who use sockets of
   * one class. The AppMaster's has 20 s.
   */
  private static final class Sockets extends StandardSocketFactory {}
}
