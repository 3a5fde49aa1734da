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
 * Holds the requests of AppMasters for clones. The scheduler gets no more of them than there is
 * room for; this book has all of them.
 *
 * <p>As everywhere in YARN, an AppMaster sends absolute numbers: how many containers it still wants
 * at a key (that is, a priority), of which size, and on which hosts and racks. Containers that are
 * given in the meantime are subtracted, and its next request replaces this one. If the two cross,
 * one container too many is given, and the AppMaster releases it.
 *
 * <p>Locks: each attempt has a page with its own lock, which is held for the change of a few
 * numbers. So the scheduler, which records a container that it has just given, never waits for a
 * round that reads all pages. A page's lock may be taken while an application's lock is held, but
 * not the other way round. Pages are created and removed by atomic operations of the map, so no
 * request is recorded on a page that has been removed.
 */
final class CloneRequestBook {
  /**
   * Keys that are recorded per attempt; MapReduce's AppMaster has two. Each costs every round and
   * every heartbeat something, and an AppMaster may invent as many as it likes.
   */
  static final int MOST_KEYS = 16;

  /**
   * Hosts and racks that are recorded per key. A clone may start elsewhere than on those beyond.
   */
  static final int MOST_PLACES = 10_000;

  /**
   * What one application attempt wants at one key, at one moment.
   *
   * @param attempt the attempt
   * @param key the key of the request
   * @param number the smaller, the older the request
   * @param partition the partition that is requested
   * @param size of a container
   * @param count of containers, at least 1
   * @param allocated how many containers were given since the first request
   */
  record Ask(
      ApplicationAttemptId attempt,
      SchedulerRequestKey key,
      long number,
      String partition,
      Resource size,
      int count,
      long allocated) {}

  /** The requests at one key, by place. */
  private static final class Entry {
    private final long number;
    private final Map<String, ResourceRequest> wanted = new LinkedHashMap<>();
    private long allocated;

    /** Whether the AppMaster has requested nothing else since the scheduler was last told. */
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

  /** The requests of one attempt. Each access holds its lock. */
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
      String place = request.getResourceName();
      boolean isKnown = entry.wanted.containsKey(place) || place.equals(ResourceRequest.ANY);
      if (entry.wanted.size() >= MOST_PLACES && !isKnown) {
        return;
      }
      ResourceRequest known = entry.wanted.put(place, ResourceRequest.clone(request));
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

    /** Returns whether nothing is left after entries that have been met are dropped. */
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

  /**
   * Records an AppMaster's requests. Those beyond {@value #MOST_KEYS} keys, and beyond {@value
   * #MOST_PLACES} places at a key, are ignored.
   */
  void update(ApplicationAttemptId attempt, List<ResourceRequest> requests) {
    pages.compute(
        attempt,
        (id, known) -> {
          Page page = known == null ? new Page() : known;
          page.write(requests, numbers);
          return page;
        });
  }

  /** Notes that a container was given for a request, on a node. */
  void onAllocated(ApplicationAttemptId attempt, SchedulerRequestKey key, SchedulerNode node) {
    Page page = pages.get(attempt);
    if (page != null) {
      page.change(key, node, -1);
    }
  }

  /**
   * Notes that a container that was given is lost before its AppMaster has heard of it.
   *
   * @param requests those for which it was given, of one container each; they are recorded again if
   *     the entry had been met and dropped
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
   * Returns all requests, the oldest first. Drops those that are met or whose attempts have ended.
   *
   * @param failed called with an attempt whose requests cannot be read, and why
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

  /** Returns the attempts that request something, or did. */
  Set<ApplicationAttemptId> attempts() {
    return Set.copyOf(pages.keySet());
  }

  /**
   * Removes and returns everything that an attempt has requested, by key. This is one step, so that
   * no request in between is lost. What is no longer wanted is included, with 0 containers.
   */
  List<List<ResourceRequest>> take(ApplicationAttemptId attempt) {
    Page page = pages.remove(attempt);
    return page == null ? List.of() : page.requests();
  }

  /** Drops the requests of an attempt. */
  void forget(ApplicationAttemptId attempt) {
    pages.remove(attempt);
  }

  /** Returns the requests of an attempt. */
  List<Ask> of(ApplicationAttemptId attempt) {
    return Optional.ofNullable(pages.get(attempt)).map(p -> p.asks(attempt)).orElse(List.of());
  }

  /** Returns how many containers an attempt wants at a key. */
  int count(ApplicationAttemptId attempt, SchedulerRequestKey key) {
    Page page = pages.get(attempt);
    return page == null ? 0 : page.count(key);
  }

  boolean isEmpty() {
    return pages.isEmpty();
  }

  /** Returns how many containers are wanted in all. */
  int count() {
    return pages.values().stream().mapToInt(Page::count).sum();
  }

  /** Returns whether a request is as it was at the last {@link #cut}, but for containers given. */
  boolean isTold(ApplicationAttemptId attempt, SchedulerRequestKey key) {
    Page page = pages.get(attempt);
    return page == null || page.isTold(key);
  }

  /** Notes that the scheduler could not be told what {@link #cut} returned. */
  void untold(ApplicationAttemptId attempt, SchedulerRequestKey key) {
    Page page = pages.get(attempt);
    if (page != null) {
      page.untold(key);
    }
  }

  /**
   * Returns a request for the scheduler, cut down to a number of containers, and marks it as told.
   * Empty if it is gone.
   */
  List<ResourceRequest> cut(ApplicationAttemptId attempt, SchedulerRequestKey key, int containers) {
    Page page = pages.get(attempt);
    return page == null ? List.of() : page.cut(key, containers);
  }
}
