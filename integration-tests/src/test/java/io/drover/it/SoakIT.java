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
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many jobs with random faults, one after another: all succeed, all write what the job without
 * fault writes, no container is left. They share a cluster until one of its nodes has died.
 *
 * <p>Only when asked for, as it takes a minute a job: {@code -Ddrover.soak.jobs=50}. {@code
 * -Ddrover.soak.seed=N} repeats one.
 */
@EnabledIfSystemProperty(
    named = "drover.soak.jobs",
    matches = "[1-9]\\d*",
    disabledReason = "-Ddrover.soak.jobs=N runs a soak of N jobs")
class SoakIT {
  private static final Logger LOG = LoggerFactory.getLogger(SoakIT.class);
  private static final int JOBS = Integer.getInteger("drover.soak.jobs", 0);
  private static final long SEED = Long.getLong("drover.soak.seed", System.nanoTime());

  private final Random random = new Random(SEED);

  /** What each input comes to: the text is the same on every cluster, but for the skewed. */
  private final Map<String, OutputDigest> expected = new HashMap<>();

  @Test
  void allJobsSucceedWithEqualOutputAndNothingIsLeft() throws Exception {
    LOG.info("soak of {} jobs, -Ddrover.soak.seed={}", JOBS, SEED);
    int done = 0;
    while (done < JOBS) {
      done = soakOneCluster(done);
    }
  }

  private int soakOneCluster(int before) throws Exception {
    int done = before;
    try (DroverCluster cluster = DroverCluster.builder().start(StartListener.NONE)) {
      JobRunner runner = new JobRunner(cluster);
      boolean whole = true;
      while (whole && done < JOBS) {
        JobSpec spec = randomJob();
        OutputDigest wanted = wanted(runner, spec);
        RunResult result = runner.run(spec, Mode.DROVER, Map.of(), RunListener.NONE);
        done++;
        LOG.info(
            "job {} of {}: {} {} in {}, {}",
            done,
            JOBS,
            spec.workload(),
            spec.scenario(),
            result.wall(),
            result.tally());
        assertThat(result.succeeded())
            .as("job %d, %s, seed %d: %s", done, spec, SEED, result.diagnostics())
            .isTrue();
        assertThat(result.output()).as("job %d, %s, seed %d", done, spec, SEED).isEqualTo(wanted);
        whole = spec.scenario() != Scenario.NODE_DEATH;
      }
      assertThat(cluster.awaitNoContainers(Duration.ofSeconds(60))).isEmpty();
    }
    return done;
  }

  /** Short tasks, so that many jobs fit; faults are as long as they are. */
  private JobSpec randomJob() {
    Scenario[] scenarios = Scenario.values();
    return JobSpec.of(scenarios[random.nextInt(scenarios.length)])
        .with()
        .workload(random.nextInt(3) == 0 ? Workload.SORT : Workload.WORD_COUNT)
        .pace(Duration.ofSeconds(5), Duration.ofSeconds(2))
        .build();
  }

  private OutputDigest wanted(JobRunner runner, JobSpec spec) throws Exception {
    String input =
        switch (spec.scenario()) {
          case SKEW, SMALL_JOBS, PLACEMENT -> spec.workload() + " " + spec.scenario();
          default -> spec.workload().toString();
        };
    OutputDigest known = expected.get(input);
    if (known == null) {
      RunResult clean = runner.run(spec, Mode.CLEAN, Map.of(), RunListener.NONE);
      assertThat(clean.succeeded()).as("%s: %s", spec, clean.diagnostics()).isTrue();
      known = clean.output();
      expected.put(input, known);
    }
    return known;
  }
}
