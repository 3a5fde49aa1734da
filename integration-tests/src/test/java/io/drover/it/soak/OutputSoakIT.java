// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.cluster.LiveContainer;
import io.drover.testbed.fault.FaultPlan;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.DemoJobSpec.DemoWorkload;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many jobs under Drover whose map outputs get lost, damaged or out of reach in random ways, on the
 * host whose outputs are replicated and on others, before, while and after replicas are made, also
 * with an AppMaster that is killed on the way. Each job succeeds, and writes what it writes without
 * a fault.
 *
 * <p>Only when asked for: {@code -Ddrover.soak.outputs=100}. {@code -Ddrover.soak.seed=N} repeats
 * one, and {@code -Ddrover.soak.first=I} begins with its job I.
 */
@EnabledIfSystemProperty(
    named = "drover.soak.outputs",
    matches = "[1-9]\\d*",
    disabledReason = "-Ddrover.soak.outputs=N runs N jobs whose outputs get lost")
class OutputSoakIT {
  private static final Logger LOG = LoggerFactory.getLogger(OutputSoakIT.class);
  private static final int JOBS = Integer.getInteger("drover.soak.outputs", 0);
  private static final long SEED = Long.getLong("drover.soak.seed", System.nanoTime());
  private static final int FIRST = Integer.getInteger("drover.soak.first", 0);
  private static final List<String> HOSTS = List.of("n5", "n5", "n6", "n4", "n3");
  private static final List<String> DAMAGES =
      List.of("lost-outputs", "corrupt-outputs", "truncated-outputs");

  /** One job and what goes wrong. */
  private record Mix(
      DemoJobSpec spec, Map<String, String> conf, boolean losesNode, double appMasterDiesAt) {
    static Mix draw(int number) {
      SplittableRandom random = new SplittableRandom(SEED ^ (number * 0x9E3779B97F4A7C15L));
      List<FaultPlan> faults = new ArrayList<>();
      boolean losesNode = random.nextInt(4) == 0;
      if (losesNode) {
        faults.add(fault("nm-death", random));
      }
      for (int i = random.nextInt(losesNode ? 0 : 1, 3); i > 0; i--) {
        faults.add(fault(DAMAGES.get(random.nextInt(DAMAGES.size())), random));
      }
      Map<String, String> conf = new TreeMap<>();
      conf.put("mapreduce.map.output.compress", Boolean.toString(random.nextBoolean()));
      boolean isEncrypted = random.nextInt(5) == 0;
      conf.put("mapreduce.job.encrypted-intermediate-data", Boolean.toString(isEncrypted));
      conf.put(
          "mapreduce.job.reduce.slowstart.completedmaps", random.nextBoolean() ? "1.0" : "0.05");
      boolean appMasterDies = !isEncrypted && random.nextInt(5) == 0; // those have only one
      DemoJobSpec spec =
          DemoJobSpec.of(Scenario.FLAKY_OUTPUTS)
              .with()
              .workload(random.nextBoolean() ? DemoWorkload.SORT : DemoWorkload.WORD_COUNT)
              .tasks(random.nextInt(8, 13), random.nextInt(1, 4))
              .bytesPerMap(random.nextInt(50_000, 500_000), 0)
              .pace(Duration.ofSeconds(3), Duration.ofSeconds(2))
              .faults(faults)
              .build();
      return new Mix(
          spec, conf, losesNode, appMasterDies ? 0.4 + random.nextDouble(0.6) : Double.NaN);
    }

    private static FaultPlan fault(String kind, SplittableRandom random) {
      return FaultPlan.parse(
          kind
              + ":at="
              + random.nextInt(30, 101)
              + "%:after="
              + random.nextInt(0, 4000)
              + "ms:on="
              + HOSTS.get(random.nextInt(HOSTS.size())));
    }

    @Override
    public String toString() {
      return spec.workload().key()
          + " "
          + spec.maps()
          + "+"
          + spec.reduces()
          + " "
          + spec.faults()
          + " "
          + conf
          + (Double.isNaN(appMasterDiesAt) ? "" : " AppMaster dies at " + appMasterDiesAt);
    }
  }

  @Test
  void jobsSucceedWithEqualOutputWhateverBecomesOfTheirOutputs() throws Exception {
    LOG.info("{} jobs, -Ddrover.soak.seed={}", JOBS, SEED);
    List<String> wrong = new ArrayList<>();
    DroverCluster cluster = null;
    try {
      for (int i = FIRST; i < JOBS; i++) {
        Mix mix = Mix.draw(i);
        if (cluster == null) {
          cluster =
              DroverCluster.builder().droverScheduler().losingHost("n5").start(StartListener.NONE);
        }
        String problem = run(cluster, mix);
        LOG.info("{} of {}: {} {}", i + 1, JOBS, problem.isEmpty() ? "good" : problem, mix);
        if (!problem.isEmpty()) {
          wrong.add(i + ": " + problem + " " + mix);
        }
        if (mix.losesNode()) {
          cluster.close();
          cluster = null;
        }
      }
    } finally {
      if (cluster != null) {
        cluster.close();
      }
    }
    assertThat(wrong).as("of the jobs with seed %d", SEED).isEmpty();
  }

  /** Returns what is wrong; empty if nothing is. */
  private static String run(DroverCluster cluster, Mix mix)
      throws IOException, InterruptedException {
    JobRunner runner = new JobRunner(cluster);
    RunResult result =
        runner.run(mix.spec(), RunMode.DROVER, mix.conf(), new KilledAppMaster(cluster, mix));
    List<String> used =
        result.decisions().stream()
            .filter(line -> line.contains("\"type\":\"replica") || line.contains("outputMadeAgain"))
            .map(line -> line.replaceAll(".*\"type\":\"([A-Za-z]+)\".*", "$1"))
            .toList();
    LOG.info("{} in {} s: {}", result.state(), result.wall().toSeconds(), used);
    if (!result.succeeded()) {
      return result.state() + ": " + result.diagnostics();
    }
    if (!result.output().equals(runner.outputAlone(mix.spec()))) {
      return "another output";
    }
    List<String> left = cluster.awaitNoContainers(Duration.ofSeconds(60));
    List<String> failed =
        result.attempts().stream()
            .filter(attempt -> attempt.outcome().name().equals("FAILED"))
            .map(AttemptRecord::id)
            .toList();
    return left.isEmpty() ? (failed.isEmpty() ? "" : "failed: " + failed) : "left: " + left;
  }

  /** Kills the AppMaster once, at some progress of the maps. */
  private static final class KilledAppMaster implements RunListener {
    private final DroverCluster cluster;
    private final Mix mix;
    private boolean isDone;

    KilledAppMaster(DroverCluster cluster, Mix mix) {
      this.cluster = cluster;
      this.mix = mix;
    }

    @Override
    public void progress(JobProgress job) throws IOException, InterruptedException {
      if (!isDone && job.maps() >= mix.appMasterDiesAt()) {
        isDone = true;
        cluster.liveContainers().stream()
            .filter(container -> container.attemptId().isEmpty())
            .map(LiveContainer::pid)
            .flatMap(pid -> ProcessHandle.of(pid).stream())
            .forEach(ProcessHandle::destroyForcibly);
      }
    }
  }
}
