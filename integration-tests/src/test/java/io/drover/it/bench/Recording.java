// SPDX-License-Identifier: Apache-2.0
package io.drover.it.bench;

import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.DemoJobSpec.DemoWorkload;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Runs real jobs on a cluster on this machine and keeps the progress reports of their tasks: one
 * decision log per job, in a directory for each kind of job.
 *
 * <p>The demo's jobs have a single wave of maps of 8 s and of one size. Such tasks consist mostly
 * of their start and end. Usual jobs have several waves of maps of 25 to 75 s, depending on the
 * size of their inputs, and reduces of a minute. Only as many tasks run at once as two cores can
 * carry. Otherwise, the machine would determine when they end.
 */
final class Recording {
  private static final DemoJobSpec DEMO = DemoJobSpec.of(Scenario.NONE);

  private static final DemoJobSpec USUAL =
      DEMO.with()
          .tasks(36, 3)
          .bytesPerMap(4_000_000, 0.5)
          .pace(Duration.ofSeconds(50), Duration.ofSeconds(60))
          .build();

  private Recording() {}

  /** Runs rounds of six jobs: of each kind, one without a fault, one with a slow node, one sort. */
  static void ofRealJobs(int rounds, Path directory) throws IOException, InterruptedException {
    ofJobs(DEMO, 4, rounds, directory.resolve("demo"));
    ofJobs(USUAL, 2, rounds, directory.resolve("usual"));
  }

  private static void ofJobs(DemoJobSpec shape, int containersPerHost, int rounds, Path directory)
      throws IOException, InterruptedException {
    List<DemoJobSpec> specs =
        List.of(
            shape,
            shape.with().scenario(Scenario.SLOW_NODE).build(),
            shape.with().workload(DemoWorkload.SORT).build());
    Files.createDirectories(directory);
    try (DroverCluster cluster =
        DroverCluster.builder().containersPerHost(containersPerHost).start(StartListener.NONE)) {
      JobRunner runner = new JobRunner(cluster);
      for (int round = 1; round <= rounds; round++) {
        for (DemoJobSpec spec : specs) {
          RunResult result =
              runner.run(
                  spec,
                  RunMode.DROVER,
                  Map.of("mapreduce.drover.decision-log.reports", "true"),
                  RunListener.NONE);
          String name = spec.workload().key() + "-" + spec.scenario().key() + "-" + round;
          System.err.println(directory.getFileName() + " " + name + " " + result.historyTime());
          Files.write(directory.resolve(name + ".jsonl"), result.decisions());
        }
      }
    }
  }
}
