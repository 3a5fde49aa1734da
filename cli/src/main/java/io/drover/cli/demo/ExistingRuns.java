// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.demo.DemoCommand.RunSource;
import io.drover.cli.web.ManagerPages;
import io.drover.cli.web.WebClient;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.ExistingCluster;
import io.drover.testbed.history.JobHistoryServer;
import io.drover.testbed.host.Host;
import io.drover.testbed.job.DemoText.InputTexts;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunResult;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Runs jobs on a cluster that exists already. It connects when the first run is prepared. */
public final class ExistingRuns implements RunSource {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final StartListener starting;
  private Optional<ExistingCluster> cluster = Optional.empty();
  private Optional<JobRunner> runner = Optional.empty();
  private List<Host> hosts = List.of();

  /**
   * Creates the source. It does not connect yet.
   *
   * @param starting is notified when the cluster has answered
   */
  public ExistingRuns(StartListener starting) {
    this.starting = starting;
  }

  @Override
  public void prepare(PlannedRun planned) throws IOException {
    if (cluster.isEmpty()) {
      ExistingCluster connected = ExistingCluster.connect(starting);
      cluster = Optional.of(connected);
      hosts = connected.hosts();
      runner =
          Optional.of(
              new JobRunner(connected, new InputTexts(), histories(connected.clientConf())));
    }
    runner.orElseThrow().prepare(planned.spec());
  }

  /** Returns the cluster's JobHistoryServer. Only its own user may read the files that it moves. */
  private static Optional<JobHistoryServer> histories(Configuration conf) {
    WebClient web = new WebClient(PATIENCE, System::currentTimeMillis);
    try {
      URI server = URI.create(new ManagerPages(conf).historyServer());
      return Optional.of(new JobHistoryServer(server, web::json));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // its address is none, and the files may be readable
    }
  }

  @Override
  public RunResult run(PlannedRun planned, RunListener listener)
      throws IOException, InterruptedException {
    return runner.orElseThrow().run(planned.spec(), planned.mode(), Map.of(), listener);
  }

  @Override
  public List<Host> hosts() {
    return hosts;
  }

  @Override
  public void close() throws IOException {
    if (cluster.isPresent()) {
      cluster.get().close();
    }
  }
}
