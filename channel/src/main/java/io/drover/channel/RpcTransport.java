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
 * Sends reports through Hadoop's RPC. It chooses a token for each call. If that is not the token
 * with which the connection was opened, it opens another connection.
 */
final class RpcTransport implements Transport {
  /** The timeout of connecting, of authentication and of each answer. */
  static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** The maximum size of an answer, bytes. Two lists of 500 of the longest names fit easily. */
  static final int MAX_ANSWER = 1 << 20;

  private final String address;

  /** The exceptions with which the server rejects a token. */
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
   * Creates a transport that connects on its first call.
   *
   * @param address host:port
   * @param attempt the application attempt whose AMRMToken is preferred if there are others
   * @param speaker the user that has the AMRMToken
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
    // With pings, the client would go on waiting for a server that hangs.
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

  /** Chooses the best token, and after each refusal the next one: the order is a guess. */
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

  /** Returns a user that has only this token, and the name that the server gives its holder. */
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
   * Gives the channel an RPC client of its own. Hadoop shares one client, which has one connect
   * timeout, among all users of a socket factory class. The AppMaster's timeout is 20 s.
   */
  private static final class Sockets extends StandardSocketFactory {}
}
