// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.nodelabels.CommonNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * What AppMasters ask for on behalf of clones. The scheduler itself is handed no more of it than
 * there is room for; this book has all of it.
 *
 * <p>An AppMaster says how many containers it still wants at a key (a priority, that is), of which
 * size, and on which hosts and racks: absolute numbers, as everywhere in YARN. Here as in YARN what
 * is given in the meantime is taken off, and what the AppMaster says next replaces what stood here.
 * If the two cross, a container too many is given, and the AppMaster releases it.
 *
 * <p>Locks: an application's may be held when this book's is taken, never the other way round.
 */
final class CloneAsks {
  /** What one application attempt wants at one key. */
  static final class Ask {
    final ApplicationAttemptId attempt;
    final SchedulerRequestKey key;
    private final Map<String, ResourceRequest> wanted = new LinkedHashMap<>();

    private Ask(ApplicationAttemptId attempt, SchedulerRequestKey key) {
      this.attempt = attempt;
      this.key = key;
    }

    private int count() {
      ResourceRequest any = wanted.get(ResourceRequest.ANY);
      return any == null ? 0 : any.getNumContainers();
    }

    private void change(String place, int by) {
      ResourceRequest request = wanted.get(place);
      if (request != null) {
        request.setNumContainers(Math.max(0, request.getNumContainers() + by));
      }
    }
  }

  private record Key(ApplicationAttemptId attempt, SchedulerRequestKey key) {}

  private final Map<Key, Ask> asks = new LinkedHashMap<>();

  /** An AppMaster's word. */
  synchronized void update(ApplicationAttemptId attempt, List<ResourceRequest> requests) {
    for (ResourceRequest request : requests) {
      SchedulerRequestKey key = SchedulerRequestKey.create(request);
      asks.computeIfAbsent(new Key(attempt, key), k -> new Ask(attempt, key))
          .wanted
          .put(request.getResourceName(), ResourceRequest.clone(request));
    }
  }

  /** A container was given for an ask, on a node. */
  synchronized void given(
      ApplicationAttemptId attempt, SchedulerRequestKey key, SchedulerNode node) {
    change(attempt, key, node, -1);
  }

  /** A container that was given is lost before its AppMaster has heard of it. */
  synchronized void lost(
      ApplicationAttemptId attempt, SchedulerRequestKey key, SchedulerNode node) {
    change(attempt, key, node, 1);
  }

  private void change(
      ApplicationAttemptId attempt, SchedulerRequestKey key, SchedulerNode node, int by) {
    Ask ask = asks.get(new Key(attempt, key));
    if (ask != null) {
      ask.change(node.getNodeName(), by);
      ask.change(node.getRackName(), by);
      ask.change(ResourceRequest.ANY, by);
    }
  }

  /** All asks, the oldest first; those that are met or whose attempts are gone are dropped. */
  synchronized List<Ask> all(ClusterView cluster) {
    asks.values().removeIf(ask -> ask.count() == 0 || cluster.application(ask.attempt).isEmpty());
    return new ArrayList<>(asks.values());
  }

  synchronized void forget(Ask ask) {
    asks.remove(new Key(ask.attempt, ask.key));
  }

  synchronized List<Ask> of(ApplicationAttemptId attempt) {
    return asks.values().stream().filter(ask -> ask.attempt.equals(attempt)).toList();
  }

  synchronized boolean isEmpty() {
    return asks.isEmpty();
  }

  /** How many containers are wanted in all. */
  synchronized int count() {
    return asks.values().stream().mapToInt(Ask::count).sum();
  }

  /** How many containers are wanted. */
  synchronized int count(Ask ask) {
    return ask.count();
  }

  /** The partition that is asked for; no containers are wanted where it is not known. */
  synchronized String partition(Ask ask) {
    ResourceRequest any = ask.wanted.get(ResourceRequest.ANY);
    String label = any == null ? null : any.getNodeLabelExpression();
    return Objects.requireNonNullElse(label, CommonNodeLabelsManager.NO_LABEL);
  }

  /** The size of a container. */
  synchronized Resource size(Ask ask) {
    return ask.wanted.get(ResourceRequest.ANY).getCapability();
  }

  /** The ask as the scheduler is told it, cut down to a number of containers. */
  synchronized List<ResourceRequest> cut(Ask ask, int containers) {
    List<ResourceRequest> cut = new ArrayList<>();
    for (ResourceRequest request : ask.wanted.values()) {
      ResourceRequest part = ResourceRequest.clone(request);
      part.setNumContainers(Math.min(containers, request.getNumContainers()));
      cut.add(part);
    }
    return cut;
  }
}
