// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.bench;

import io.drover.scheduler.MockCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.commons.math3.stat.descriptive.rank.Median;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * What Drover's scheduler costs: the time of a node's heartbeat and of an AppMaster's, on a full
 * cluster where containers end and others start, against Hadoop's CapacityScheduler in the same
 * JVM. They take turns, in changing order. There are two stock schedulers, the first and the last
 * that is made, since who comes first has its objects closer together; each turn is compared with
 * the mean of theirs in the same round, and the median of these ratios is told. How far the two are
 * apart is what the comparison cannot tell.
 *
 * <pre>
 * mvn -q -pl scheduler -am -Poverhead -DskipTests test -Dbench.args="5000 500 101"
 * </pre>
 */
public final class SchedulerOverhead {
  private enum Kind {
    STOCK,
    DROVER,
    DROVER_AND_5000_CLONES_REFUSED,
    STOCK_AGAIN
  }

  private static final int GIGABYTES = 8;
  private static final int CLONES_WANTED = 5_000;

  /** Rounds that are not counted: until then the JVM compiles. */
  private static final int WARM_UP = 60;

  /** Turns of each in a round; the median of them counts, since a collector may pause one. */
  private static final int TURNS = 4;

  /** Microseconds of one heartbeat, one figure a turn. */
  private record Times(List<Double> nodes, List<Double> appMasters) {
    Times() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  private SchedulerOverhead() {}

  /**
   * Prints the table.
   *
   * @param args nodes, applications, rounds
   */
  public static void main(String[] args) throws Exception {
    int nodes = Integer.parseInt(args[0]);
    int applications = Integer.parseInt(args[1]);
    int rounds = Integer.parseInt(args[2]);
    Map<Kind, List<MockCluster.App>> apps = new EnumMap<>(Kind.class);
    Map<Kind, MockCluster> clusters = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      MockCluster cluster = new MockCluster(configuration(kind), nodes, GIGABYTES);
      clusters.put(kind, cluster);
      apps.put(kind, fill(cluster, applications, kind));
      System.err.printf("%s: %.0f %% in use%n", kind, 100 * cluster.utilisation());
    }
    Map<Kind, Times> times = new EnumMap<>(Kind.class);
    List<Kind> order = new ArrayList<>(List.of(Kind.values()));
    for (int round = -WARM_UP; round < rounds; round++) {
      Collections.rotate(order, 1);
      if (round % 2 == 0) {
        Collections.reverse(order);
      }
      for (Kind kind : order) {
        Times one = new Times();
        for (int turn = 0; turn < TURNS; turn++) {
          turn(clusters.get(kind), apps.get(kind), new Random(TURNS * round + turn), one);
        }
        if (round >= 0) {
          Times all = times.computeIfAbsent(kind, k -> new Times());
          all.nodes.add(median(one.nodes));
          all.appMasters.add(median(one.appMasters));
        }
      }
    }
    print(times);
    clusters.values().forEach(MockCluster::close);
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

  /** Everything is in use, and twice as much is wanted. */
  private static List<MockCluster.App> fill(MockCluster cluster, int count, Kind kind)
      throws Exception {
    List<MockCluster.App> apps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      apps.add(cluster.submit("MAPREDUCE", "default", "u" + i % 20));
    }
    int each = 2 * cluster.size() * GIGABYTES / count;
    apps.forEach(app -> app.ask(MockCluster.ORDINARY, 1, each));
    if (kind == Kind.DROVER_AND_5000_CLONES_REFUSED) {
      apps.forEach(app -> app.ask(MockCluster.CLONE, 1, CLONES_WANTED / count));
    }
    cluster.heartbeat();
    apps.forEach(MockCluster.App::pull);
    return apps;
  }

  /** Some containers of each application end, and every node says that it lives. */
  private static void turn(
      MockCluster cluster, List<MockCluster.App> apps, Random random, Times times) {
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
    times.nodes.add((given - released) / 1e3 / cluster.size());
    times.appMasters.add((end - given + released - begin) / 1e3 / (2 * apps.size()));
  }

  private static void print(Map<Kind, Times> times) {
    System.out.printf("%-34s %22s %26s%n", "", "a node's heartbeat", "an AppMaster's heartbeat");
    Times stock = times.get(Kind.STOCK);
    Times again = times.get(Kind.STOCK_AGAIN);
    times.forEach(
        (kind, all) ->
            System.out.printf(
                "%-34s %9.2f us %+6.1f %%   %11.2f us %+6.1f %%%n",
                kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '),
                median(all.nodes),
                percentMore(all.nodes, stock.nodes, again.nodes),
                median(all.appMasters),
                percentMore(all.appMasters, stock.appMasters, again.appMasters)));
  }

  /** The median, over rounds, of how much more it took than the mean of two others. */
  private static double percentMore(List<Double> it, List<Double> one, List<Double> other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < it.size(); i++) {
      ratios.add(2 * it.get(i) / (one.get(i) + other.get(i)));
    }
    return 100 * (median(ratios) - 1);
  }

  private static double median(List<Double> values) {
    return new Median().evaluate(values.stream().mapToDouble(d -> d).toArray());
  }
}
