// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.channel.proto.ChannelProtos.ChannelProtocol;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.ChannelSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ResourceManager's end of the channel: a separate RPC server, next to YARN's, that accepts
 * only callers with an AMRMToken. If no address is configured, it starts and does nothing.
 *
 * <p>Starting may fail because of a bad setting or a port that is in use. The caller must catch
 * that, so that the ResourceManager goes on without the channel. A service can be started once; a
 * ResourceManager that becomes active again creates another one.
 */
public final class ChannelService extends AbstractService {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelService.class);

  /** The maximum size of what RPC adds to a report (names, ids and lengths), bytes. */
  private static final int HEADERS = 4 << 10;

  /** Stands for the number in Hadoop's settings. */
  private static final int READERS = -1;

  /** The maximum number of waiting calls per handler, of {@link Report#MAX_BYTES} each. */
  private static final int QUEUE = 25;

  private final ReportHandler handler;
  private final SecretManager<AMRMTokenIdentifier> tokens;
  private final LongSupplier nanos;
  private ChannelSettings settings;
  private Optional<String> configured = Optional.empty();
  private volatile ReportReceiver receiver;
  private volatile RPC.Server server;

  /**
   * Creates a service for a scheduler.
   *
   * @param handler the scheduler
   * @param tokens the ResourceManager's {@code AMRMTokenSecretManager}
   */
  public ChannelService(ReportHandler handler, SecretManager<AMRMTokenIdentifier> tokens) {
    this(handler, tokens, System::nanoTime);
  }

  ChannelService(
      ReportHandler handler, SecretManager<AMRMTokenIdentifier> tokens, LongSupplier nanos) {
    super(ChannelService.class.getName());
    this.handler = handler;
    this.tokens = tokens;
    this.nanos = nanos;
  }

  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    settings = ChannelSettings.read(conf::get);
    configured = ChannelAddresses.own(conf);
    receiver = new ReportReceiver(handler, settings.period(), nanos);
    super.serviceInit(conf);
  }

  @Override
  protected void serviceStart() throws Exception {
    if (configured.isPresent()) {
      server = open(configured.get());
      refreshServiceAcl(getConfig());
      server.start();
      LOG.info("Drover receives the reports of AppMasters at {}", server.getListenerAddress());
    } else {
      LOG.info(
          "Drover receives no reports of AppMasters: {} is not set", ChannelSettings.ADDRESS.key());
    }
    super.serviceStart();
  }

  private RPC.Server open(String address) throws IOException {
    InetSocketAddress own = NetUtils.createSocketAddrUnresolved(address);
    String bindHost = getConfig().getTrimmed(YarnConfiguration.RM_BIND_HOST, "");
    RPC.Server opened =
        new StrictRpcEngine()
            .getServer(
                ChannelProtocolPB.class,
                ChannelProtocol.newReflectiveBlockingService(receiver),
                bindHost.isEmpty() ? own.getHostString() : bindHost,
                own.getPort(),
                settings.handlers(),
                READERS,
                QUEUE,
                false,
                serverConf(),
                tokens,
                null,
                null);
    // Stack traces of unreadable messages would fill the ResourceManager's log.
    opened.addSuppressedLoggingExceptions(StrictRpcEngine.UnreadableException.class);
    return opened;
  }

  /**
   * Returns the server's configuration. With Hadoop's defaults, the server allocates 128 MB for any
   * caller that announces so much, before it knows the caller. The messages of this server are
   * small, so it accepts no more than it needs.
   */
  private Configuration serverConf() {
    Configuration conf = new Configuration(getConfig());
    conf.set(CommonConfigurationKeys.HADOOP_SECURITY_AUTHENTICATION, AuthMethod.TOKEN.toString());
    conf.setInt(CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH, Report.MAX_BYTES + HEADERS);
    conf.setInt(CommonConfigurationKeys.IPC_SERVER_MAX_CONNECTIONS_KEY, settings.maxConnections());
    // Idle connections are closed after two periods, at least 20 s, even if there are few.
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_IDLETHRESHOLD_KEY, 0);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_KILL_MAX_KEY, Integer.MAX_VALUE);
    conf.setInt(
        CommonConfigurationKeys.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY,
        (int) Math.max(10_000, settings.period().toMillis()));
    // Answers that the caller does not read are kept for a minute, not for a quarter of an hour.
    conf.setInt(CommonConfigurationKeys.IPC_SERVER_PURGE_INTERVAL_MINUTES_KEY, 1);
    return conf;
  }

  /**
   * Applies the settings that may change while the service runs: how often AppMasters report, and
   * who may use the channel ({@value ChannelPolicyProvider#ACL}). Open connections stay open.
   * {@code yarn rmadmin -refreshServiceAcl} cannot do this, because the ResourceManager refreshes
   * only its own servers with it. Use {@code -refreshQueues} instead, which reaches the scheduler.
   *
   * @param conf the settings, with those of {@code hadoop-policy.xml}
   * @throws BadSettingException if a setting is not allowed; nothing has changed then
   */
  public void refresh(Configuration conf) throws BadSettingException {
    Duration period = ChannelSettings.read(conf::get).period();
    refreshServiceAcl(conf);
    if (receiver != null) {
      receiver.period(period);
    }
  }

  private void refreshServiceAcl(Configuration conf) {
    RPC.Server open = server;
    boolean authorizes =
        getConfig().getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false);
    if (open != null && authorizes) {
      open.refreshServiceAclWithLoadedConfiguration(conf, new ChannelPolicyProvider());
    }
  }

  @Override
  protected void serviceStop() throws Exception {
    if (server != null) {
      server.stop();
    }
    super.serviceStop();
  }

  /** Returns the address on which it listens; empty if it does not listen. */
  public Optional<InetSocketAddress> address() {
    return Optional.ofNullable(server).map(NetUtils::getConnectAddress);
  }

  /** Returns how many calls have ended with a status since the start. */
  public long count(ReportStatus status) {
    return receiver == null ? 0 : receiver.count(status);
  }

  /** Returns how many running application attempts have reported. */
  public int speakers() {
    return receiver == null ? 0 : receiver.speakers();
  }
}
