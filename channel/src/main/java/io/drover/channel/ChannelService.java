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
 * The ResourceManager's end of the channel: an RPC server of its own, beside YARN's, that lets in
 * only who has an AMRMToken. Where no address is configured it starts and does nothing.
 *
 * <p>Starting it may fail, with bad settings or a port that is taken. Then the ResourceManager is
 * to go on without it: who starts it in a ResourceManager catches that. One service is started
 * once; a ResourceManager that becomes active again makes another.
 */
public final class ChannelService extends AbstractService {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelService.class);

  /** What RPC puts around a report at most: names, ids and lengths. */
  private static final int HEADERS = 4 << 10;

  /** As many as Hadoop's settings say. */
  private static final int READERS = -1;

  /** Calls that wait for each handler at most, of {@link Report#MAX_BYTES} each. */
  private static final int QUEUE = 25;

  private final ReportHandler handler;
  private final SecretManager<AMRMTokenIdentifier> tokens;
  private final LongSupplier nanos;
  private ChannelSettings settings;
  private Optional<String> configured = Optional.empty();
  private volatile ReportReceiver receiver;
  private volatile RPC.Server server;

  /**
   * A service in front of a scheduler.
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
      LOG.info("Drover takes the reports of AppMasters at {}", server.getListenerAddress());
    } else {
      LOG.info(
          "Drover takes no reports of AppMasters: {} is not set", ChannelSettings.ADDRESS.key());
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
    // Who sends nonsense is told so; a stack trace for each would fill the ResourceManager's log.
    opened.addSuppressedLoggingExceptions(StrictRpcEngine.UnreadableException.class);
    return opened;
  }

  /**
   * Hadoop's defaults trust callers with much: the server allocates 128 MB for any caller that
   * announces so much, before it knows the caller. The messages of this server are small, so it
   * accepts no more than it needs.
   */
  private Configuration serverConf() {
    Configuration conf = new Configuration(getConfig());
    conf.set(CommonConfigurationKeys.HADOOP_SECURITY_AUTHENTICATION, AuthMethod.TOKEN.toString());
    conf.setInt(CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH, Report.MAX_BYTES + HEADERS);
    conf.setInt(CommonConfigurationKeys.IPC_SERVER_MAX_CONNECTIONS_KEY, settings.maxConnections());
    // A connection that is silent for two periods (or 20 s) is closed, however few there are.
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_IDLETHRESHOLD_KEY, 0);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_KILL_MAX_KEY, Integer.MAX_VALUE);
    conf.setInt(
        CommonConfigurationKeys.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY,
        (int) Math.max(10_000, settings.period().toMillis()));
    // Answers that nobody reads are kept for a minute, not for a quarter of an hour.
    conf.setInt(CommonConfigurationKeys.IPC_SERVER_PURGE_INTERVAL_MINUTES_KEY, 1);
    return conf;
  }

  /**
   * Takes in what may change while it runs: how often AppMasters report, and who may use the
   * channel ({@value ChannelPolicyProvider#ACL}; connections that are open stay so). {@code yarn
   * rmadmin -refreshServiceAcl} cannot do that: the ResourceManager knows its own servers only, and
   * tells nobody else. So it is done with {@code -refreshQueues}, of which a scheduler is told.
   *
   * @param conf the settings, with those of {@code hadoop-policy.xml}
   * @throws BadSettingException if nothing has changed, because a setting is not allowed
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

  /** Where it listens; empty if it does not. */
  public Optional<InetSocketAddress> address() {
    return Optional.ofNullable(server).map(NetUtils::getConnectAddress);
  }

  /** How many calls have ended with a status since the start. */
  public long count(ReportStatus status) {
    return receiver == null ? 0 : receiver.count(status);
  }

  /** How many application attempts have spoken and may still run. */
  public int speakers() {
    return receiver == null ? 0 : receiver.sessions();
  }
}
