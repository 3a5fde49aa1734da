// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * How many bytes of map output for each reduce lie in each rack, as far as maps have told; and what
 * is to be expected of those that have not.
 *
 * <p>Maps tell the sizes of their parts shortly before they succeed, on the threads of the RPC
 * server; they count from when they have. A map whose output is lost and made again counts where it
 * was first: that is off by one map's output, for the reduces that are still to be placed.
 */
final class MapOutputs {
  private final int reduces;
  private final Map<TaskAttemptId, long[]> told = new HashMap<>();
  private final Map<String, double[]> byRack = new TreeMap<>();
  private final Set<TaskId> counted = new HashSet<>();

  /** By reduce, of the maps that told the sizes of their parts. */
  private final double[] sum;

  /** By rack, the output of maps of which only the whole is known. */
  private final Map<String, Double> whole = new TreeMap<>();

  /** Of the input of all maps that are counted. */
  private double weight;

  MapOutputs(int reduces) {
    this.reduces = reduces;
    this.sum = new double[reduces];
  }

  /** A map tells the sizes of its parts. What does not fit the job is ignored. */
  synchronized void told(TaskAttemptId map, String line) {
    PartitionSizes.decode(line, reduces).ifPresent(sizes -> told.put(map, sizes));
  }

  /**
   * A map has succeeded.
   *
   * @param rack where its output lies
   * @param bytes of its output in all; if it has told no sizes, as a map that an earlier AppMaster
   *     heard has not, they are taken to be spread over the reduces as the others' are
   * @param input weight of its input, above 0: bytes, or 1 for each map where they are not known
   */
  synchronized void succeeded(TaskAttemptId map, String rack, long bytes, double input) {
    long[] sizes = told.remove(map);
    told.keySet().removeIf(other -> other.getTaskId().equals(map.getTaskId()));
    if (!counted.add(map.getTaskId())) {
      return;
    }
    weight += input;
    double[] inRack = byRack.computeIfAbsent(rack, r -> new double[reduces]);
    if (sizes == null) {
      whole.merge(rack, (double) bytes, Double::sum);
      return;
    }
    for (int j = 0; j < reduces; j++) {
      inRack[j] += sizes[j];
      sum[j] += sizes[j];
    }
  }

  /** How many maps have told. */
  synchronized int known() {
    return counted.size();
  }

  /** Whether the output of a map is counted. */
  synchronized boolean knows(TaskId map) {
    return counted.contains(map);
  }

  /**
   * What each reduce is expected to read from each rack: what lies there, and from the maps that
   * run there, for what they read, as much as the others gave. Maps that do not run yet are taken
   * to be spread as the others.
   *
   * @param running the weight of the input of the maps that run in each rack
   * @return a row of as many bytes as there are reduces for each rack; empty if no map has told
   */
  synchronized Map<String, double[]> expected(Map<String, Double> running) {
    Map<String, double[]> expected = new TreeMap<>();
    if (counted.isEmpty()) {
      return expected;
    }
    byRack.forEach((rack, bytes) -> expected.put(rack, bytes.clone()));
    double[] shares = shares();
    whole.forEach((rack, bytes) -> add(expected, rack, shares, bytes));
    double[] sizes = sizes();
    running.forEach((rack, input) -> add(expected, rack, sizes, input / weight));
    return expected;
  }

  private void add(Map<String, double[]> to, String rack, double[] each, double factor) {
    double[] bytes = to.computeIfAbsent(rack, r -> new double[reduces]);
    for (int j = 0; j < reduces; j++) {
      bytes[j] += factor * each[j];
    }
  }

  /** What each reduce has to read of the maps that are counted, bytes. */
  synchronized double[] sizes() {
    double untold = whole.values().stream().mapToDouble(bytes -> bytes).sum();
    double[] sizes = shares();
    for (int j = 0; j < reduces; j++) {
      sizes[j] = sum[j] + untold * sizes[j];
    }
    return sizes;
  }

  /** Each reduce's share of a map's output, by the maps that told; equal if none has. */
  private double[] shares() {
    double all = Arrays.stream(sum).sum();
    double[] shares = new double[reduces];
    for (int j = 0; j < reduces; j++) {
      shares[j] = all > 0 ? sum[j] / all : 1.0 / reduces;
    }
    return shares;
  }
}
