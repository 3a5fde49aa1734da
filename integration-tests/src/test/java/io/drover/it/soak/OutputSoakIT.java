// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.cli.report.ProtectionFigures;
import io.drover.it.ContainerLogs;
import io.drover.it.JobsUnderTest;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.ClusterLogs;
import io.drover.testbed.cluster.ClusterSpec;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.host.HostKind;
import io.drover.testbed.host.NamespaceNetwork;
import io.drover.testbed.job.DemoText.InputTexts;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.RunResult.OutputDigest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many jobs under Drover whose map outputs get lost, damaged or out of reach in random ways ({@link
 * OutputMix}), before, while and after replicas are made, also with an AppMaster that is killed on
 * the way. Each job succeeds, and writes what it writes without a fault.
 *
 * <p>Only when asked for: {@code -Ddrover.soak.outputs=100}. {@code -Ddrover.soak.seed=N} repeats
 * one, {@code -Ddrover.soak.first=I} begins with its job I, and {@code
 * -Ddrover.soak.hosts=namespaces} draws faults of links and disks too. What is kept of a job that
 * went wrong is in the directory that its message names.
 */
@EnabledIfSystemProperty(
    named = "drover.soak.outputs",
    matches = "[1-9]\\d*",
    disabledReason = "-Ddrover.soak.outputs=N runs N jobs whose outputs get lost")
class OutputSoakIT {
  private static final Logger LOG = LoggerFactory.getLogger(OutputSoakIT.class);
  private static final int END = Integer.getInteger("drover.soak.outputs", 0);
  private static final int FIRST = Integer.getInteger("drover.soak.first", 0);
  private static final long SEED = Long.getLong("drover.soak.seed", System.nanoTime());
  private static final HostKind HOSTS =
      hosts(System.getProperty("drover.soak.hosts", HostKind.LOOPBACK.key()));

  /** Room for the outputs of the maps of a job on one host, many times. */
  private static final int DISK_MEGABYTES = 256;

  private static final Duration CONTAINERS_LIMIT = Duration.ofSeconds(60);

  /** TCP and Hadoop may notice only minutes later that a link is there again. */
  private static final Duration CUT_OFF_LIMIT = Duration.ofMinutes(5);

  private final InputTexts texts = new InputTexts();
  private final OutputSoakSums sums = new OutputSoakSums();

  private static HostKind hosts(String key) {
    return Arrays.stream(HostKind.values())
        .filter(kind -> kind.key().equals(key))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("drover.soak.hosts=" + key));
  }

  @Test
  void jobsSucceedWithEqualOutputWhateverBecomesOfTheirOutputs() throws Exception {
    if (HOSTS == HostKind.NAMESPACES) {
      assertThat(NamespaceNetwork.objection()).as("why there are no namespaces").isEmpty();
    }
    LOG.info("mixes {} to {} on {}, -Ddrover.soak.seed={}", FIRST, END - 1, HOSTS.key(), SEED);
    List<String> wrong = new ArrayList<>();
    DroverCluster cluster = null;
    try {
      for (int number = FIRST; number < END; number++) {
        OutputMix mix = OutputMix.draw(SEED, number, HOSTS);
        LOG.info("mix {}: {}", number, mix);
        if (cluster == null) {
          cluster = start();
        }
        List<String> problems = run(cluster, mix, number);
        sums.add(problems.isEmpty());
        LOG.info("mix {}: {}", number, problems.isEmpty() ? "good" : problems);
        if (!problems.isEmpty()) {
          wrong.add(number + ": " + problems + " " + mix + ", see " + directory(number));
        }
        if (mix.losesHost() || !problems.isEmpty()) {
          cluster.close();
          cluster = null;
        }
      }
    } finally {
      if (cluster != null) {
        cluster.close();
      }
      LOG.info("{}", sums.line());
    }
    assertThat(wrong).as("of the mixes with seed %d on %s", SEED, HOSTS.key()).isEmpty();
  }

  private static DroverCluster start() throws IOException, InterruptedException {
    ClusterSpec.Builder builder =
        DroverCluster.builder().hosts(HOSTS).droverScheduler().losingHost(OutputMix.FLAKY);
    if (HOSTS == HostKind.NAMESPACES) {
      builder.localDisk(DISK_MEGABYTES);
    }
    return builder.start(StartListener.NONE);
  }

  /** Returns what is wrong, and keeps what one needs to look into it. */
  private List<String> run(DroverCluster cluster, OutputMix mix, int number)
      throws IOException, InterruptedException {
    List<String> problems = new ArrayList<>();
    List<String> details = new ArrayList<>();
    try (DyingAppMaster appMaster = new DyingAppMaster(cluster, mix)) {
      JobRunner runner = new JobRunner(cluster, texts);
      OutputDigest expected = runner.outputAlone(mix.spec()); // while all is well
      RunResult result = runner.run(mix.spec(), RunMode.DROVER, mix.conf(), appMaster);
      details.add(JobsUnderTest.story(result));
      result.events().forEach(event -> details.add(event.at() + " " + event.what()));
      appMaster.died().ifPresent(moment -> details.add("AppMaster died: " + moment));
      problems.addAll(problems(mix, result, expected));
      List<String> left =
          cluster.awaitNoContainers(mix.cutsHost() ? CUT_OFF_LIMIT : CONTAINERS_LIMIT);
      if (!left.isEmpty()) {
        problems.add("left: " + left);
      }
      List<String> decisions = ContainerLogs.decisions(cluster, result.jobId());
      details.addAll(decisions);
      sums.add(decisions);
      appMaster.died().ifPresent(sums::add);
      ProtectionFigures.of(result.counters()).ifPresent(sums::add);
      LOG.info("{} in {} s", result.jobId(), result.wall().toSeconds());
    } catch (IOException | RuntimeException e) { // the next mixes get another cluster
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      details.add(trace.toString());
      problems.add("it could not be run: " + e);
    }
    if (!problems.isEmpty()) {
      keep(cluster, number, mix, problems, details);
    }
    return problems;
  }

  private static List<String> problems(OutputMix mix, RunResult result, OutputDigest expected) {
    if (!result.succeeded()) {
      return List.of(result.state() + ": " + result.diagnostics());
    }
    if (!result.output().equals(expected)) {
      return List.of("the output is " + result.output() + ", and not " + expected);
    }
    List<String> failed =
        result.attempts().stream()
            .filter(attempt -> attempt.outcome() == Outcome.FAILED)
            .map(AttemptRecord::id)
            .toList();
    return failed.isEmpty() || mix.mayFailAttempts() ? List.of() : List.of("failed: " + failed);
  }

  private static Path directory(int number) {
    return SoakIT.DIR.resolve("outputs-" + SEED + "-" + HOSTS.key()).resolve("mix-" + number);
  }

  private static void keep(
      DroverCluster cluster, int number, OutputMix mix, List<String> problems, List<String> details)
      throws IOException {
    Path directory = directory(number);
    Files.createDirectories(directory);
    List<String> lines = new ArrayList<>(List.of(mix.toString()));
    lines.addAll(problems);
    lines.addAll(details);
    Files.write(directory.resolve("mix.txt"), lines);
    ClusterLogs.keep(cluster, directory);
  }
}
