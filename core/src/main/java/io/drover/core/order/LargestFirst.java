// SPDX-License-Identifier: Apache-2.0
package io.drover.core.order;

import io.drover.core.model.Decision;
import io.drover.core.model.Evidence;
import io.drover.core.model.Rule;
import io.drover.core.model.TaskModel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Starts waiting tasks in descending order of their data. On s slots a phase then takes at most
 * {@code 4/3 - 1/(3s)} times as long as with the best order.
 *
 * <p>Source: Mantri section 5.4, theorem 1 (Graham 1969). A task of unknown size counts as one of
 * mean size, and one with less than a quarter of the mean as that quarter. Among equals the lower
 * index goes first, so the same input gives the same order.
 */
public final class LargestFirst {
  private static final Comparator<TaskModel> LARGEST_FIRST =
      Comparator.comparingDouble((TaskModel t) -> -t.phase().size(t))
          .thenComparingInt(TaskModel::index);

  /**
   * Orders the waiting tasks.
   *
   * @param waiting tasks of one phase, in any order
   * @param now seconds
   * @return one START for each of them, the largest first
   */
  public List<Decision> order(Collection<TaskModel> waiting, double now) {
    List<TaskModel> sorted = new ArrayList<>(waiting);
    sorted.sort(LARGEST_FIRST);
    List<Decision> starts = new ArrayList<>(sorted.size());
    for (TaskModel task : sorted) {
      Evidence evidence = Evidence.withoutEstimates(task, true, 0);
      starts.add(new Decision(now, task, Optional.empty(), Rule.LARGEST_FIRST, evidence));
    }
    return starts;
  }
}
