// SPDX-License-Identifier: Apache-2.0
package io.drover.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.it.ContainerLogs;
import io.drover.testbed.cluster.DroverCluster;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.Job;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client that ran twice, with Hadoop's AppMaster and with Drover's, and both times well.
 *
 * @param stock the client with Hadoop's AppMaster
 * @param underDrover the client with Drover's
 * @param droverResult what the client with Drover's has done
 */
record ClientPair(HadoopClient stock, HadoopClient underDrover, ClientResult droverResult) {
  private static final Logger LOG = LoggerFactory.getLogger(ClientPair.class);

  /**
   * How long an attempt is held where Drover is to rescue its task. Under Hadoop's AppMaster it is
   * held for {@link #STOCK_HOLD}, since Hadoop copies no attempt of which it has never heard.
   */
  private static final Duration UNTIL_RESCUED = Duration.ofMinutes(4);

  private static final Duration STOCK_HOLD = Duration.ofSeconds(10);

  private static final Predicate<String> LEFT_ALONE =
      line -> line.contains(" Drover: mapreduce.map.speculative ");

  /** What the client does; the same under both. */
  @FunctionalInterface
  interface Step {
    /** Does it. */
    ClientResult run(HadoopClient client) throws Exception;
  }

  /** The same for a client that pauses. */
  @FunctionalInterface
  interface PausingStep {
    /** Does it, with pauses of so many seconds. */
    ClientResult run(HadoopClient client, double pause) throws Exception;
  }

  /** Runs a client of whose jobs Drover rescues the straggler. */
  static ClientPair rescued(DroverCluster cluster, String name, Step step) throws Exception {
    ClientPair pair = run(cluster, name, UNTIL_RESCUED, step);
    pair.droverResult().assertRescued();
    return pair;
  }

  /**
   * Runs a client with a straggler of its own: it is told how long that pauses for each line.
   * Drover rescues it.
   */
  static ClientPair slowByItself(DroverCluster cluster, String name, PausingStep step)
      throws Exception {
    HadoopClient stock = HadoopClient.stock(cluster, name);
    HadoopClient drover = HadoopClient.underDrover(cluster, name);
    timed(name + ", stock", stock, client -> step.run(client, 0.025));
    ClientResult result = timed(name + ", Drover", drover, client -> step.run(client, 0.5));
    result.assertRescued();
    return new ClientPair(stock, drover, result);
  }

  /** Runs a client that forbids second attempts of maps, and Drover's AppMaster says so. */
  static ClientPair leftAlone(DroverCluster cluster, String name, Step step) throws Exception {
    ClientPair pair = run(cluster, name, STOCK_HOLD, step);
    pair.droverResult().assertLeftAlone();
    for (Job job : pair.droverResult().jobs()) {
      assertThat(ContainerLogs.of(cluster, job.getJobID().toString()))
          .as("%s", job.getJobID())
          .anyMatch(LEFT_ALONE);
    }
    return pair;
  }

  private static ClientPair run(DroverCluster cluster, String name, Duration droverHold, Step step)
      throws Exception {
    HadoopClient stock = HadoopClient.stock(cluster, name).holding(STOCK_HOLD);
    HadoopClient drover = HadoopClient.underDrover(cluster, name).holding(droverHold);
    List<ClientResult> results =
        List.of(timed(name + ", stock", stock, step), timed(name + ", Drover", drover, step));
    assertThat(results).allMatch(result -> result.held() == result.jobs().size());
    return new ClientPair(stock, drover, results.get(1));
  }

  private static ClientResult timed(String what, HadoopClient client, Step step) throws Exception {
    long start = System.nanoTime();
    ClientResult result = step.run(client).succeeded();
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    LOG.info("{}: {} jobs in {} s", what, result.jobs().size(), took.toSeconds());
    return result;
  }
}
