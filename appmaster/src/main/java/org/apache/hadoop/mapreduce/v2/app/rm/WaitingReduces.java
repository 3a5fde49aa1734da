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
 * Sorts and cancels the reduces that wait for a container. Hadoop keeps them in two lists: the
 * requested ones, which are served first in, first out, and the pending ones, whose time has not
 * come. Only Hadoop can access the second list.
 *
 * <p>Drover changes that list through Hadoop's own steps, which move reduces from one list to the
 * other and back. This happens within one call, and the traces of the intermediate steps are
 * removed ({@link #withoutTraces}), so the ResourceManager never sees them.
 */
final class WaitingReduces {
  private final DroverContainerAllocator allocator;
  private final ReduceOrder order;
  private final Set<TaskAttemptId> cancelled = new LinkedHashSet<>();

  WaitingReduces(DroverContainerAllocator allocator, ReduceOrder order) {
    this.allocator = allocator;
    this.order = order;
  }

  /** Returns the requested reduces; the next one to be served comes first. */
  private Map<TaskAttemptId, ContainerRequest> asked() {
    return allocator.getScheduledRequests().reduces;
  }

  /** Sorts the requested reduces if more is known about their sizes. */
  void sort() {
    if (order.isOn() && order.hasNews() && asked().size() > 1) {
      reorder(sorted());
    }
  }

  /** Requests a number of pending reduces: the first ones in Drover's order, not in Hadoop's. */
  void rampUp(int count) {
    if (order.acts()) {
      withoutTraces(() -> rampUpInOrder(count));
    } else {
      allocator.rampUpAsHadoop(count);
    }
  }

  /**
   * Requests pending reduces in order. If the order cannot be computed, the requests keep Hadoop's
   * order, and the rest is held back again in any case.
   */
  private void rampUpInOrder(int count) {
    int held = allocator.getNumOfPendingReduces();
    allocator.rampUpAsHadoop(held);
    List<TaskAttemptId> next = List.copyOf(asked().keySet());
    try {
      next = sorted();
    } finally {
      List<TaskAttemptId> last = new ArrayList<>(next);
      Collections.reverse(last);
      reorder(last); // Hadoop holds back the first ones
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

  /** Sorts the requests by a list of ids; requests that it does not name come last. */
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
   * Notes that a pending reduce no longer wants a container. Hadoop would search only the requested
   * reduces for it, and would launch it later all the same. {@link #dropCancelled} removes it from
   * Hadoop's list together with all others. A removal takes time in proportion to the list, and a
   * job that is killed cancels the whole list.
   *
   * @return whether it may be in that list; Hadoop does not know a reduce that does not wait either
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
   * Removes the cancelled reduces from Hadoop's list. To be called before Hadoop reads the list,
   * which it does only in the heartbeat. An attempt asks once and is cancelled after that, so a
   * reduce that is not in the list now will never be.
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
   * Runs steps that move reduces between the lists. Then removes requests for zero containers from
   * places where nothing was requested before.
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
