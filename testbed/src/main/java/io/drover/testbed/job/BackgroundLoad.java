// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.cluster.Await;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.host.Host;
import io.drover.testbed.job.DemoJobSpec.SampleSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * An application that holds slots of the cluster during a run of {@link Scenario#SAMPLING}. It asks
 * for containers on certain hosts and starts nothing in them, so it takes no processor from the
 * run. A job whose maps hold the slots would not do: YARN gives a job containers elsewhere if it
 * has to wait for the hosts it asked for, so two runs would find different slots free.
 *
 * <p>YARN takes containers back in which nothing was started for 10 minutes. No run lasts longer.
 */
final class BackgroundLoad implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final ContainerHolder application = new ContainerHolder("holds slots");

  private BackgroundLoad() {}

  /**
   * Chooses slots at random. One slot of the first host is never chosen, because the AppMaster of
   * the run's own job needs it. A larger load has all slots of a smaller one with the same draw.
   *
   * @return the host of each slot
   */
  static List<Host> slots(List<Host> hosts, int containersPerHost, double load, int draw) {
    List<Host> slots = new ArrayList<>();
    hosts.forEach(host -> slots.addAll(Collections.nCopies(containersPerHost, host)));
    int all = slots.size();
    slots.remove(0);
    Collections.shuffle(slots, new Random(draw));
    return slots.subList(0, (int) Math.round(load * all));
  }

  /**
   * Waits for an empty cluster, and returns when the slots are held.
   *
   * @throws IOException if that takes too long
   */
  static BackgroundLoad start(DroverCluster cluster, SampleSpec sample)
      throws IOException, InterruptedException {
    List<String> left = cluster.awaitNoContainers(LIMIT);
    if (!left.isEmpty()) {
      throw new IOException("other jobs still run: " + left);
    }
    List<Host> slots =
        slots(cluster.hosts(), cluster.containersPerHost(), sample.load(), sample.draw());
    BackgroundLoad started = new BackgroundLoad();
    boolean holds = false;
    try {
      started.application.start(cluster.clientConf());
      started.hold(slots, cluster.clientConf().getInt(MRJobConfig.MAP_MEMORY_MB, 0));
      holds = true;
      return started;
    } finally {
      if (!holds) {
        started.close();
      }
    }
  }

  private void hold(List<Host> slots, int memory) throws IOException, InterruptedException {
    for (Host host : slots) {
      application.ask(memory, host.name());
    }
    if (!Await.until(LIMIT, PAUSE, () -> application.heartbeat() == slots.size())) {
      throw new IOException("only " + held() + " slots could be held within " + LIMIT);
    }
  }

  /** Returns how many slots of each host are held; hosts without any are left out. */
  Map<String, Integer> held() {
    return application.held();
  }

  /** Gives the slots back. */
  @Override
  public void close() throws IOException {
    application.close();
  }
}
