// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.cli.cluster.DroverCluster;
import io.drover.cli.cluster.StartListener;
import io.drover.cli.job.JobRunner;
import io.drover.cli.job.JobSpec;
import io.drover.cli.job.Mode;
import io.drover.cli.job.OutputDigest;
import io.drover.cli.job.RunListener;
import io.drover.cli.job.RunResult;
import io.drover.cli.job.Scenario;
import io.drover.cli.job.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many jobs with random faults, one after another on one cluster: all succeed, all write what the
 * job without fault writes, no container is left.
 *
 * <p>{@code -Ddrover.soak.jobs=50} is the full soak; the build runs a few. {@code
 * -Ddrover.soak.seed=N} repeats one.
 */
class SoakIT {
  private static final Logger LOG = LoggerFactory.getLogger(SoakIT.class);
  private static final List<Scenario> FAULTS =
      List.of(
          Scenario.NONE,
          Scenario.SLOW_NODE,
          Scenario.SLOW_ATTEMPT,
          Scenario.SILENT_ATTEMPT,
          Scenario.STALL_90);

  @Test
  void allJobsSucceedWithEqualOutputAndNothingIsLeft() throws Exception {
    int jobs = Integer.getInteger("drover.soak.jobs", 4);
    long seed = Long.getLong("drover.soak.seed", System.nanoTime());
    LOG.info("soak of {} jobs, -Ddrover.soak.seed={}", jobs, seed);
    Random random = new Random(seed);
    try (DroverCluster cluster = DroverCluster.builder().start(StartListener.NONE)) {
      JobRunner runner = new JobRunner(cluster);
      Map<Workload, OutputDigest> expected =
          Map.of(
              Workload.WORD_COUNT, clean(runner, Workload.WORD_COUNT),
              Workload.SORT, clean(runner, Workload.SORT));
      for (int i = 0; i < jobs; i++) {
        Workload workload = random.nextInt(3) == 0 ? Workload.SORT : Workload.WORD_COUNT;
        Scenario scenario = FAULTS.get(random.nextInt(FAULTS.size()));
        JobSpec spec = small(workload, scenario);
        RunResult result = runner.run(spec, Mode.DROVER, Map.of(), RunListener.NONE);
        LOG.info(
            "job {} of {}: {} {} in {}, {}",
            i + 1,
            jobs,
            workload,
            scenario,
            result.wall(),
            result.tally());
        assertThat(result.succeeded())
            .as("job %d, %s %s, seed %d: %s", i, workload, scenario, seed, result.diagnostics())
            .isTrue();
        assertThat(result.output()).isEqualTo(expected.get(workload));
      }
      assertThat(cluster.awaitNoContainers(Duration.ofSeconds(60))).isEmpty();
    }
  }

  private static OutputDigest clean(JobRunner runner, Workload workload) throws Exception {
    return runner
        .run(small(workload, Scenario.NONE), Mode.CLEAN, Map.of(), RunListener.NONE)
        .output();
  }

  /** Short tasks, so that many jobs fit; faults are as long as they are. */
  private static JobSpec small(Workload workload, Scenario scenario) {
    return JobSpec.of(scenario)
        .with()
        .workload(workload)
        .pace(Duration.ofSeconds(5), Duration.ofSeconds(2))
        .build();
  }
}
