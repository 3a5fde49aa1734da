// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.drover.cli.cluster.DroverCluster;
import io.drover.cli.cluster.StartListener;
import io.drover.cli.job.AttemptRecord;
import io.drover.cli.job.JobRunner;
import io.drover.cli.job.JobSpec;
import io.drover.cli.job.Mode;
import io.drover.cli.job.RunListener;
import io.drover.cli.job.RunResult;
import io.drover.cli.job.Scenario;
import io.drover.core.machine.SlowMachineRule;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Drover's scheduler on a real cluster: what one job learns of a machine, the next one knows. */
class KnownMachinesIT {
  private static final Duration WINDOW = Duration.ofSeconds(20);
  private static final Duration NEWS = Duration.ofMillis(500);

  private static DroverCluster cluster;
  private static JobRunner runner;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        DroverCluster.builder()
            .droverScheduler()
            .daemonConf("yarn.drover.statistics.window", WINDOW.toSeconds() + "s")
            .jobConf("yarn.drover.channel.period", NEWS.toMillis() + "ms")
            .daemonConf("yarn.drover.channel.period", NEWS.toMillis() + "ms")
            .start(StartListener.NONE);
    runner = new JobRunner(cluster);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static RunResult run(JobSpec spec) throws Exception {
    RunResult result = runner.run(spec, Mode.DROVER, Map.of(), RunListener.NONE);
    assertThat(result.succeeded()).as(result.diagnostics()).isTrue();
    return result;
  }

  private static JsonNode statistics() throws IOException, InterruptedException {
    return SchedulerServices.statistics(cluster);
  }

  /** The machines that copies keep away from. */
  private static List<String> slow(JsonNode statistics) {
    double p = statistics.path("outlierProbability").asDouble(1);
    return statistics.path("machines").findParents("machine").stream()
        .filter(
            machine ->
                SlowMachineRule.DEFAULT.isSlow(machine.path("outlierProbability").asDouble(0), p))
        .map(machine -> machine.get("machine").asText())
        .toList();
  }

  /** When the first machine was found to be slow; empty if none was. */
  private static CompletableFuture<Optional<Instant>> whenKnown(Duration limit) {
    return CompletableFuture.supplyAsync(
        () -> {
          Instant end = Instant.now().plus(limit);
          try {
            while (slow(statistics()).isEmpty()) {
              if (Instant.now().isAfter(end)) {
                return Optional.empty();
              }
              Thread.sleep(250);
            }
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return Optional.of(Instant.now());
        });
  }

  @Test
  void slowMachineIsKnownWithinTwoWindowsAndCopiesAvoidIt() throws Exception {
    run(JobSpec.of(Scenario.NONE));
    assertThat(slow(statistics())).isEmpty();
    CompletableFuture<Optional<Instant>> known = whenKnown(Duration.ofMinutes(8));
    // One outlier makes no slow machine, so there are too many maps for any node to get only one.
    RunResult first = run(JobSpec.of(Scenario.SLOW_NODE).with().tasks(24, 4).build());
    String slow = first.faultNode().orElseThrow();
    assertKnownInTime(known, first.attempts(), slow);

    assertThat(slow(statistics())).containsExactly(slow);
    assertThat(later(run(JobSpec.of(Scenario.SMALL_JOBS)))).isNotEmpty().doesNotContain(slow);
  }

  /** The nodes of all attempts that were not their task's first. */
  private static List<String> later(RunResult result) {
    return result.attempts().stream()
        .filter(attempt -> attempt.attempt() > 0)
        .map(AttemptRecord::node)
        .toList();
  }

  /** Within two windows of the end of the first attempt on the slow node. */
  private static void assertKnownInTime(
      CompletableFuture<Optional<Instant>> known, List<AttemptRecord> attempts, String slow)
      throws InterruptedException, ExecutionException {
    Optional<Instant> seen =
        attempts.stream()
            .filter(attempt -> attempt.node().equals(slow))
            .map(AttemptRecord::finish)
            .min(Instant::compareTo);
    assertThat(seen).isPresent();
    assertThat(known.get()).as("known to be slow").isPresent();
    Duration took = Duration.between(seen.get(), known.get().get());
    assertThat(took).isLessThan(WINDOW.multipliedBy(2));
  }
}
