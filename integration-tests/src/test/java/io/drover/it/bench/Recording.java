// SPDX-License-Identifier: Apache-2.0
package io.drover.it.bench;

import io.drover.cli.cluster.DroverCluster;
import io.drover.cli.cluster.StartListener;
import io.drover.cli.job.JobRunner;
import io.drover.cli.job.JobSpec;
import io.drover.cli.job.Mode;
import io.drover.cli.job.RunListener;
import io.drover.cli.job.RunResult;
import io.drover.cli.job.Scenario;
import io.drover.cli.job.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs real jobs on a cluster of this machine and keeps the progress reports of their tasks. */
final class Recording {
  /** Where the recordings are kept, to be asked again with other estimators. */
  private static final Path KEPT =
      Path.of(System.getProperty("drover.home"), "integration-tests", "target", "recordings");

  private Recording() {}

  /** So many rounds of three jobs: without a fault, with a slow node, and a sort. */
  static List<RecordedJob> ofRealJobs(int rounds) throws IOException, InterruptedException {
    List<JobSpec> specs =
        List.of(
            JobSpec.of(Scenario.NONE),
            JobSpec.of(Scenario.SLOW_NODE),
            JobSpec.of(Scenario.NONE).withWorkload(Workload.SORT),
            JobSpec.of(Scenario.NONE)
                .withTasks(60, 8)
                .withPace(Duration.ofSeconds(30), Duration.ofSeconds(30)));
    List<RecordedJob> jobs = new ArrayList<>();
    try (DroverCluster cluster = DroverCluster.builder().start(StartListener.NONE)) {
      JobRunner runner = new JobRunner(cluster);
      for (int round = 0; round < rounds; round++) {
        for (JobSpec spec : specs) {
          RunResult result =
              runner.run(
                  spec,
                  Mode.DROVER,
                  Map.of("mapreduce.drover.decision-log.reports", "true"),
                  RunListener.NONE);
          System.err.println(spec.workload() + " " + spec.scenario() + " " + result.historyTime());
          jobs.add(RecordedJob.read(result.decisions()));
          Files.createDirectories(KEPT);
          Files.write(KEPT.resolve(result.jobId() + ".jsonl"), result.decisions());
        }
      }
    }
    return jobs;
  }
}
