// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.config.Mode;
import io.drover.speculator.DecisionLogSink;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/**
 * Chooses the order in which waiting reduces get containers: the largest first, by expected input.
 *
 * <p>Source: Mantri section 5.4; within {@code 4/3 - 1/(3s)} of the best order on s slots (Graham).
 * What a reduce will read is estimated from the maps that have succeeded so far. Reduces of equal
 * size keep Hadoop's order, and all do while no map has reported. Hadoop's rule stays that a reduce
 * that has failed before goes first, so that a job that must fail does so early.
 *
 * <p>Used on the allocator's thread.
 */
public final class ReduceOrder {
  private final MapOutputs outputs;
  private final Mode mode;
  private final DecisionLogSink lines;
  private int knownWhenSorted;

  ReduceOrder(MapOutputs outputs, Mode mode, DecisionLogSink lines) {
    this.outputs = outputs;
    this.mode = mode;
    this.lines = lines.in(mode);
  }

  /** Returns whether the order is computed. */
  public boolean isOn() {
    return mode != Mode.OFF;
  }

  /** Returns whether the order is applied. */
  public boolean acts() {
    return mode == Mode.ON;
  }

  /** Returns whether more sizes are known than when {@link #sort} was called last. */
  public boolean hasNews() {
    return outputs.known() != knownWhenSorted;
  }

  /**
   * Returns the waiting reduces in the order in which they should get containers.
   *
   * @param waiting in Hadoop's order
   * @param failedBefore tells whether an attempt of the task has failed; asked once for each,
   *     because attempts change meanwhile, and a sort whose criterion changes may fail
   */
  public List<TaskAttemptId> sort(
      Collection<TaskAttemptId> waiting, Predicate<TaskAttemptId> failedBefore) {
    boolean tells = hasNews();
    knownWhenSorted = outputs.known();
    double[] sizes = outputs.sizes();
    List<TaskAttemptId> before = List.copyOf(waiting);
    Set<TaskAttemptId> failed = before.stream().filter(failedBefore).collect(Collectors.toSet());
    List<TaskAttemptId> sorted = new ArrayList<>(before);
    sorted.sort(
        Comparator.comparing((TaskAttemptId id) -> !failed.contains(id))
            .thenComparing(id -> -sizes[id.getTaskId().getId()]));
    if (tells && !sorted.equals(before)) {
      line(before, sorted, sizes);
    }
    return sorted;
  }

  private void line(List<TaskAttemptId> before, List<TaskAttemptId> sorted, double[] sizes) {
    int moved = 0;
    for (int i = 0; i < sorted.size(); i++) {
      moved += sorted.get(i).equals(before.get(i)) ? 0 : 1;
    }
    TaskAttemptId first = sorted.get(0);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("reduces", sorted.size());
    fields.put("moved", moved);
    fields.put("first", first);
    fields.put("bytes", Math.round(sizes[first.getTaskId().getId()]));
    fields.put("mapsKnown", knownWhenSorted);
    lines.write("order", fields);
  }
}
