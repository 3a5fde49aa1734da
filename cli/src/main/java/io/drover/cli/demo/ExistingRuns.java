// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.demo.DemoCommand.RunSource;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.ExistingCluster;
import io.drover.testbed.host.Host;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunResult;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs jobs on a cluster that exists already. It connects when the first run is prepared. */
public final class ExistingRuns implements RunSource {
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
      runner = Optional.of(new JobRunner(connected));
    }
    runner.orElseThrow().prepare(planned.spec());
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
