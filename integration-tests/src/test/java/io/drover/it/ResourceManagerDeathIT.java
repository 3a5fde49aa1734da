// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.drover.cli.cluster.DroverCluster;
import io.drover.cli.cluster.StartListener;
import io.drover.cli.job.AttemptRecord;
import io.drover.cli.job.JobProgress;
import io.drover.cli.job.JobRunner;
import io.drover.cli.job.JobSpec;
import io.drover.cli.job.Mode;
import io.drover.cli.job.RunListener;
import io.drover.cli.job.RunResult;
import io.drover.cli.job.Scenario;
import io.drover.cli.job.TaskKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Two ResourceManagers with Drover's scheduler, which keep their state in HDFS. The active one dies
 * without a word in the middle of a job that has clones.
 */
class ResourceManagerDeathIT {
  private static final JobSpec SMALL = JobSpec.of(Scenario.SMALL_JOBS);

  @Test
  void jobItsClonesAndWhatWasLearntOutliveTheActiveResourceManager() throws Exception {
    try (DroverCluster cluster =
        DroverCluster.builder()
            .droverScheduler()
            .standbyResourceManager()
            .daemonConf("yarn.drover.statistics.dir", "/learnt")
            .daemonConf("yarn.drover.statistics.window", "5s")
            .daemonConf("yarn.drover.channel.period", "500ms")
            .jobConf("yarn.drover.channel.period", "500ms")
            .start(StartListener.NONE)) {
      JobRunner runner = new JobRunner(cluster);
      RunResult clean = run(runner, SMALL, Mode.CLEAN, RunListener.NONE);
      run(runner, JobSpec.of(Scenario.NONE), Mode.DROVER, RunListener.NONE); // teaches
      assertThat(SchedulerServices.statistics(cluster).get("machinesKnown").asInt()).isPositive();

      Failover failover = new Failover(cluster);
      RunResult result = run(runner, SMALL, Mode.DROVER, failover);
      assertThat(failover.heard).as("the job by the second ResourceManager").isTrue();
      assertThat(failover.known).as("machines by the second ResourceManager").isPositive();
      assertThat(result.output()).isEqualTo(clean.output());
      assertThat(result.attempts())
          .extracting(AttemptRecord::containerId)
          .as("all of the one AppMaster")
          .allMatch(container -> container.matches("container_(e\\d+_)?\\d+_\\d+_01_\\d+"));
      assertThat(result.attempts())
          .as("clones of reduces, asked for after the death")
          .anyMatch(attempt -> attempt.kind() == TaskKind.REDUCE && attempt.attempt() > 0);
      assertThat(cluster.awaitNoContainers(Duration.ofSeconds(60))).isEmpty();
    }
  }

  private static RunResult run(JobRunner runner, JobSpec spec, Mode mode, RunListener listener)
      throws Exception {
    RunResult result = runner.run(spec, mode, Map.of(), listener);
    assertThat(result.succeeded()).as(result.diagnostics()).isTrue();
    return result;
  }

  /** Kills the active ResourceManager when the maps are so far, and looks at the next one. */
  private static final class Failover implements RunListener {
    private static final double AT = 0.3;

    private final DroverCluster cluster;
    private boolean done;
    private boolean heard;
    private int known;

    Failover(DroverCluster cluster) {
      this.cluster = cluster;
    }

    @Override
    public void progress(JobProgress job) {
      try {
        if (!done && job.maps() >= AT) {
          cluster.failOver();
          done = true;
        } else if (done && !heard) {
          look();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private void look() throws IOException, InterruptedException {
      JsonNode statistics = SchedulerServices.statistics(cluster);
      heard = statistics.get("reporting").asInt() > 0;
      known = statistics.get("machinesKnown").asInt();
    }
  }
}
