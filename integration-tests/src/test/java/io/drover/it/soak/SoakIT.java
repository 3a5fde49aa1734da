// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.RunResult.OutputDigest;
import io.drover.testbed.job.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many jobs with settings and faults that are drawn at random, each once under Hadoop's AppMaster
 * and once under Drover's, on the same cluster. What succeeds under Hadoop's succeeds under
 * Drover's, with equal output; no container is left; and all together take no longer.
 *
 * <p>Only when asked for, as a pair takes a minute or two: {@code -Ddrover.soak.jobs=60}. {@code
 * -Ddrover.soak.seed=N} repeats a soak or goes on with one that was stopped: what is done stands in
 * {@code soak-N.jsonl} in the directory {@code -Ddrover.soak.dir}, and is not done again. Beside it
 * stand the attempts and the decisions of each job. {@code -Ddrover.soak.only=12,22} runs two of
 * the pairs, on the same settings of a cluster, and compares no sums.
 */
@EnabledIfSystemProperty(
    named = "drover.soak.jobs",
    matches = "[1-9]\\d*",
    disabledReason = "-Ddrover.soak.jobs=N runs a soak of N pairs of jobs")
class SoakIT {
  private static final Logger LOG = LoggerFactory.getLogger(SoakIT.class);
  private static final Duration CONTAINERS_LIMIT = Duration.ofSeconds(60);

  /** Of fewer pairs the sum of times says more about chance than about Drover. */
  private static final int ENOUGH_TO_COMPARE_TIMES = 20;

  private static final int PAIRS = Integer.getInteger("drover.soak.jobs", 0);
  private static final long SEED = Long.getLong("drover.soak.seed", System.nanoTime());
  static final Path DIR =
      Path.of(
          System.getProperty(
              "drover.soak.dir",
              System.getProperty("drover.home", "..") + "/integration-tests/target/soak"));

  /** The pairs to run; all if empty. */
  private static final Set<Integer> ONLY =
      Arrays.stream(System.getProperty("drover.soak.only", "").split(","))
          .filter(number -> !number.isBlank())
          .map(number -> Integer.valueOf(number.trim()))
          .collect(Collectors.toUnmodifiableSet());

  @Test
  void whatSucceedsUnderStockSucceedsUnderDroverAlikeAndNoLater() throws Exception {
    LOG.info("soak of {} pairs, -Ddrover.soak.seed={} -Ddrover.soak.dir={}", PAIRS, SEED, DIR);
    SoakPlan plan = new SoakPlan(SEED, PAIRS);
    SoakFile file = SoakFile.open(DIR.resolve("soak-" + SEED + ".jsonl"));
    for (List<SoakPair> group : plan.groups()) {
      List<SoakPair> open = file.open(group.stream().filter(SoakIT::isAskedFor).toList());
      if (!open.isEmpty()) {
        soak(open, file);
      }
    }
    List<SoakRecord> records = new ArrayList<>();
    plan.groups().forEach(group -> group.forEach(pair -> file.of(pair).ifPresent(records::add)));
    SoakReport report = new SoakReport(records);
    LOG.info("\n{}", report.text());
    Files.writeString(DIR.resolve("soak-" + SEED + ".md"), report.text());
    assertThat(report.violations()).as("of the soak with seed %d", SEED).isEmpty();
    if (ONLY.isEmpty() && records.size() >= ENOUGH_TO_COMPARE_TIMES) {
      assertThat(report.droverSeconds())
          .as("seconds of the soak with seed %d", SEED)
          .isLessThanOrEqualTo(report.stockSeconds());
    }
  }

  private static boolean isAskedFor(SoakPair pair) {
    return ONLY.isEmpty() || ONLY.contains(pair.number());
  }

  private static void soak(List<SoakPair> pairs, SoakFile file) throws Exception {
    try (DroverCluster cluster = pairs.get(0).cluster().builder().start(StartListener.NONE)) {
      JobRunner runner = new JobRunner(cluster);
      warmUp(runner);
      for (SoakPair pair : pairs) {
        SoakRecord record = run(cluster, runner, pair);
        file.add(record);
        LOG.info("{} of {}: {}", pair.number() + 1, PAIRS, SoakReport.row(record).trim());
        record.violations().forEach(violation -> LOG.warn("{}", violation));
      }
    }
  }

  /** The first job of a cluster takes up to half as long again as it does later. */
  private static void warmUp(JobRunner runner) throws IOException, InterruptedException {
    DemoJobSpec quick =
        DemoJobSpec.of(Scenario.NONE)
            .with()
            .tasks(12, 2)
            .bytesPerMap(50_000, 0)
            .pace(Duration.ofSeconds(1), Duration.ofSeconds(1))
            .build();
    for (RunMode mode : List.of(RunMode.STOCK, RunMode.DROVER)) {
      RunResult result = runner.run(quick, mode, Map.of(), RunListener.NONE);
      assertThat(result.succeeded()).as("%s: %s", mode, result.diagnostics()).isTrue();
    }
  }

  private static SoakRecord run(DroverCluster cluster, JobRunner runner, SoakPair pair)
      throws Exception {
    runner.prepare(pair.spec()); // out of the time of the one that comes first
    Map<RunMode, SoakRecord.Outcome> outcomes = new TreeMap<>();
    for (RunMode mode :
        pair.stockFirst()
            ? List.of(RunMode.STOCK, RunMode.DROVER)
            : List.of(RunMode.DROVER, RunMode.STOCK)) {
      outcomes.put(mode, run(cluster, runner, pair, mode));
    }
    return new SoakRecord(
        pair.number(),
        pair.cluster().title(),
        pair.title(),
        pair.fault(),
        outcomes.get(RunMode.STOCK),
        outcomes.get(RunMode.DROVER));
  }

  private static SoakRecord.Outcome run(
      DroverCluster cluster, JobRunner runner, SoakPair pair, RunMode mode)
      throws IOException, InterruptedException {
    try (FaultFromOutside fault = FaultFromOutside.of(pair, cluster, runner)) {
      RunResult result = runner.run(pair.spec(), mode, pair.conf(), fault);
      fault.await();
      keepDetails(pair, mode, result);
      return new SoakRecord.Outcome(
          result.jobId(),
          result.state(),
          result.wall().toMillis() / 1e3,
          digest(result.output()),
          cluster.awaitNoContainers(CONTAINERS_LIMIT),
          result.tally().toString(),
          result.diagnostics());
    }
  }

  /** What an inquiry into a pair begins with. */
  private static void keepDetails(SoakPair pair, RunMode mode, RunResult result)
      throws IOException {
    Instant submitted = result.submitted();
    Stream<String> attempts =
        result.attempts().stream()
            .map(
                a ->
                    String.format(
                        Locale.ROOT,
                        "%6.1f to %6.1f s  %s on %s: %s %s %s",
                        Duration.between(submitted, a.start()).toMillis() / 1e3,
                        Duration.between(submitted, a.finish()).toMillis() / 1e3,
                        a.id(),
                        a.node(),
                        a.role(),
                        a.outcome(),
                        a.diagnostics().strip()));
    Path details = DIR.resolve("soak-" + SEED + "-details");
    Files.createDirectories(details);
    Files.write(
        details.resolve(pair.number() + "-" + mode.key() + ".txt"),
        (Iterable<String>) Stream.concat(attempts, result.decisions().stream())::iterator);
  }

  private static String digest(OutputDigest output) {
    return output.sha256() + " of " + output.lines() + " lines";
  }
}
