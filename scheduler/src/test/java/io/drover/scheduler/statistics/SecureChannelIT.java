// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.drover.channel.ChannelClient;
import io.drover.channel.ChannelClient.TimestampedState;
import io.drover.channel.ChannelPolicyProvider;
import io.drover.channel.JobStart;
import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ReportStatusProto;
import io.drover.scheduler.DroverCapacityScheduler;
import io.drover.scheduler.MockCluster;
import io.drover.scheduler.Reports;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.server.resourcemanager.security.AMRMTokenSecretManager;
import org.apache.hadoop.yarn.server.resourcemanager.security.SchedulerTokenKeys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The channel of a ResourceManager that has logged in with Kerberos, asks who is authorized, and
 * encrypts what goes over the network.
 */
class SecureChannelIT {
  private static final String KRB5_CONF = MiniKdc.JAVA_SECURITY_KRB5_CONF;
  private static final String POLICY = YarnConfiguration.HADOOP_POLICY_CONFIGURATION_FILE;

  @TempDir static Path dir;
  private static String krb5ConfBefore;
  private static MiniKdc kdc;
  private static File keytab;

  @TempDir Path policyDir;
  private final List<AutoCloseable> opened = new ArrayList<>();
  private MockCluster cluster;
  private ApplicationAttemptId me;
  private ApplicationAttemptId other;
  private MockCluster.App app;

  @BeforeAll
  static void startKdc() throws Exception {
    krb5ConfBefore = System.getProperty(KRB5_CONF);
    kdc = new MiniKdc(MiniKdc.createConf(), dir.toFile());
    kdc.start();
    keytab = dir.resolve("keytab").toFile();
    kdc.createPrincipal(keytab, "rm/localhost", "alice");
  }

  @AfterAll
  static void stopKdc() {
    kdc.stop();
    if (krb5ConfBefore == null) {
      System.clearProperty(KRB5_CONF);
    } else {
      System.setProperty(KRB5_CONF, krb5ConfBefore);
    }
    KerberosName.resetDefaultRealm();
  }

  private static String principal(String name) {
    return name + "@" + kdc.getRealm();
  }

  private static Configuration secure(Configuration conf) {
    conf.set(CommonConfigurationKeys.HADOOP_SECURITY_AUTHENTICATION, "kerberos");
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    conf.set(CommonConfigurationKeys.HADOOP_RPC_PROTECTION, "privacy");
    conf.set(YarnConfiguration.RM_PRINCIPAL, principal("rm/localhost"));
    conf.set(YarnConfiguration.RM_KEYTAB, keytab.toString());
    return conf;
  }

  private Configuration configuration() throws IOException {
    Configuration conf = secure(MockCluster.configuration());
    conf.set("yarn.drover.channel.address", "127.0.0.1:0");
    conf.set("yarn.drover.channel.period", "100ms");
    conf.set("yarn.drover.statistics.window", "1s");
    conf.setClassLoader(new WithPolicy(conf.getClassLoader(), policy()));
    return conf;
  }

  /** Hadoop's own tests have a file of the same name. */
  private static final class WithPolicy extends ClassLoader {
    private final URL policy;

    WithPolicy(ClassLoader parent, Path policy) throws IOException {
      super(parent);
      this.policy = policy.toUri().toURL();
    }

    @Override
    public URL getResource(String name) {
      return name.equals(POLICY) ? policy : super.getResource(name);
    }
  }

  private Path policy() {
    return policyDir.resolve(POLICY);
  }

  /** What hadoop-policy.xml says of who may use the channel. */
  private void allow(String acl) throws IOException {
    Files.writeString(
        policy(),
        "<configuration><property><name>%s</name><value>%s</value></property></configuration>"
            .formatted(ChannelPolicyProvider.ACL, acl));
  }

  @BeforeEach
  void startCluster() throws Exception {
    allow("*");
    cluster = new MockCluster(configuration(), 4, 4);
    app = cluster.submit("MAPREDUCE", "default", "u");
    me = app.am.getApplicationAttemptId();
    other = cluster.submit("MAPREDUCE", "default", "v").am.getApplicationAttemptId();
    assertThat(UserGroupInformation.getLoginUser().getUserName())
        .isEqualTo(principal("rm/localhost"));
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
    if (cluster != null) {
      cluster.close();
    }
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }

  private DroverCapacityScheduler scheduler() {
    return (DroverCapacityScheduler) cluster.scheduler();
  }

  private AMRMTokenSecretManager tokens() {
    return scheduler().getRMContext().getAMRMTokenSecretManager();
  }

  /** The one that the AppMaster of an attempt was started with. */
  private Token<AMRMTokenIdentifier> token(ApplicationAttemptId attempt) {
    return scheduler()
        .getRMContext()
        .getRMApps()
        .get(attempt.getApplicationId())
        .getRMAppAttempt(attempt)
        .getAMRMToken();
  }

  private static UserGroupInformation holder(Token<AMRMTokenIdentifier> token) {
    UserGroupInformation holder = UserGroupInformation.createRemoteUser("u");
    holder.addToken(token);
    return holder;
  }

  private AnswerProto report(UserGroupInformation speaker, ApplicationAttemptId as, long sequence)
      throws IOException {
    return new Reporter(secure(new YarnConfiguration()), scheduler().channelAddress().orElseThrow())
        .report(speaker, as, sequence);
  }

  /** It is told to wait if the last report of its application was a moment ago. */
  private void assertThatItIsHeard(UserGroupInformation speaker, ApplicationAttemptId as)
      throws IOException {
    assertThat(report(speaker, as, 1).getStatus())
        .isIn(ReportStatusProto.TAKEN, ReportStatusProto.REPLAYED, ReportStatusProto.WAIT);
  }

  private ChannelClient client(UserGroupInformation speaker) {
    Configuration conf = secure(new YarnConfiguration());
    conf.set(
        "yarn.drover.channel.address",
        "127.0.0.1:" + scheduler().channelAddress().orElseThrow().getPort());
    ChannelClient client = ChannelClient.start(conf, me, speaker);
    opened.add(client);
    client.job(new JobStart(100, 0, Optional.empty(), Optional.empty(), true));
    return client;
  }

  @Test
  void whoHasOnlyTheAttemptsTokenIsHeardAndTold() throws Exception {
    ChannelClient client = client(holder(token(me)));
    Reports.run(cluster, app, client, 14);
    await()
        .untilAsserted(
            () ->
                assertThat(client.latestState().map(TimestampedState::state).orElseThrow().table())
                    .satisfies(
                        table ->
                            assertThat(table.outlierProbabilities()).containsKey(cluster.host(3))));
  }

  @Test
  void kerberosAloneOpensNothing() throws Exception {
    UserGroupInformation alice =
        UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal("alice"), keytab.toString());
    assertThat(alice.hasKerberosCredentials()).isTrue();
    assertThatThrownBy(() -> report(alice, me, 1))
        .hasMessageContaining("Client cannot authenticate via:[TOKEN]");
    UserGroupInformation nobody = UserGroupInformation.createRemoteUser(me.toString());
    assertThatThrownBy(() -> report(nobody, me, 1)).isInstanceOf(IOException.class);
    ChannelClient client = client(alice);
    await().during(Duration.ofSeconds(1)).until(() -> client.latestState().isEmpty());
    alice.addToken(token(me));
    assertThatItIsHeard(alice, me);
  }

  @Test
  void forgedTokensAreRefused() throws Exception {
    Token<AMRMTokenIdentifier> good = token(me);
    byte[] password = good.getPassword().clone();
    password[3] ^= 1;
    UserGroupInformation guessed =
        holder(new Token<>(good.getIdentifier(), password, good.getKind(), new Text()));
    assertThatThrownBy(() -> report(guessed, me, 1)).hasMessageContaining("DIGEST-MD5");
    Token<AMRMTokenIdentifier> others = token(other);
    UserGroupInformation crossed =
        holder(new Token<>(others.getIdentifier(), good.getPassword(), good.getKind(), new Text()));
    assertThatThrownBy(() -> report(crossed, other, 1)).hasMessageContaining("DIGEST-MD5");
    int key = good.decodeIdentifier().getKeyId();
    ApplicationAttemptId next = ApplicationAttemptId.newInstance(me.getApplicationId(), 2);
    UserGroupInformation unknown =
        holder(
            new Token<>(
                new AMRMTokenIdentifier(next, key).getBytes(),
                good.getPassword(),
                good.getKind(),
                new Text()));
    assertThatThrownBy(() -> report(unknown, next, 1))
        .hasMessageContaining("not found in AMRMTokenSecretManager");
    AnswerProto disguised = report(holder(others), me, 1);
    assertThat(disguised.getStatus()).isEqualTo(ReportStatusProto.REFUSED);
    assertThat(disguised.hasState()).isFalse();
    assertThat(report(holder(good), me, 1).getStatus()).isEqualTo(ReportStatusProto.TAKEN);
  }

  @Test
  void whoIsNotOnTheServiceAclIsRefusedAndRefreshQueuesReadsItAnew() throws Exception {
    assertThatItIsHeard(holder(token(me)), me);
    allow("somebody");
    assertThatItIsHeard(holder(token(me)), me); // not read yet
    refreshQueues();
    assertThatThrownBy(() -> report(holder(token(me)), me, 2))
        .hasMessageContaining("is not authorized for protocol")
        .hasMessageContaining("denied by configured ACL");
    allow(me.toString());
    refreshQueues();
    assertThatItIsHeard(holder(token(me)), me);
    assertThatThrownBy(() -> report(holder(token(other)), other, 2))
        .hasMessageContaining("denied by configured ACL");
    Files.writeString(policy(), "<configuration/>");
    refreshQueues();
    assertThatItIsHeard(holder(token(other)), other); // by default all are
  }

  private void refreshQueues() throws IOException {
    scheduler().reinitialize(configuration(), scheduler().getRMContext());
  }

  @Test
  void rolledKeyNeedsTheRenewedTokenForANewConnection() throws Exception {
    Token<AMRMTokenIdentifier> old = token(me);
    UserGroupInformation speaker = holder(old);
    ChannelClient client = client(speaker);
    await().until(() -> client.latestState().isPresent());
    SchedulerTokenKeys.roll(tokens());
    org.apache.hadoop.yarn.api.records.Token told =
        app.am.allocate(List.of(), List.of()).getAMRMToken();
    assertThat(told).isNotNull();
    // as RMContainerAllocator does it
    Token<AMRMTokenIdentifier> renewed =
        new Token<>(
            told.getIdentifier().array(),
            told.getPassword().array(),
            new Text(told.getKind()),
            new Text(told.getService()));
    speaker.addToken(renewed);
    renewed.setService(new Text("127.0.0.1:8030"));
    assertThatItIsHeard(holder(old), me); // both hold for a while
    SchedulerTokenKeys.activate(tokens());
    assertThatThrownBy(() -> report(holder(old), me, 1)).hasMessageContaining("Invalid AMRMToken");
    assertThatItIsHeard(speaker, me);
    client.close();
    ChannelClient again = client(speaker);
    await().until(() -> again.latestState().isPresent());
    UserGroupInformation both = holder(renewed);
    both.addToken(new Text("old"), old);
    ChannelClient withBoth = client(both);
    await().until(() -> withBoth.latestState().isPresent());
  }
}
