// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.drover.channel.ChannelClient;
import io.drover.channel.ChannelClient.TimestampedState;
import io.drover.channel.JobStart;
import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ReportStatusProto;
import io.drover.scheduler.DroverCapacityScheduler;
import io.drover.scheduler.MockCluster;
import io.drover.scheduler.Reports;
import io.drover.scheduler.Standby;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.security.AMRMTokenSecretManager;
import org.apache.hadoop.yarn.server.resourcemanager.security.SchedulerTokenKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Two ResourceManagers with one store, of which now the one is active and now the other. */
class FailoverIT {
  private static final Duration PERIOD = Duration.ofMillis(100);

  @TempDir Path dir;
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  private <T extends AutoCloseable> T closed(T one) {
    opened.add(one);
    return one;
  }

  private static int freePort() throws Exception {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return any.getLocalPort();
    }
  }

  private Configuration configuration() throws Exception {
    Configuration conf = MockCluster.configuration();
    Standby.configure(conf, dir);
    conf.set("yarn.drover.statistics.dir", dir.resolve("learnt").toUri().toString());
    conf.set("yarn.drover.statistics.window", "1s");
    conf.set("yarn.drover.statistics.trusted-users", "*"); // there is one user
    conf.set("yarn.drover.channel.period", PERIOD.toMillis() + "ms");
    for (String id : List.of("rm1", "rm2")) {
      conf.set("yarn.drover.channel.address." + id, "127.0.0.1:" + freePort());
    }
    return conf;
  }

  /** A ResourceManager that stands by. */
  private MockRM manager(Configuration conf, String id) {
    MockRM rm = Standby.start(conf, id, dir, () -> conf);
    opened.add(rm::stop);
    return rm;
  }

  private static DroverCapacityScheduler scheduler(MockRM rm) {
    return (DroverCapacityScheduler) rm.getResourceScheduler();
  }

  private static Map<String, Double> view(MockRM rm) {
    return scheduler(rm).statistics().view().byMachine();
  }

  private static Reporter reporter(Configuration conf, String id) {
    String address = conf.get("yarn.drover.channel.address." + id);
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    return new Reporter(new YarnConfiguration(), new InetSocketAddress("127.0.0.1", port));
  }

  private static JobStart job(int maps) {
    return new JobStart(maps, 0, Optional.empty(), Optional.empty(), true);
  }

  private static TimestampedState heardNow(ChannelClient client) {
    TimestampedState latestState = client.latestState().orElseThrow();
    assertThat(latestState.age()).isLessThan(PERIOD.multipliedBy(5));
    return latestState;
  }

  /** Answers that tell to wait are waited for. */
  private static AnswerProto report(
      Reporter reporter, UserGroupInformation speaker, ApplicationAttemptId me, long sequence) {
    return await()
        .pollInterval(PERIOD)
        .ignoreExceptions()
        .until(
            () -> reporter.report(speaker, me, sequence),
            answer -> answer.getStatus() != ReportStatusProto.WAIT);
  }

  @Test
  void jobThatReportsIsHeardAndToldByWhoeverIsActive() throws Exception {
    Configuration conf = configuration();
    MockRM one = manager(conf, "rm1");
    MockRM two = manager(conf, "rm2");
    Standby.activate(one);
    MockCluster cluster = new MockCluster(one, 4, 4);
    MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
    ApplicationAttemptId me = app.am.getApplicationAttemptId();
    UserGroupInformation speaker = UserGroupInformation.createRemoteUser("u");
    speaker.addToken(one.getRMContext().getAMRMTokenSecretManager().createAndGetAMRMToken(me));
    Configuration clientConf = new YarnConfiguration(conf);
    ChannelClient client = closed(ChannelClient.start(clientConf, me, speaker));
    client.job(job(100));
    await().until(() -> client.latestState().isPresent());
    String slow = cluster.host(3);
    Reports.run(cluster, app, client);
    await().until(() -> view(one).getOrDefault(slow, 0.0) > 0.25);
    assertThatThrownBy(() -> reporter(conf, "rm2").report(speaker, me, 1))
        .isInstanceOf(ConnectException.class); // it stands by

    long taken;
    try (BusyAppMaster busy = new BusyAppMaster(client)) {
      DroverCapacityScheduler before = scheduler(one);
      Standby.standBy(one);
      taken = before.reports(ReportStatus.TAKEN);
      assertThat(taken).isPositive();
      Standby.activate(two);
      await()
          .untilAsserted(() -> assertThat(scheduler(two).reports(ReportStatus.TAKEN)).isPositive());
      await().untilAsserted(() -> heardNow(client));
      busy.assertThatItNeverWaited();
    }
    await().until(() -> view(two).getOrDefault(slow, 0.0) > 0.25);
    await()
        .untilAsserted(
            () ->
                assertThat(heardNow(client).state().table().outlierProbabilities())
                    .containsKey(slow));
    assertThatThrownBy(() -> reporter(conf, "rm1").report(speaker, me, 1))
        .isInstanceOf(ConnectException.class);
    await().until(() -> scheduler(two).reports(ReportStatus.TAKEN) > 1); // the second has the job
    AnswerProto replayed = report(reporter(conf, "rm2"), speaker, me, 1);
    assertThat(replayed.getStatus()).isEqualTo(ReportStatusProto.REPLAYED);
    assertThat(replayed.getWantsJob()).as("it asked, and was told").isFalse();

    // Back again, and with a new key meanwhile; the old token stays with the new one.
    AMRMTokenSecretManager tokens = two.getRMContext().getAMRMTokenSecretManager();
    SchedulerTokenKeys.roll(tokens);
    Token<AMRMTokenIdentifier> renewed = tokens.createAndGetAMRMToken(me);
    speaker.addToken(new Text("renewed"), renewed);
    UserGroupInformation probe = UserGroupInformation.createRemoteUser("u");
    probe.addToken(renewed);
    SchedulerTokenKeys.activate(tokens);
    await().untilAsserted(() -> heardNow(client));
    DroverCapacityScheduler before = scheduler(two);
    Standby.standBy(two);
    long takenByTheOther = before.reports(ReportStatus.TAKEN);
    Standby.activate(one);
    client.job(job(101));
    await()
        .untilAsserted(() -> assertThat(scheduler(one).reports(ReportStatus.TAKEN)).isPositive());
    await().untilAsserted(() -> heardNow(client));
    await().until(() -> view(one).getOrDefault(slow, 0.0) > 0.25);

    // Each report was taken once by each: at most the one of a failover by both.
    client.close();
    await().until(() -> !client.isOn()); // after its last report
    assertThat(client.latestState()).isPresent();
    long all = taken + takenByTheOther + scheduler(one).reports(ReportStatus.TAKEN);
    assertThat(report(reporter(conf, "rm1"), probe, me, all - 2).getStatus())
        .isEqualTo(ReportStatusProto.REPLAYED);
    assertThat(report(reporter(conf, "rm1"), probe, me, all + 1).getStatus())
        .isEqualTo(ReportStatusProto.TAKEN);
  }

  /** Somebody who listens where Drover's scheduler might, hangs up, and counts that. */
  private static final class Stranger implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    private final AtomicInteger calls = new AtomicInteger();
    private final Thread thread = new Thread(this::hangUp, "stranger");

    Stranger() throws IOException {
      thread.start();
    }

    private void hangUp() {
      while (!socket.isClosed()) {
        try (Socket caller = socket.accept()) {
          calls.incrementAndGet();
        } catch (IOException e) {
          if (!socket.isClosed()) {
            throw new UncheckedIOException(e);
          }
        }
      }
    }

    @Override
    public void close() throws Exception {
      socket.close();
      thread.join();
    }
  }

  @Test
  void withoutDroverInTheResourceManagerThereIsOneWarningAndSilence() throws Exception {
    Configuration plain = MockCluster.configuration();
    plain.setClass(
        YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class, ResourceScheduler.class);
    plain.set("yarn.drover.channel.address", "127.0.0.1:" + freePort());
    MockCluster cluster = closed(new MockCluster(plain, 4, 4));
    MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
    ApplicationAttemptId me = app.am.getApplicationAttemptId();
    UserGroupInformation speaker = UserGroupInformation.createRemoteUser("u");
    speaker.addToken(
        ((CapacityScheduler) cluster.scheduler())
            .getRMContext()
            .getAMRMTokenSecretManager()
            .createAndGetAMRMToken(me));
    Stranger stranger = closed(new Stranger());
    Configuration conf = configuration(); // at the one address nobody, at the other a stranger
    conf.set("yarn.drover.channel.address.rm2", "127.0.0.1:" + stranger.socket.getLocalPort());
    LogCapturer log =
        LogCapturer.captureLogs(LoggerFactory.getLogger("io.drover.channel.ReportLoop"));
    try {
      ChannelClient client = closed(ChannelClient.start(conf, me, speaker));
      client.job(job(100));
      try (BusyAppMaster busy = new BusyAppMaster(client)) {
        await().until(() -> warnings(log) > 0); // after four calls to each
        await()
            .during(Duration.ofSeconds(3))
            .untilAsserted(() -> assertThat(stranger.calls).hasValue(4));
        busy.assertThatItNeverWaited();
      }
      assertThat(warnings(log)).isEqualTo(1);
      assertThat(log.getOutput()).contains("The job uses its own settings and measurements");
      assertThat(client.latestState()).isEmpty();
    } finally {
      log.stopCapturing();
    }
    app.ask(MockCluster.ORDINARY, 1, 3);
    cluster.heartbeat();
    app.pull();
    assertThat(app.running()).isEqualTo(3);
  }

  private static long warnings(LogCapturer log) {
    return log.getOutput().lines().filter(line -> line.contains("does not answer")).count();
  }
}
