// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.cluster.LiveContainer;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.Test;

/** Drover's AppMaster, with the speculator that it brings. */
class RestartUnderAppMasterIT extends RestartCases {
  @Override
  Map<String, String> settings(JobRunner jobs) {
    return Map.of("mapreduce.drover.clone.max-tasks", "6"); // one less than the jobs have
  }

  @Override
  List<DemoJobSpec> outliers() {
    return Stream.of(Scenario.SLOW_ATTEMPT, Scenario.SILENT_ATTEMPT, Scenario.STALL_90)
        .map(JobsUnderTest::lean)
        .toList();
  }

  /**
   * No fault at all, but first the AppMaster is held for a while, and then all tasks at once: a
   * copy would meet the same.
   */
  @Alone
  @Test
  void nothingIsDoneWhereNothingIsWrongOrAllAreHeld() throws Exception {
    Pause ofAppMaster = new Pause(0.15, container -> container.attemptId().isEmpty());
    Pause ofTasks = new Pause(0.5, container -> container.attemptId().isPresent());
    RunListener both =
        progress -> {
          // One at a time: when the first is over, the progress is old.
          Pause next = ofAppMaster.held == 0 ? ofAppMaster : ofTasks;
          next.progress(progress);
        };
    Duration maps = Pause.LENGTH.multipliedBy(3); // they go on while the AppMaster does not
    DemoJobSpec spec =
        JobsUnderTest.lean(Scenario.NONE).with().pace(maps, Duration.ofSeconds(2)).build();
    // a busy machine takes longer than others until all go on
    Map<String, String> patient = Map.of("mapreduce.drover.restart.correlated-stall-windows", "6");
    RunResult result = run(spec, patient, both);
    assertSound(result);
    nothingIsLeftBehind();
    assertThat(ofAppMaster.held).isEqualTo(1);
    assertThat(ofTasks.held).isGreaterThanOrEqualTo(3);
    assertNothingDone(result);
    assertThat(result.decisions()).anyMatch(line -> line.contains("\"CORRELATED_STALL\""));
  }

  /** Holds the processes of some containers once the maps are so far. */
  private final class Pause implements RunListener {
    private static final Duration LENGTH = Duration.ofSeconds(8); // a moving average is six long

    private final double at;
    private final Predicate<LiveContainer> whose;
    private int held;

    Pause(double at, Predicate<LiveContainer> whose) {
      this.at = at;
      this.whose = whose;
    }

    @Override
    public void progress(JobProgress job) throws IOException, InterruptedException {
      if (held > 0 || job.maps() < at) {
        return;
      }
      List<LiveContainer> chosen = liveContainers().stream().filter(whose).toList();
      held = chosen.size();
      assertThat(chosen).as("what runs at %.0f %% of the maps", 100 * job.maps()).isNotEmpty();
      signal("-STOP", chosen);
      try {
        TimeUnit.NANOSECONDS.sleep(LENGTH.toNanos());
      } finally {
        signal("-CONT", chosen);
      }
    }

    private static void signal(String which, List<LiveContainer> to)
        throws IOException, InterruptedException {
      String pids = to.stream().map(c -> Long.toString(c.pid())).collect(joining(" "));
      ProcessBuilder kill = new ProcessBuilder("/bin/sh", "-c", "kill " + which + " " + pids);
      int exit = kill.inheritIO().start().waitFor();
      if (to.stream().allMatch(c -> ProcessHandle.of(c.pid()).isPresent())) {
        assertThat(exit).isZero(); // it complains of one that has just ended
      }
    }
  }

  /** Hadoop copies a slow task however few failures it allows, and so does Drover. */
  @Alone
  @Test
  void taskThatMayFailButOnceIsCopiedAndNotRestarted() throws Exception {
    Map<String, String> once =
        Map.of(MRJobConfig.MAP_MAX_ATTEMPTS, "1", MRJobConfig.REDUCE_MAX_ATTEMPTS, "1");
    RunResult result = run(JobsUnderTest.lean(Scenario.SLOW_ATTEMPT), once);
    assertSound(result);
    nothingIsLeftBehind();
    assertThat(result.tally().copies()).as("%s", result.decisions()).isPositive();
    assertThat(JobsUnderTest.lines(result, "decision"))
        .noneMatch(line -> line.contains("\"action\":\"RESTART\""));
  }

  @Alone
  @Test
  void taskWithSixTimesTheDataIsLeftAlone() throws Exception {
    RunResult result = run(JobsUnderTest.shorter(JobsUnderTest.lean(Scenario.SKEW)), Map.of());
    assertSound(result);
    nothingIsLeftBehind();
    assertNothingDone(result);
  }

  private static void assertNothingDone(RunResult result) {
    List<String> done =
        JobsUnderTest.lines(result, "decision").stream()
            .filter(line -> !line.contains("\"action\":\"LEAVE\""))
            .toList();
    assertThat(done).isEmpty();
    assertThat(result.tally().copies()).as("%s", result.decisions()).isZero();
    assertThat(result.tally().restarts()).as("%s", result.decisions()).isZero();
  }
}
