// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Rounds look at a scheduler that others change all the time, without its lock. */
class HammeredRoundsIT {
  private static final int ROUNDS = Integer.getInteger("drover.hammered.rounds", 10_000);
  private static final int THREADS = 10;

  /** An AppMaster that asks, takes, gives back, and has nodes say that they live. */
  private static final class Hammer extends Thread {
    private final MockCluster cluster;
    private final MockCluster.App app;
    private final Random random;
    private final AtomicBoolean isOver;
    private final Queue<Throwable> thrown;
    private final LongAdder steps;

    Hammer(
        MockCluster cluster,
        MockCluster.App app,
        long seed,
        AtomicBoolean isOver,
        Queue<Throwable> thrown,
        LongAdder steps) {
      super("hammer " + seed);
      this.cluster = cluster;
      this.app = app;
      this.random = new Random(seed);
      this.isOver = isOver;
      this.thrown = thrown;
      this.steps = steps;
    }

    @Override
    public void run() {
      try {
        while (!isOver.get()) {
          int most = steps.sum() / 500 % 2 == 0 ? 2 : 20; // now little, now more than there is
          app.ask(MockCluster.ORDINARY + random.nextInt(3), 1, random.nextInt(most));
          app.ask(MockCluster.CLONE, 1, random.nextInt(4));
          cluster.heartbeat(random.nextInt(cluster.size()));
          app.pull();
          app.release(random.nextInt(6));
          app.releaseClones(random.nextInt(3), random);
          steps.increment();
        }
      } catch (RuntimeException | Error e) {
        thrown.add(e);
      }
    }
  }

  /** They may come late: rounds with nothing to do take no time. */
  private static boolean isHammered(MockCluster cluster, LongAdder steps) {
    return steps.sum() > ROUNDS / 10
        && cluster.clones().started() > 0
        && cluster.clones().gaveWay() > 0;
  }

  @Test
  void noRoundFailsWhileTenThreadsAllocate() throws Exception {
    Configuration conf = MockCluster.configuration();
    AtomicBoolean isOver = new AtomicBoolean();
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    LongAdder steps = new LongAdder();
    try (MockCluster cluster = new MockCluster(conf, 4, 24)) {
      List<Hammer> hammers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u" + i % 3);
        hammers.add(new Hammer(cluster, app, 20261125 + i, isOver, thrown, steps));
      }
      hammers.forEach(Thread::start);
      long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
      for (int round = 0;
          round < ROUNDS || (!isHammered(cluster, steps) && System.nanoTime() < deadline);
          round++) {
        cluster.clones().round();
        cluster.clones().partitions();
      }
      isOver.set(true);
      for (Hammer hammer : hammers) {
        hammer.join();
      }
      assertThat(thrown).isEmpty();
      assertThat(cluster.clones().breaker().failuresByKind()).isEmpty();
      assertThat(cluster.clones().breaker().failures()).isZero();
      assertThat(steps.sum()).as("they were at work").isGreaterThan(ROUNDS / 10);
      assertThat(cluster.clones().started()).as("clones came").isPositive();
      assertThat(cluster.clones().gaveWay()).as("and gave way").isPositive();
    }
  }
}
