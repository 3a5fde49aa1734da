// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.cli.demo.DemoCommand.RunSource;
import io.drover.cli.demo.DemoProgress.LineProgress;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.host.Host;
import io.drover.testbed.host.HostKind;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class PlanRunnerTest {
  private static final List<PlannedRun> PLAN =
      PlannedRun.of(SampleSources.options(1, Scenario.SLOW_NODE));

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Its run without speculation reaches its tail, and ends only after the clean run has begun. */
  private static class Overlapping implements RunSource {
    private final RunSource samples =
        SampleSources.source(Optional.of(HostKind.LOOPBACK), StartListener.NONE, Optional.empty());
    final CountDownLatch cleanRuns = new CountDownLatch(1);
    final CountDownLatch cleanEnds = new CountDownLatch(1);

    @Override
    public RunResult run(PlannedRun planned, RunListener listener)
        throws IOException, InterruptedException {
      if (planned.mode() == RunMode.OFF) {
        listener.progress(progress(20, 0.85));
        assertThat(cleanRuns.await(200, TimeUnit.MILLISECONDS)).isFalse();
        listener.progress(progress(24, 0.851));
        assertThat(cleanRuns.await(60, TimeUnit.SECONDS)).isTrue();
        atTail();
      } else if (planned.mode() == RunMode.CLEAN) {
        cleanRuns.countDown();
        clean();
      }
      synchronized (samples) {
        return samples.run(planned, RunListener.NONE);
      }
    }

    void atTail() throws IOException {}

    void clean() throws IOException, InterruptedException {}

    private static JobProgress progress(int second, double maps) {
      return new JobProgress(Duration.ofSeconds(second), "RUNNING", maps, 0);
    }

    @Override
    public List<Host> hosts() {
      return samples.hosts();
    }

    @Override
    public void close() {}
  }

  private Map<PlannedRun, RunResult> run(RunSource source)
      throws IOException, InterruptedException {
    PrintStream lines = new PrintStream(err, true, StandardCharsets.UTF_8);
    return new PlanRunner(source, new LineProgress(PLAN, lines), InstantSource.system()).run(PLAN);
  }

  @Test
  void cleanRunIsBesideTheTailOfTheRunWithoutSpeculation() throws Exception {
    Map<PlannedRun, RunResult> done = run(new Overlapping());

    assertThat(done.keySet())
        .extracting(PlannedRun::mode)
        .containsExactly(RunMode.CLEAN, RunMode.OFF, RunMode.STOCK, RunMode.DROVER);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .containsSubsequence("1/4 slow-node, off: ", "2/4 clean: ", "4/4 slow-node, drover: ");
  }

  @Test
  void errorOfTheRunBesideEndsAll() {
    RunSource source =
        new Overlapping() {
          @Override
          void clean() throws IOException {
            throw new IOException("no HDFS");
          }
        };
    assertThatThrownBy(() -> run(source)).isInstanceOf(IOException.class).hasMessage("no HDFS");
  }

  @Test
  void errorOfTheFirstEndsTheOneBeside() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    Overlapping source =
        new Overlapping() {
          @Override
          void atTail() throws IOException {
            throw new IOException("no YARN");
          }

          @Override
          void clean() throws InterruptedException {
            try {
              cleanEnds.await();
            } catch (InterruptedException e) {
              interrupted.countDown();
              throw e;
            }
          }
        };
    assertThatThrownBy(() -> run(source)).isInstanceOf(IOException.class).hasMessage("no YARN");
    assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void allRunsAreAloneWhereThereAreSeveral() {
    assertThat(PLAN).extracting(PlannedRun::beside).containsExactly(false, true, false, false);
    assertThat(PlannedRun.of(SampleSources.options(2, Scenario.SLOW_NODE)))
        .noneMatch(PlannedRun::beside);
    assertThat(PlannedRun.of(SampleSources.options(1, Scenario.SLOW_NODE, Scenario.STALL_90)))
        .noneMatch(PlannedRun::beside);
    assertThat(PlannedRun.of(SampleSources.options(1, Scenario.NODE_DEATH)))
        .noneMatch(PlannedRun::beside);
  }
}
