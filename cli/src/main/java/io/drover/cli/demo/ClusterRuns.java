// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.demo.DemoCommand.RunSource;
import io.drover.cli.demo.PlanRunner.Background;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.ClusterLogs;
import io.drover.testbed.cluster.ClusterSpec;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.host.Host;
import io.drover.testbed.host.HostKind;
import io.drover.testbed.job.DemoText.InputTexts;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs jobs on a real cluster on this machine. The cluster starts with the first run. If a run has
 * lost a node, the next run gets a new cluster, so that all runs find the same. A run that needs
 * another scheduler gets a new one, too, and so does each run that it is compared with: otherwise,
 * only one of them would have a warm cluster.
 */
public final class ClusterRuns implements RunSource {
  private static final String CHANNEL_PERIOD = "yarn.drover.channel.period";

  /** Lets a scheduler learn from the few and short jobs of a demo, and end others soon. */
  private static final Map<String, String> PREDICTING =
      Map.of(
          "yarn.drover.predict.mode",
          "on",
          "yarn.drover.predict.grace",
          "5s",
          "yarn.drover.predict.retrain",
          "5s",
          "yarn.drover.predict.max-misjudged",
          "0.2", // with forty jobs nothing smaller can be told
          CHANNEL_PERIOD,
          "500ms");

  /** Room for the outputs of the maps of a demo job on one host, several times. */
  private static final int DISK_MEGABYTES = 512;

  /** The host with the faults, the last but one. */
  private static final String LOSING_HOST = "n5";

  private final HostKind kind;
  private final StartListener starting;
  private final Optional<Path> keptLogs;
  private final InputTexts texts = new InputTexts();
  private Optional<DroverCluster> cluster = Optional.empty();
  private Optional<JobRunner> runner = Optional.empty();
  private List<Host> hosts = List.of();
  private int clusters;
  private boolean used;
  private Optional<PlannedRun.Needs> needs = Optional.empty();

  /**
   * Creates the source. It starts nothing yet.
   *
   * @param kind what the cluster's hosts are
   * @param starting receives the steps of the cluster's start
   * @param keptLogs directory to copy logs to before a cluster is removed; if empty, they are lost
   */
  public ClusterRuns(HostKind kind, StartListener starting, Optional<Path> keptLogs) {
    this.kind = kind;
    this.starting = starting;
    this.keptLogs = keptLogs;
  }

  @Override
  public void prepare(PlannedRun planned) throws IOException, InterruptedException {
    if (cluster.isPresent() && !isFit(cluster.get(), planned)) {
      close();
    }
    if (cluster.isEmpty()) {
      start(planned);
    }
  }

  private boolean isFit(DroverCluster present, PlannedRun planned) {
    return isWhole(present)
        && needs.equals(Optional.of(planned.needs()))
        && !(planned.needsNewCluster() && used);
  }

  @Override
  public RunResult run(PlannedRun planned, RunListener listener)
      throws IOException, InterruptedException {
    prepare(planned);
    used = true;
    return runner.orElseThrow().run(planned.spec(), planned.mode(), Map.of(), listener);
  }

  @Override
  public List<Host> hosts() {
    return hosts;
  }

  @Override
  public void close() throws IOException {
    if (cluster.isEmpty()) {
      return;
    }
    try (DroverCluster ending = cluster.get()) {
      cluster = Optional.empty();
      runner = Optional.empty();
      if (keptLogs.isPresent()) {
        ClusterLogs.keep(ending, keptLogs.get().resolve("cluster-" + clusters));
      }
    }
  }

  private void start(PlannedRun first) throws IOException, InterruptedException {
    Background<Void> gathering =
        Background.start( // while the daemons start, and mostly wait
            "texts",
            () -> {
              texts.gather(first.spec());
              return null;
            });
    PlannedRun.Needs wanted = first.needs();
    ClusterSpec.Builder builder = DroverCluster.builder().hosts(kind);
    if (wanted.isWide()) {
      builder.shape(3, 4).containersPerHost(3);
    }
    if (wanted.scheduler()) {
      builder.droverScheduler();
    }
    if (wanted.isFlaky()) {
      builder.losingHost(LOSING_HOST);
    }
    if (wanted.smallDisks()) {
      builder.localDisk(DISK_MEGABYTES);
    }
    if (wanted.movableClocks()) {
      builder.movableClocks();
    }
    if (wanted.predicts()) {
      PREDICTING.forEach(builder::daemonConf);
      builder.jobConf(CHANNEL_PERIOD, PREDICTING.get(CHANNEL_PERIOD));
    }
    DroverCluster started = builder.start(starting);
    needs = Optional.of(wanted);
    clusters++;
    used = false;
    cluster = Optional.of(started);
    runner = Optional.of(new JobRunner(started, texts));
    hosts = started.hosts();
    gathering.get();
  }

  private static boolean isWhole(DroverCluster cluster) {
    return cluster.liveHosts().size() == cluster.hosts().size();
  }
}
