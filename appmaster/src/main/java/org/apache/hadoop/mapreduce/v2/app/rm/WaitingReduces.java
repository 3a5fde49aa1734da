// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.ReduceOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * The reduces that wait for a container, in Hadoop's two lists of them: those that have been asked
 * for, which come first in, first out, and those that it is not time for yet, a list that nobody
 * but Hadoop sees.
 *
 * <p>That list can still be reached, since Hadoop's own steps lead from one list to the other and
 * back. All of it happens within one call, and what the steps between leave behind is taken away
 * ({@link #withoutTraces}), so the ResourceManager never hears of them.
 */
final class WaitingReduces {
  private final DroverContainerAllocator allocator;
  private final ReduceOrder order;
  private final Set<TaskAttemptId> cancelled = new LinkedHashSet<>();

  WaitingReduces(DroverContainerAllocator allocator, ReduceOrder order) {
    this.allocator = allocator;
    this.order = order;
  }

  /** The reduces that have been asked for: the one to be served next comes first. */
  private Map<TaskAttemptId, ContainerRequest> asked() {
    return allocator.getScheduledRequests().reduces;
  }

  /** Sorts those that have been asked for, if something new is known of their sizes. */
  void sort() {
    if (order.isOn() && order.hasNews() && asked().size() > 1) {
      reorder(sorted());
    }
  }

  /** It is time for so many more: the first in the order, not those that came first. */
  void rampUp(int count) {
    if (order.acts()) {
      withoutTraces(() -> rampUpInOrder(count));
    } else {
      allocator.rampUpAsHadoop(count);
    }
  }

  /** If no order can be made, the requests stay in Hadoop's, and as many are held back again. */
  private void rampUpInOrder(int count) {
    int held = allocator.getNumOfPendingReduces();
    allocator.rampUpAsHadoop(held);
    List<TaskAttemptId> next = List.copyOf(asked().keySet());
    try {
      next = sorted();
    } finally {
      List<TaskAttemptId> last = new ArrayList<>(next);
      Collections.reverse(last);
      reorder(last); // Hadoop holds back again those that come first
      allocator.rampDownAsHadoop(held - count);
      reorder(next);
    }
  }

  private List<TaskAttemptId> sorted() {
    List<TaskAttemptId> sorted = order.sort(asked().keySet(), this::hasFailedBefore);
    return order.acts() ? sorted : List.copyOf(asked().keySet());
  }

  private boolean hasFailedBefore(TaskAttemptId id) {
    Task task = allocator.getJob().getTask(id.getTaskId());
    return task.getAttempts().values().stream()
        .anyMatch(attempt -> attempt.getState() == TaskAttemptState.FAILED);
  }

  /** Puts requests into an order; those that it does not name come last. */
  private void reorder(List<TaskAttemptId> ids) {
    Map<TaskAttemptId, ContainerRequest> requests = new LinkedHashMap<>(asked());
    asked().clear();
    for (TaskAttemptId id : ids) {
      ContainerRequest request = requests.remove(id);
      if (request != null) {
        asked().put(id, request);
      }
    }
    asked().putAll(requests);
  }

  /**
   * A reduce that it is not time for yet wants no container any more. Hadoop looks for it among
   * those that have been asked for only, and would later launch it all the same. It is noted here,
   * and taken from Hadoop's list with all others in {@link #dropCancelled}: that takes as long as
   * the list, and a job that is killed cancels all of it.
   *
   * @return whether it may be there; a reduce that waits nowhere, Hadoop does not know either
   */
  boolean cancelHeld(TaskAttemptId id) {
    boolean isHeld =
        id.getTaskId().getTaskType() == TaskType.REDUCE
            && allocator.getNumOfPendingReduces() > 0
            && !asked().containsKey(id)
            && allocator.assignedHost(id).isEmpty();
    return isHeld && cancelled.add(id);
  }

  /**
   * Takes what was cancelled from Hadoop's list; to be called before Hadoop looks at it, which it
   * does in the heartbeat only. An attempt asks once and is cancelled after that, so what is not in
   * the list now never will be.
   */
  void dropCancelled() {
    if (!cancelled.isEmpty()) {
      Set<TaskAttemptId> dropped = Set.copyOf(cancelled);
      cancelled.clear();
      withoutTraces(() -> drop(dropped));
    }
  }

  private void drop(Set<TaskAttemptId> dropped) {
    int held = allocator.getNumOfPendingReduces();
    Set<TaskAttemptId> askedBefore = Set.copyOf(asked().keySet());
    allocator.rampUpAsHadoop(held);
    int removed = 0;
    for (TaskAttemptId id : dropped) {
      removed += allocator.getScheduledRequests().remove(id) ? 1 : 0;
    }
    reorder(asked().keySet().stream().filter(other -> !askedBefore.contains(other)).toList());
    allocator.rampDownAsHadoop(held - removed);
  }

  /**
   * Takes steps from list to list, and strikes out that nothing is wanted any more of places that
   * nothing had been wanted of before.
   */
  private void withoutTraces(Runnable steps) {
    Set<String> places = new HashSet<>();
    asked().values().forEach(request -> Collections.addAll(places, request.hosts));
    asked().values().forEach(request -> Collections.addAll(places, request.racks));
    if (!asked().isEmpty()) {
      places.add(ResourceRequest.ANY);
    }
    allocator.getAsk().stream()
        .filter(WaitingReduces::isForReduces)
        .forEach(request -> places.add(request.getResourceName()));
    steps.run();
    allocator
        .getAsk()
        .removeIf(
            request ->
                isForReduces(request)
                    && request.getNumContainers() == 0
                    && !places.contains(request.getResourceName()));
  }

  private static boolean isForReduces(ResourceRequest request) {
    return RMContainerAllocator.PRIORITY_REDUCE.equals(request.getPriority());
  }
}
