// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import static org.awaitility.Awaitility.await;

import io.drover.channel.AttemptOutcome;
import io.drover.channel.ChannelClient;
import io.drover.channel.JobStart;
import io.drover.channel.Report;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.scheduler.statistics.MachineView;
import io.drover.scheduler.statistics.Statistics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/** What AppMasters of a {@link MockCluster} tell its scheduler. */
public final class Reports {
  private static final Duration TASK = Duration.ofSeconds(30);
  private static final String ADDRESS = "yarn.drover.channel.address";
  private static final String PERIOD = "yarn.drover.channel.period";

  private Reports() {}

  /** Opens the port for them, and counts in short windows. */
  public static void configure(Configuration conf) {
    conf.set(ADDRESS, "127.0.0.1:0");
    conf.set(PERIOD, "100ms");
    conf.set("yarn.drover.statistics.window", "1s");
    conf.set("yarn.drover.statistics.trusted-users", "*"); // most tests have one user
  }

  /** An AppMaster's end of the line. */
  public static ChannelClient client(MockCluster cluster, MockCluster.App app) throws Exception {
    ApplicationAttemptId attempt = app.am.getApplicationAttemptId();
    DroverCapacityScheduler scheduler = (DroverCapacityScheduler) cluster.scheduler();
    Configuration conf = MockCluster.configuration();
    conf.set(ADDRESS, "127.0.0.1:" + scheduler.channelAddress().orElseThrow().getPort());
    conf.set(PERIOD, "100ms");
    UserGroupInformation speaker = UserGroupInformation.createRemoteUser(attempt.toString());
    speaker.addToken(
        scheduler.getRMContext().getAMRMTokenSecretManager().createAndGetAMRMToken(attempt));
    ChannelClient client = ChannelClient.start(conf, attempt, speaker);
    client.job(new JobStart(100, 0, Optional.empty(), Optional.empty(), true));
    return client;
  }

  /** An attempt that has ended. */
  public static AttemptOutcome outcome(long container, String machine, boolean outlier) {
    return new AttemptOutcome(container, machine, outlier, OptionalDouble.empty(), TASK);
  }

  /** A report of what the actions of a job have come to, and of nothing else. */
  public static Report ofActions(long sequence, Map<ActionKind, ActionTotals> said) {
    return new Report(
        sequence,
        Optional.empty(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        0,
        Duration.ZERO,
        said);
  }

  /** Ends an AppMaster's end of the line, and waits until all that it has said is learnt. */
  public static void awaitLearnt(MockCluster cluster, MockCluster.App app, ChannelClient client) {
    client.close();
    await().until(() -> !client.isOn());
    awaitLearnt(cluster, app);
  }

  /** Waits until all that an AppMaster has said is learnt: a round that begins now has ended. */
  public static void awaitLearnt(MockCluster cluster, MockCluster.App app) {
    Statistics statistics = ((DroverCapacityScheduler) cluster.scheduler()).statistics();
    for (int round = 0; round < 2; round++) { // the first may have begun before
      MachineView before = statistics.view();
      statistics.onReport(app.am.getApplicationAttemptId(), ofActions(1, Map.of()));
      await().until(() -> statistics.view() != before);
    }
  }

  /** Half of what runs on the last node is an outlier, and nothing elsewhere. */
  public static void run(MockCluster cluster, MockCluster.App app, ChannelClient client) {
    run(cluster, app, client, 15);
  }

  /** The same, with as many containers at once as there is room for. */
  public static void run(
      MockCluster cluster, MockCluster.App app, ChannelClient client, int containers) {
    await().until(() -> client.latestState().isPresent());
    String slow = cluster.host(cluster.size() - 1);
    for (int wave = 0; wave < 6; wave++) {
      app.ask(MockCluster.ORDINARY, 1, containers);
      cluster.heartbeat();
      app.pull();
      app.launch();
      int[] number = {wave * 100};
      app.live().stream()
          .filter(container -> !container.isAMContainer())
          .map(container -> container.getAllocatedNode().getHost())
          .forEach(
              host -> {
                number[0]++;
                client.ended(outcome(number[0] + 1, host, host.equals(slow) && number[0] % 2 == 0));
              });
      app.release(containers);
    }
  }
}
