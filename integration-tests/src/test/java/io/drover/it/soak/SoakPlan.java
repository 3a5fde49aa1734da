// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.DemoJobSpec.DemoWorkload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Draws the pairs of a soak: settings out of the tables of {@code docs/hadoop-settings.md}, and
 * faults. The seed and a pair's number say all of it, so a longer soak begins with the pairs of a
 * shorter one.
 *
 * @param seed of everything
 * @param pairs how many
 */
record SoakPlan(long seed, int pairs) {
  /** Pairs that share a cluster, which takes as long to start as a job does to run. */
  static final int OF_A_CLUSTER = 10;

  private static final int BYTES_OF_A_MAP = 150_000;
  private static final String SPECULATIVE = "mapreduce.job.speculative.";

  /** Faults that leave the cluster as it was; rivals need preemption. */
  private static final List<SoakFault> HARMLESS =
      List.of(
          SoakFault.NONE,
          SoakFault.SLOW_NODE,
          SoakFault.SLOW_NODE,
          SoakFault.SLOW_ATTEMPT,
          SoakFault.SLOW_ATTEMPT,
          SoakFault.SILENT_ATTEMPT,
          SoakFault.STALLED_ATTEMPT,
          SoakFault.SKEW,
          SoakFault.DEAD_PROCESS,
          SoakFault.KILLED_JOB);

  /** All pairs, those of one cluster after each other. */
  List<List<SoakPair>> groups() {
    List<List<SoakPair>> groups = new ArrayList<>();
    for (int first = 0; first < pairs; first += OF_A_CLUSTER) {
      List<SoakPair> group = new ArrayList<>();
      SoakCluster cluster = cluster(first / OF_A_CLUSTER);
      for (int i = first; i < Math.min(pairs, first + OF_A_CLUSTER); i++) {
        group.add(pair(i, cluster));
      }
      groups.add(group);
    }
    return groups;
  }

  /** Chance for one kind and number, which has nothing in common with that of any other. */
  private SplittableRandom random(int kind, int number) {
    long ofSeed = new SplittableRandom(seed).nextLong(); // else near seeds would draw the same
    long ofNumber = new SplittableRandom(ofSeed ^ ((long) kind << 32 | number)).nextLong();
    return new SplittableRandom(ofNumber);
  }

  private SoakCluster cluster(int number) {
    SplittableRandom random = random(1, number);
    return new SoakCluster(
        random.nextInt(6) > 0,
        random.nextInt(3, 10) / 10.0,
        random.nextInt(4) > 0,
        random.nextInt(3) > 0,
        random.nextInt(3) == 0);
  }

  private SoakPair pair(int number, SoakCluster cluster) {
    SplittableRandom random = random(2, number);
    SoakFault fault = fault(number, cluster, random);
    boolean isTooMuch = fault == SoakFault.RIVAL; // for its queue's share, and for long enough
    int drawn = oneOf(random, 2, 3, 4, 6, 8, 12);
    int maps = isTooMuch ? 12 : drawn;
    int reduces = oneOf(random, 1, 1, 2);
    int mapSeconds = random.nextInt(3, 7);
    int reduceSeconds = random.nextInt(2, 4);
    boolean canStrikeReduce = fault == SoakFault.SLOW_ATTEMPT;
    DemoJobSpec spec =
        DemoJobSpec.of(fault.scenario())
            .with()
            .workload(random.nextInt(3) == 0 ? DemoWorkload.SORT : DemoWorkload.WORD_COUNT)
            .tasks(maps, reduces)
            .bytesPerMap(BYTES_OF_A_MAP, 0)
            .pace(
                Duration.ofSeconds(isTooMuch ? 10 : mapSeconds), Duration.ofSeconds(reduceSeconds))
            .faultTask(random.nextInt(maps + (canStrikeReduce ? reduces : 0)))
            .build();
    return new SoakPair(
        number, cluster, spec, conf(random, maps, fault), fault, random.nextBoolean());
  }

  private static SoakFault fault(int number, SoakCluster cluster, SplittableRandom random) {
    boolean isLast = number % OF_A_CLUSTER == OF_A_CLUSTER - 1;
    if (isLast && random.nextBoolean()) {
      return SoakFault.NODE_DEATH;
    }
    if (cluster.preemption() && random.nextInt(3) == 0) {
      return SoakFault.RIVAL;
    }
    return HARMLESS.get(random.nextInt(HARMLESS.size()));
  }

  private static SortedMap<String, String> conf(
      SplittableRandom random, int maps, SoakFault fault) {
    SortedMap<String, String> conf = new TreeMap<>();
    set(conf, "mapreduce.job.running.map.limit", oneOf(random, 0, 0, 2, 3, maps), 0);
    set(conf, "mapreduce.job.running.reduce.limit", oneOf(random, 0, 0, 1), 0);
    set(conf, "mapreduce.map.maxattempts", random.nextInt(1, 5), 4);
    set(conf, "mapreduce.reduce.maxattempts", random.nextInt(1, 5), 4);
    set(conf, "mapreduce.job.maxtaskfailures.per.tracker", oneOf(random, 3, 3, 1, 50), 3);
    set(conf, "mapreduce.fileoutputcommitter.algorithm.version", oneOf(random, 1, 2), 2);
    set(conf, "mapreduce.job.reduce.slowstart.completedmaps", oneOf(random, 5, 50, 100), 5, 100);
    set(conf, "yarn.app.mapreduce.am.job.node-blacklisting.enable", random.nextInt(6) > 0, true);
    set(conf, "mapreduce.job.finish-when-all-reducers-done", random.nextInt(4) > 0, true);
    set(conf, "mapreduce.job.encrypted-intermediate-data", random.nextInt(6) == 0, false);
    set(conf, "mapreduce.map.speculative", random.nextInt(8) > 0, true);
    set(conf, "mapreduce.reduce.speculative", random.nextInt(8) > 0, true);
    if (random.nextInt(8) == 0) {
      conf.put(SPECULATIVE + "minimum-allowed-tasks", "0");
      conf.put(SPECULATIVE + "speculative-cap-total-tasks", "0");
      conf.put(SPECULATIVE + "speculative-cap-running-tasks", "0");
    }
    if (fault == SoakFault.RIVAL) {
      conf.remove("mapreduce.job.running.map.limit"); // so that there is something to take back
    }
    if (fault.waitsForTimeOut()) {
      conf.put("mapreduce.task.timeout", "40000"); // else a pair takes five minutes
    }
    return conf;
  }

  private static void set(
      SortedMap<String, String> conf, String key, Object value, Object hadoops) {
    if (!value.equals(hadoops)) {
      conf.put(key, value.toString());
    }
  }

  private static void set(
      SortedMap<String, String> conf, String key, int parts, int hadoops, int ofAll) {
    if (parts != hadoops) {
      conf.put(key, Double.toString((double) parts / ofAll));
    }
  }

  private static int oneOf(SplittableRandom random, int... values) {
    return values[random.nextInt(values.length)];
  }
}
