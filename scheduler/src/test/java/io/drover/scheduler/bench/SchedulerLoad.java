// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.bench;

import io.drover.scheduler.MockCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.commons.math3.stat.descriptive.rank.Median;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** Measures one scheduler for {@link SchedulerOverhead}, in a JVM of its own. */
public final class SchedulerLoad {
  /** The compared schedulers. */
  enum Kind {
    STOCK,
    DROVER,
    DROVER_AND_5000_CLONES_REFUSED,
    STOCK_AGAIN
  }

  /** The beginning of the line with the medians. */
  static final String FIGURES = "medians ";

  private static final int GIGABYTES = 8;
  private static final int CLONES_WANTED = 5_000;

  /** Turns that are not measured, because the JVM still compiles. */
  private static final int WARM_UP = 250;

  private static final int TURNS = 250;

  private final MockCluster cluster;
  private final List<MockCluster.App> apps = new ArrayList<>();
  private final double[] node = new double[TURNS];
  private final double[] appMaster = new double[TURNS];

  private SchedulerLoad(Kind kind, int nodes, int applications) throws Exception {
    cluster = new MockCluster(configuration(kind), nodes, GIGABYTES);
    for (int i = 0; i < applications; i++) {
      apps.add(cluster.submit("MAPREDUCE", "default", "u" + i % 20));
    }
    fill(kind);
  }

  /**
   * Prints the median times of a node's and of an AppMaster's heartbeat, in microseconds.
   *
   * @param args the kind, the number of nodes, the number of applications
   */
  public static void main(String[] args) throws Exception {
    SchedulerLoad load =
        new SchedulerLoad(
            Kind.valueOf(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    for (int turn = -WARM_UP; turn < TURNS; turn++) {
      load.turn(turn);
    }
    Median median = new Median();
    System.out.println(
        FIGURES + median.evaluate(load.node) + " " + median.evaluate(load.appMaster));
    load.cluster.close();
    System.exit(0);
  }

  private static Configuration configuration(Kind kind) {
    Configuration conf = MockCluster.configuration();
    conf.set("yarn.drover.clone.round", "250ms");
    if (kind == Kind.STOCK || kind == Kind.STOCK_AGAIN) {
      conf.setClass(
          YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class, ResourceScheduler.class);
    }
    return conf;
  }

  /** Asks for twice as much as the cluster has, so that everything is in use. */
  private void fill(Kind kind) throws Exception {
    int each = 2 * cluster.size() * GIGABYTES / apps.size();
    apps.forEach(app -> app.ask(MockCluster.ORDINARY, 1, each));
    if (kind == Kind.DROVER_AND_5000_CLONES_REFUSED) {
      apps.forEach(app -> app.ask(MockCluster.CLONE, 1, CLONES_WANTED / apps.size()));
    }
    cluster.heartbeat();
    apps.forEach(MockCluster.App::pull);
  }

  /** Releases some containers of each application, and lets every node send a heartbeat. */
  private void turn(int number) {
    Random random = new Random(number);
    int ending = cluster.size() / apps.size();
    long begin = System.nanoTime();
    for (MockCluster.App app : apps) {
      app.release(1 + random.nextInt(2 * ending));
    }
    long released = System.nanoTime();
    cluster.heartbeat();
    long given = System.nanoTime();
    for (MockCluster.App app : apps) {
      app.ask(MockCluster.ORDINARY, 1, 100 + random.nextInt(100));
    }
    long end = System.nanoTime();
    if (number >= 0) {
      node[number] = (given - released) / 1e3 / cluster.size();
      appMaster[number] = (end - given + released - begin) / 1e3 / (2 * apps.size());
    }
  }
}
