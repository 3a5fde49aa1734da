// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * Keeps the bytes of map output for each reduce in each rack, as far as maps have reported, and
 * estimates the output of the other maps.
 *
 * <p>Maps send the sizes of their parts shortly before they succeed, and the sizes count from the
 * success on. They may be read a little later than that. A map whose output is lost and made again
 * counts where it was first. For reduces that are still to be placed, that is off by one map's
 * output.
 *
 * <p>Written by the thread that reads what tasks send and by the dispatcher thread, and read by the
 * allocator's. The lock is held only to add or copy numbers; lines are decoded and expectations
 * computed outside it.
 */
final class MapOutputs {
  /**
   * How many maps that have succeeded may miss a part of their sizes. Mostly it comes in a moment;
   * what was lost on the way never comes.
   */
  private static final int MOST_LATE = 256;

  private final int reduces;

  /** Sizes that attempts of maps have sent that have not succeeded yet. */
  private final Map<TaskId, Map<TaskAttemptId, Reported>> early = new HashMap<>();

  /** Sizes of maps that count as a whole until all are there. */
  private final Map<TaskId, Reported> late =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<TaskId, Reported> eldest) {
          return size() > MOST_LATE;
        }
      };

  private final Map<String, double[]> byRack = new TreeMap<>();
  private final Map<TaskId, Counted> counted = new HashMap<>();

  /** Bytes by reduce, of the maps that sent the sizes of their parts. */
  private final double[] sum;

  /** Bytes by rack, of the maps whose parts are unknown. */
  private final Map<String, Double> whole = new TreeMap<>();

  /** The input weight of all maps that are counted. */
  private double weight;

  /** What an attempt has sent; complete if as many sizes are known as there are reduces. */
  private static final class Reported {
    private final long[] sizes;
    private int known;

    Reported(int reduces) {
      sizes = new long[reduces];
    }

    /** Takes in the next sizes, if they are the missing ones. */
    void add(PartitionSizes.Range range) {
      if (range.first() == known) {
        System.arraycopy(range.sizes(), 0, sizes, known, range.sizes().length);
        known += range.sizes().length;
      }
    }

    boolean isAll() {
      return known == sizes.length;
    }
  }

  /** A map whose output counts as a whole: the attempt, the rack and the bytes. */
  private record Counted(TaskAttemptId attempt, String rack, long bytes) {
    /** A map whose parts count. */
    static final Counted BY_PARTS = new Counted(null, null, 0);
  }

  MapOutputs(int reduces) {
    this.reduces = reduces;
    this.sum = new double[reduces];
  }

  /** Takes in a line with sizes of a map's parts. What does not fit the job is ignored. */
  void onLine(TaskAttemptId map, String line) {
    Optional<PartitionSizes.Range> range = PartitionSizes.decode(line, reduces);
    if (range.isPresent()) {
      onLine(map, range.get());
    }
  }

  private synchronized void onLine(TaskAttemptId map, PartitionSizes.Range range) {
    TaskId task = map.getTaskId();
    Counted before = counted.get(task);
    if (before == null) {
      early
          .computeIfAbsent(task, id -> new HashMap<>())
          .computeIfAbsent(map, attempt -> new Reported(reduces))
          .add(range);
    } else if (map.equals(before.attempt())) { // else its parts count, or another attempt's output
      Reported so = late.computeIfAbsent(task, id -> new Reported(reduces));
      so.add(range);
      if (so.isAll()) {
        countByParts(task, before, so);
      }
    }
  }

  private void countByParts(TaskId task, Counted before, Reported so) {
    late.remove(task);
    double rest = whole.merge(before.rack(), (double) -before.bytes(), Double::sum);
    if (rest <= 0) {
      whole.remove(before.rack());
    }
    count(task, before.rack(), so);
  }

  /**
   * Counts the output of a map that has succeeded.
   *
   * @param rack where its output lies
   * @param bytes of its whole output; if it sent no sizes of parts to this AppMaster, they are
   *     taken to be spread over the reduces like those of other maps
   * @param input weight of its input, above 0: bytes, or 1 for each map if they are unknown
   */
  synchronized void succeeded(TaskAttemptId map, String rack, long bytes, double input) {
    TaskId task = map.getTaskId();
    if (counted.containsKey(task)) {
      return;
    }
    weight += input;
    byRack.computeIfAbsent(rack, r -> new double[reduces]);
    Map<TaskAttemptId, Reported> sent = early.remove(task);
    Reported so = sent == null ? null : sent.get(map);
    if (so != null && so.isAll()) {
      count(task, rack, so);
      return;
    }
    whole.merge(rack, (double) bytes, Double::sum);
    counted.put(task, new Counted(map, rack, bytes));
    if (so != null) {
      late.put(task, so);
    }
  }

  private void count(TaskId task, String rack, Reported so) {
    double[] inRack = byRack.get(rack);
    for (int j = 0; j < reduces; j++) {
      inRack[j] += so.sizes[j];
      sum[j] += so.sizes[j];
    }
    counted.put(task, Counted.BY_PARTS);
  }

  /** Returns the racks that have map output. */
  synchronized Set<String> racks() {
    return Set.copyOf(byRack.keySet());
  }

  /** Returns how many maps are counted. */
  synchronized int known() {
    return counted.size();
  }

  /** Returns whether the output of a map is counted. */
  synchronized boolean knows(TaskId map) {
    return counted.containsKey(map);
  }

  /**
   * Returns the bytes that each reduce is expected to read from each rack: those that lie there,
   * and the output of the maps that run there, estimated from their input and the counted maps.
   * Maps that do not run yet are assumed to be spread like the others.
   *
   * @param running input weight of the running maps in each rack
   * @return for each rack, one number for each reduce; empty if no map is counted
   */
  Map<String, double[]> expected(Map<String, Double> running) {
    Now now = now(true);
    Map<String, double[]> expected = now.byRack();
    if (now.known() == 0) {
      return expected;
    }
    double[] shares = now.shares();
    now.whole().forEach((rack, bytes) -> add(expected, rack, shares, bytes));
    double[] sizes = now.sizes();
    running.forEach((rack, input) -> add(expected, rack, sizes, input / now.weight()));
    return expected;
  }

  private void add(Map<String, double[]> to, String rack, double[] each, double factor) {
    double[] bytes = to.computeIfAbsent(rack, r -> new double[reduces]);
    for (int j = 0; j < reduces; j++) {
      bytes[j] += factor * each[j];
    }
  }

  /** Returns the bytes that each reduce has to read from the counted maps. */
  double[] sizes() {
    return now(false).sizes();
  }

  /** Returns a copy of what is known. */
  private synchronized Now now(boolean withRacks) {
    Map<String, double[]> racks = new TreeMap<>();
    if (withRacks) {
      byRack.forEach((rack, bytes) -> racks.put(rack, bytes.clone()));
    }
    return new Now(racks, sum.clone(), new TreeMap<>(whole), weight, counted.size());
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Now(
      Map<String, double[]> byRack,
      double[] sum,
      Map<String, Double> whole,
      double weight,
      int known) {

    double[] sizes() {
      double untold = whole.values().stream().mapToDouble(bytes -> bytes).sum();
      double[] sizes = shares();
      for (int j = 0; j < sizes.length; j++) {
        sizes[j] = sum[j] + untold * sizes[j];
      }
      return sizes;
    }

    /** Returns each reduce's share of a map's output, by the known parts, or else equal shares. */
    private double[] shares() {
      double all = Arrays.stream(sum).sum();
      double[] shares = new double[sum.length];
      for (int j = 0; j < shares.length; j++) {
        shares[j] = all > 0 ? sum[j] / all : 1.0 / shares.length;
      }
      return shares;
    }
  }
}
