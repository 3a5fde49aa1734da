// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import io.drover.core.containment.CircuitBreaker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.nodelabels.CommonNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * Holds the requests of AppMasters for clones. The scheduler itself is handed no more of it than
 * there is room for; this book has all of it.
 *
 * <p>An AppMaster says how many containers it still wants at a key (a priority, that is), of which
 * size, and on which hosts and racks: absolute numbers, as everywhere in YARN. Here as in YARN what
 * is given in the meantime is taken off, and what the AppMaster says next replaces what stood here.
 * If the two cross, a container too many is given, and the AppMaster releases it.
 *
 * <p>Locks: each attempt has a page with a lock of its own, held for the change of a few numbers.
 * So the scheduler, which writes down a container that it has just given, never waits for a round
 * that reads all pages. An application's lock may be held when a page's is taken, never the other
 * way round. A page is made and thrown away within the map's {@code compute}, so nothing is written
 * on one that is gone.
 */
final class CloneRequestBook {
  /**
   * Keys of one attempt that are written down; MapReduce's AppMaster has two. Each costs every
   * round and every heartbeat something, and an AppMaster may make up as many as it likes.
   */
  static final int MOST_KEYS = 16;

  /**
   * What one application attempt wants at one key, at one moment.
   *
   * @param attempt whose ask it is
   * @param key at which it is asked for
   * @param number the smaller, the older the ask is
   * @param partition that is asked for
   * @param size of a container
   * @param count of containers, at least 1
   * @param allocated how many were given since it was first asked for
   */
  record Ask(
      ApplicationAttemptId attempt,
      SchedulerRequestKey key,
      long number,
      String partition,
      Resource size,
      int count,
      long allocated) {}

  /** What is asked for at one key, by place. */
  private static final class Entry {
    private final long number;
    private final Map<String, ResourceRequest> wanted = new LinkedHashMap<>();
    private long allocated;

    /** Whether the AppMaster has said nothing else since the scheduler was last told. */
    private boolean isTold;

    private Entry(long number) {
      this.number = number;
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

    private Ask ask(ApplicationAttemptId attempt, SchedulerRequestKey key) {
      ResourceRequest any = wanted.get(ResourceRequest.ANY);
      String label = any.getNodeLabelExpression();
      return new Ask(
          attempt,
          key,
          number,
          Objects.requireNonNullElse(label, CommonNodeLabelsManager.NO_LABEL),
          any.getCapability(),
          any.getNumContainers(),
          allocated);
    }
  }

  /** What one attempt asks for; each access holds its lock. */
  private static final class Page {
    private final Map<SchedulerRequestKey, Entry> entries = new LinkedHashMap<>();

    private synchronized void write(List<ResourceRequest> requests, AtomicLong numbers) {
      if (entries.size() >= MOST_KEYS) {
        dropWhatIsMet();
      }
      requests.forEach(request -> write(request, numbers));
    }

    private void write(ResourceRequest request, AtomicLong numbers) {
      SchedulerRequestKey key = SchedulerRequestKey.create(request);
      if (entries.size() >= MOST_KEYS && !entries.containsKey(key)) {
        return;
      }
      Entry entry = entries.computeIfAbsent(key, k -> new Entry(numbers.incrementAndGet()));
      ResourceRequest known =
          entry.wanted.put(request.getResourceName(), ResourceRequest.clone(request));
      entry.isTold &= request.equals(known);
    }

    private synchronized boolean isTold(SchedulerRequestKey key) {
      Entry entry = entries.get(key);
      return entry == null || entry.isTold;
    }

    private synchronized boolean change(SchedulerRequestKey key, SchedulerNode node, int by) {
      Entry entry = entries.get(key);
      if (entry != null) {
        entry.allocated -= by;
        entry.change(node.getNodeName(), by);
        entry.change(node.getRackName(), by);
        entry.change(ResourceRequest.ANY, by);
      }
      return entry != null;
    }

    private void dropWhatIsMet() {
      entries.values().removeIf(entry -> entry.count() == 0);
    }

    /** Whether nothing is left, when what is met is dropped. */
    private synchronized boolean isEmpty() {
      dropWhatIsMet();
      return entries.isEmpty();
    }

    private synchronized int count(SchedulerRequestKey key) {
      Entry entry = entries.get(key);
      return entry == null ? 0 : entry.count();
    }

    private synchronized List<Ask> asks(ApplicationAttemptId attempt) {
      List<Ask> asks = new ArrayList<>();
      entries.forEach(
          (key, entry) -> {
            if (entry.count() > 0) {
              asks.add(entry.ask(attempt, key));
            }
          });
      return asks;
    }

    private synchronized int count() {
      return entries.values().stream().mapToInt(Entry::count).sum();
    }

    private synchronized List<ResourceRequest> cut(SchedulerRequestKey key, int containers) {
      List<ResourceRequest> cut = new ArrayList<>();
      Entry entry = entries.get(key);
      if (entry != null) {
        for (ResourceRequest request : entry.wanted.values()) {
          ResourceRequest part = ResourceRequest.clone(request);
          part.setNumContainers(Math.min(containers, request.getNumContainers()));
          cut.add(part);
        }
        entry.isTold = true;
      }
      return cut;
    }

    private synchronized void untold(SchedulerRequestKey key) {
      Entry entry = entries.get(key);
      if (entry != null) {
        entry.isTold = false;
      }
    }

    private synchronized List<List<ResourceRequest>> requests() {
      return entries.values().stream().map(entry -> List.copyOf(entry.wanted.values())).toList();
    }
  }

  private final ConcurrentMap<ApplicationAttemptId, Page> pages = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /** An AppMaster's word; what it says at more than {@value #MOST_KEYS} keys is ignored. */
  void update(ApplicationAttemptId attempt, List<ResourceRequest> requests) {
    pages.compute(
        attempt,
        (id, known) -> {
          Page page = known == null ? new Page() : known;
          page.write(requests, numbers);
          return page;
        });
  }

  /** A container was given for an ask, on a node. */
  void onAllocated(ApplicationAttemptId attempt, SchedulerRequestKey key, SchedulerNode node) {
    Page page = pages.get(attempt);
    if (page != null) {
      page.change(key, node, -1);
    }
  }

  /**
   * A container that was given is lost before its AppMaster has heard of it.
   *
   * @param requests of one container each, by which it was given: they stand here again if the ask
   *     had been met and dropped
   */
  void lost(
      ApplicationAttemptId attempt,
      SchedulerRequestKey key,
      SchedulerNode node,
      List<ResourceRequest> requests) {
    Page page = pages.get(attempt);
    if (page == null || !page.change(key, node, 1)) {
      update(attempt, requests);
    }
  }

  /**
   * All asks, the oldest first; those that are met or whose attempts are gone are dropped.
   *
   * @param failed is told of an attempt whose asks cannot be read, and why
   */
  List<Ask> all(ClusterView cluster, BiConsumer<ApplicationAttemptId, Throwable> failed) {
    List<Ask> all = new ArrayList<>();
    for (ApplicationAttemptId attempt : pages.keySet()) {
      try {
        all.addAll(current(cluster, attempt));
      } catch (Throwable cause) {
        if (CircuitBreaker.isFatal(cause)) {
          throw cause;
        }
        failed.accept(attempt, cause);
      }
    }
    all.sort(Comparator.comparingLong(Ask::number));
    return all;
  }

  private List<Ask> current(ClusterView cluster, ApplicationAttemptId attempt) {
    if (cluster.application(attempt).isEmpty()) {
      forget(attempt);
    } else {
      pages.computeIfPresent(attempt, (id, page) -> page.isEmpty() ? null : page);
    }
    return of(attempt);
  }

  /** All that ask for something, or did. */
  Set<ApplicationAttemptId> attempts() {
    return Set.copyOf(pages.keySet());
  }

  /**
   * All that an attempt has said, by key, which is forgotten at once: nothing that it says
   * meanwhile is lost. What it wants no more is among it, with no containers.
   */
  List<List<ResourceRequest>> take(ApplicationAttemptId attempt) {
    Page page = pages.remove(attempt);
    return page == null ? List.of() : page.requests();
  }

  /** Nothing is asked for by an attempt. */
  void forget(ApplicationAttemptId attempt) {
    pages.remove(attempt);
  }

  /** What an attempt asks for. */
  List<Ask> of(ApplicationAttemptId attempt) {
    return Optional.ofNullable(pages.get(attempt)).map(p -> p.asks(attempt)).orElse(List.of());
  }

  /** How many containers an attempt wants at a key. */
  int count(ApplicationAttemptId attempt, SchedulerRequestKey key) {
    Page page = pages.get(attempt);
    return page == null ? 0 : page.count(key);
  }

  boolean isEmpty() {
    return pages.isEmpty();
  }

  /** How many containers are wanted in all. */
  int count() {
    return pages.values().stream().mapToInt(Page::count).sum();
  }

  /** Whether nothing of an ask has changed since {@link #cut}, but by containers given. */
  boolean isTold(ApplicationAttemptId attempt, SchedulerRequestKey key) {
    Page page = pages.get(attempt);
    return page == null || page.isTold(key);
  }

  /** The scheduler could not be told what was {@link #cut}. */
  void untold(ApplicationAttemptId attempt, SchedulerRequestKey key) {
    Page page = pages.get(attempt);
    if (page != null) {
      page.untold(key);
    }
  }

  /**
   * An ask as the scheduler is told it, cut down to a number of containers; empty if it is gone. It
   * counts as told.
   */
  List<ResourceRequest> cut(ApplicationAttemptId attempt, SchedulerRequestKey key, int containers) {
    Page page = pages.get(attempt);
    return page == null ? List.of() : page.cut(key, containers);
  }
}
