// SPDX-License-Identifier: Apache-2.0
package io.drover.it.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.it.JobsUnderTest;
import io.drover.testbed.cluster.Await;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.DroverCluster;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that read any K of N blocks, in which something is killed. The result is of exactly the K
 * blocks of the record, in every run.
 *
 * <p>{@code -Ddrover.sampling.runs=100} runs more of them; {@code -Ddrover.sampling.seed=N} repeats
 * a series.
 */
class SamplingFaultsIT {
  private static final Logger LOG = LoggerFactory.getLogger(SamplingFaultsIT.class);

  /** By default each fault once, but for the last, with which a job takes some minutes. */
  private static final int RUNS =
      Integer.getInteger("drover.sampling.runs", SampleFault.values().length - 1);

  private static final long SEED = Long.getLong("drover.sampling.seed", System.nanoTime());
  private static final Duration NODE_EXPIRY = Duration.ofSeconds(20);
  private static final int LEAST_NODES = 5;
  private static final Duration LIMIT = Duration.ofMinutes(6);

  private static DroverCluster cluster;
  private static SampledWords words;

  private static void prepare() throws Exception {
    if (cluster != null && cluster.liveHosts().size() < LEAST_NODES) {
      cluster.close();
      cluster = null;
    }
    if (cluster == null) {
      cluster = DroverCluster.builder().nodeExpiry(NODE_EXPIRY).start(StartListener.NONE);
      words = new SampledWords(cluster);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void resultIsOfExactlyTheRecordedBlocksWhateverIsKilled() throws Exception {
    for (int run = 0; run < RUNS; run++) {
      prepare();
      Random random = new Random(SEED + run);
      SampleFault fault = SampleFault.values()[run % SampleFault.values().length];
      int k = 4 + random.nextInt(random.nextInt(3) == 0 ? 18 : 6); // each map starts a JVM
      long mapMillis = 1000 + random.nextInt(3000);
      Job job =
          words.job(
              fault.reduces,
              mapMillis,
              Map.of(
                  "mapreduce.drover.sample.blocks",
                  Integer.toString(k),
                  // so that reduces give up a dead node soon
                  "mapreduce.reduce.shuffle.connect.timeout",
                  "5000",
                  "mapreduce.reduce.shuffle.fetch.retry.timeout-ms",
                  "5000",
                  "mapreduce.reduce.shuffle.retry-delay.max.ms",
                  "2000"));
      long begin = System.nanoTime();
      SampleFault.Injector injector = run(job, fault, random);
      String what =
          "run %d of seed %d: %s, K = %d, %s".formatted(run, SEED, fault, k, job.getJobID());
      LOG.info("{}: {} s", what, Duration.ofNanos(System.nanoTime() - begin).toSeconds());
      assertThat(injector.hasKilled()).as(what).isTrue();
      try {
        words.assertRight(job, k, SampledWords.BLOCKS);
      } catch (AssertionError e) {
        throw new AssertionError(what + ": " + e.getMessage(), e);
      }
      assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).as(what).isEmpty();
    }
  }

  private static SampleFault.Injector run(Job job, SampleFault fault, Random random)
      throws Exception {
    job.submit();
    SampleFault.Injector injector = new SampleFault.Injector(fault, cluster, job, random);
    boolean ended =
        Await.until(
            LIMIT,
            Duration.ofMillis(100),
            () -> {
              if (job.isComplete()) {
                return true;
              }
              injector.look();
              return false;
            });
    if (!ended) {
      job.killJob();
    }
    assertThat(ended).as("%s ends", job.getJobID()).isTrue();
    return injector;
  }
}
