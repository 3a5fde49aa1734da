// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import io.drover.core.config.ClusterSettings;
import io.drover.core.containment.CircuitBreaker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * One pass over all partitions. It computes what ordinary demand is entitled to, which clones are
 * in its way or above the ceiling, and how many more clones there is room for.
 *
 * <p>The computation changes nothing in the scheduler: it subtracts what clones request ({@link
 * UserLimits}). The pass then kills clones, and changes how many requests are passed on.
 *
 * <p>The pass does not hold the scheduler's lock, so it may combine states of different moments.
 * The consequences are small, and the next pass corrects them: it kills one clone too many, or one
 * too late. No clone starts because of a wrong state: the {@link CloneGate} compares the demand
 * with the demand that this pass read before anything else.
 */
final class CloneRound {
  private final ClusterView cluster;
  private final CloneRequestBook book;
  private final LiveClones live;
  private final CloneGate gate;
  private final Predicate<FiCaSchedulerApp> mayClone;
  private final Executioner executioner;
  private final ClusterSettings settings;
  private final Map<String, PartitionCeiling> ceilings = new HashMap<>();
  private final Map<String, UnplaceableDemand> unplaceable = new HashMap<>();
  private final Map<String, RecentAllocations> givenLately = new HashMap<>();
  private final Map<String, Finding> findings = new HashMap<>();

  /** Each partition has its own, so that one that always fails costs no other its clones. */
  private final Map<String, CircuitBreaker> breakers = new ConcurrentHashMap<>();

  private final LongSupplier nanos;

  /** What the last round has found in a partition. */
  private record Finding(boolean admitting, int waiting) {}

  /** Why a clone is killed. */
  enum Reason {
    IN_THE_WAY("Drover: the clone gave way to an ordinary request"),
    ABOVE_THE_CEILING("Drover: utilisation was above the ceiling"),
    OFF("Drover: clones are off");

    private final String words;

    Reason(String words) {
      this.words = words;
    }

    /** Returns the text for the application's diagnostics. */
    String words() {
      return words;
    }
  }

  /** Kills clones. */
  interface Executioner {
    void kill(RMContainer clone, Reason why);
  }

  /**
   * Creates the round of a scheduler.
   *
   * @param mayClone whether an application's clones may get containers
   */
  CloneRound(
      ClusterView cluster,
      CloneRequestBook book,
      LiveClones live,
      CloneGate gate,
      Predicate<FiCaSchedulerApp> mayClone,
      Executioner executioner,
      ClusterSettings settings,
      LongSupplier nanos) {
    this.cluster = cluster;
    this.book = book;
    this.live = live;
    this.gate = gate;
    this.mayClone = mayClone;
    this.executioner = executioner;
    this.settings = settings;
    this.nanos = nanos;
  }

  /**
   * Processes all partitions, unless there are neither clones nor requests for clones. If that
   * fails for a partition, its requests for clones are withdrawn and its gate is shut; the others
   * are processed all the same. After several failures in a row the partition is left out for a
   * minute, and its clones are killed.
   *
   * @param failed called with what went wrong at a partition
   * @param unreadable called with an attempt whose requests cannot be read or passed on, and why
   */
  void run(Consumer<Throwable> failed, BiConsumer<ApplicationAttemptId, Throwable> unreadable) {
    if (live.isEmpty() && book.isEmpty()) {
      gate.shut();
      findings.clear();
      breakers
          .values()
          .forEach(breaker -> breaker.run(() -> {})); // nothing is left that could fail
      return;
    }
    List<CloneRequestBook.Ask> asks = book.all(cluster, unreadable);
    Set<String> partitions = new HashSet<>(cluster.partitions());
    asks.forEach(ask -> partitions.add(ask.partition()));
    forgetAllBut(partitions);
    for (String partition : partitions) {
      CircuitBreaker breaker = breakers.computeIfAbsent(partition, this::breaker);
      List<CloneRequestBook.Ask> here =
          asks.stream().filter(ask -> ask.partition().equals(partition)).toList();
      Consumer<Throwable> failedHere = failed.andThen(breaker::failed);
      boolean isLookedAt =
          breaker.tryAcquire() && succeeds(() -> look(partition, here, unreadable), failedHere);
      if (isLookedAt) {
        breaker.succeeded();
      } else {
        leaveOut(partition, here, breaker.isOpen(), failed);
      }
    }
  }

  private void forgetAllBut(Set<String> partitions) {
    breakers.keySet().retainAll(partitions);
    ceilings.keySet().retainAll(partitions);
    unplaceable.keySet().retainAll(partitions);
    givenLately.keySet().retainAll(partitions);
    findings.keySet().retainAll(partitions);
  }

  private CircuitBreaker breaker(String partition) {
    String feature = "Cloning in partition '" + partition + "'";
    return new CircuitBreaker(feature, nanos, () -> gate.shut(partition));
  }

  private static boolean succeeds(Runnable step, Consumer<Throwable> failed) {
    try {
      step.run();
      return true;
    } catch (Throwable cause) {
      failed.accept(cause);
      return false;
    }
  }

  /**
   * Admits no clones in a partition. If it is off, also kills its clones, because nobody would make
   * them give way. An error in here does not count as another failure of the partition, and does
   * not stop the other steps.
   */
  private void leaveOut(
      String partition,
      List<CloneRequestBook.Ask> asks,
      boolean isOff,
      Consumer<Throwable> failed) {
    gate.shut(partition);
    findings.remove(partition);
    if (isOff) {
      for (RMContainer clone : live.newestFirst()) {
        succeeds(() -> endIfIn(partition, clone), failed);
      }
    }
    asks.forEach(ask -> succeeds(() -> handOn(ask, 0), failed));
  }

  private void endIfIn(String partition, RMContainer clone) {
    if (isIn(clone, partition)) {
      executioner.kill(clone, Reason.OFF);
    }
  }

  /** Returns whether errors have switched clones off in a partition for now. */
  boolean isOff(String partition) {
    CircuitBreaker breaker = breakers.get(partition);
    return breaker != null && breaker.isOpen();
  }

  /** Returns in how many partitions errors have switched clones off for now. */
  int partitionsOff() {
    return (int) breakers.values().stream().filter(CircuitBreaker::isOpen).count();
  }

  private List<RMContainer> clones(String partition) {
    return live.newestFirst().stream().filter(clone -> isIn(clone, partition)).toList();
  }

  private boolean isIn(RMContainer clone, String partition) {
    return cluster
        .node(clone.getAllocatedNode())
        .map(node -> node.getPartition().equals(partition))
        .orElse(false);
  }

  private void look(
      String partition,
      List<CloneRequestBook.Ask> asks,
      BiConsumer<ApplicationAttemptId, Throwable> unreadable) {
    List<RMContainer> clones = clones(partition);
    Resource others = Resources.subtractNonNegative(cluster.pending(partition), handedOn(asks));
    Entitlement entitlement = new Entitlement(cluster, partition, clones);
    List<PendingDemand> waiting = Resources.isNone(others) ? List.of() : entitlement.waiting();
    Set<RMContainer> inTheWay = Set.of();
    Set<PendingDemand> hindered = Set.of();
    if (!waiting.isEmpty()) {
      ClonePreemption preemption = new ClonePreemption(cluster, partition, clones);
      inTheWay = preemption.victims(waiting, entitlement.atLimits());
      hindered = preemption.hindered();
    }
    PartitionCeiling ceiling = ceilings.computeIfAbsent(partition, p -> ceiling());
    Set<RMContainer> above = above(partition, clones, inTheWay, ceiling);
    Resource went = Resources.createResource(0, 0);
    inTheWay.forEach(clone -> Resources.addTo(went, clone.getAllocatedResource()));
    above.forEach(clone -> Resources.addTo(went, clone.getAllocatedResource()));
    inTheWay.forEach(clone -> executioner.kill(clone, Reason.IN_THE_WAY));
    above.forEach(clone -> executioner.kill(clone, Reason.ABOVE_THE_CEILING));
    ceiling.observe(cluster.used(partition), cluster.usable(partition), went);
    boolean nobodyWaits = unplaceable(partition).coverAll(waiting, hindered);
    admit(partition, asks, nobodyWaits, ceiling, others, unreadable);
    boolean isOpen = ceiling.isOpen(cluster.smallest());
    findings.put(partition, new Finding(isOpen && nobodyWaits, waiting.size()));
  }

  /** Creates a ceiling that is open. */
  PartitionCeiling ceiling() {
    return new PartitionCeiling(settings.maxUtilisation(), settings.hysteresis(), cluster::counts);
  }

  /**
   * Returns the figures of each partition now, with what the last round found there, if anything.
   *
   * @param isOff whether no clones are admitted anywhere
   */
  List<PartitionFigures> figures(boolean isOff) {
    Set<String> partitions = new TreeSet<>(cluster.partitions());
    partitions.addAll(findings.keySet());
    return partitions.stream().map(partition -> figures(partition, isOff)).toList();
  }

  private PartitionFigures figures(String partition, boolean isOff) {
    Resource ordinary = Resources.clone(cluster.used(partition));
    double utilisation = cluster.utilisation(ordinary, partition);
    int running = 0;
    for (RMContainer clone : live.newestFirst()) {
      if (isIn(clone, partition)) {
        Resources.subtractFrom(ordinary, clone.getAllocatedResource());
        running++;
      }
    }
    double cloned = Math.max(0, utilisation - cluster.utilisation(ordinary, partition));
    Finding unseen = new Finding(utilisation < settings.maxUtilisation(), 0);
    Finding found = findings.getOrDefault(partition, unseen);
    boolean admitting = found.admitting() && !isOff && !isOff(partition);
    return new PartitionFigures(
        partition, utilisation, cloned, admitting, found.waiting(), running);
  }

  private UnplaceableDemand unplaceable(String partition) {
    return unplaceable.computeIfAbsent(
        partition, p -> new UnplaceableDemand(settings.patience().dividedBy(settings.round())));
  }

  /** Returns the newest clones that must end so that nothing they hold is above the ceiling. */
  private Set<RMContainer> above(
      String partition,
      List<RMContainer> clones,
      Set<RMContainer> going,
      PartitionCeiling ceiling) {
    Resource total = cluster.usable(partition);
    Resource used = Resources.clone(cluster.used(partition));
    going.forEach(clone -> Resources.subtractFrom(used, clone.getAllocatedResource()));
    Set<RMContainer> above = new LinkedHashSet<>();
    for (RMContainer clone : clones) {
      Resource size = clone.getAllocatedResource();
      if (!going.contains(clone) && ceiling.isAbove(used, total, size)) {
        above.add(clone);
        Resources.subtractFrom(used, size);
      }
    }
    return above;
  }

  /** Passes on as many requests as there is room for, and tells the gate. */
  private void admit(
      String partition,
      List<CloneRequestBook.Ask> asks,
      boolean open,
      PartitionCeiling ceiling,
      Resource others,
      BiConsumer<ApplicationAttemptId, Throwable> unreadable) {
    Map<CloneRequestBook.Ask, Integer> counts = new LinkedHashMap<>();
    asks.forEach(ask -> counts.put(ask, 0));
    if (open) {
      counts.putAll(fitting(partition, asks.stream().filter(this::isAllowed).toList(), ceiling));
    }
    counts.forEach((ask, count) -> handOn(ask, count, unreadable));
    Resource known = open ? Resources.add(others, handedOn(asks)) : Resources.none();
    gate.set(partition, ceiling, known);
  }

  /** Passes a request on. If Hadoop cannot take it, only its application loses its requests. */
  private void handOn(
      CloneRequestBook.Ask ask, int count, BiConsumer<ApplicationAttemptId, Throwable> unreadable) {
    try {
      handOn(ask, count);
    } catch (Throwable cause) {
      book.forget(ask.attempt());
      unreadable.accept(ask.attempt(), cause);
    }
  }

  private boolean isAllowed(CloneRequestBook.Ask ask) {
    return cluster.application(ask.attempt()).filter(mayClone).isPresent();
  }

  /** Returns how many containers of each request fit: first what it counts for, then the rest. */
  private Map<CloneRequestBook.Ask, Integer> fitting(
      String partition, List<CloneRequestBook.Ask> asks, PartitionCeiling ceiling) {
    RecentAllocations lately =
        givenLately.computeIfAbsent(
            partition, p -> new RecentAllocations(RecentAllocations.patience(settings.round())));
    lately.retain(asks);
    Resource used = Resources.clone(cluster.used(partition));
    Map<CloneRequestBook.Ask, Integer> counts = new LinkedHashMap<>();
    for (CloneRequestBook.Ask ask : asks) {
      int most = lately.counts(ask, ungiven(ask));
      counts.put(ask, cluster.fitBelow(ceiling, partition, used, ask.size(), most));
    }
    counts.replaceAll(
        (ask, count) -> {
          int left = ask.count() - count;
          return count + cluster.fitBelow(ceiling, partition, used, ask.size(), left);
        });
    return counts;
  }

  /** Returns how many containers of a request were passed on and not given. */
  private int ungiven(CloneRequestBook.Ask ask) {
    return cluster
        .application(ask.attempt())
        .map(app -> app.getOutstandingAsksCount(ask.key()))
        .orElse(0);
  }

  /** Returns the resources that were passed on and not given. */
  private Resource handedOn(List<CloneRequestBook.Ask> asks) {
    Resource sum = Resources.createResource(0, 0);
    asks.forEach(ask -> Resources.multiplyAndAddTo(sum, ask.size(), ungiven(ask)));
    return sum;
  }

  private void handOn(CloneRequestBook.Ask ask, int containers) {
    cluster.application(ask.attempt()).ifPresent(app -> handOn(app, book, ask.key(), containers));
  }

  /**
   * Tells the scheduler for how many containers of a request there is room. Does nothing if the
   * number, the size and the places are those that the scheduler was told last.
   */
  static void handOn(
      FiCaSchedulerApp app, CloneRequestBook book, SchedulerRequestKey key, int containers) {
    app.getWriteLock().lock();
    try {
      boolean isTold = containers == 0 || book.isTold(app.getApplicationAttemptId(), key);
      if (isTold && app.getOutstandingAsksCount(key) == containers) {
        return;
      }
      List<ResourceRequest> part =
          containers > 0 ? book.cut(app.getApplicationAttemptId(), key, containers) : List.of();
      // The book no longer has a request that was met. Then the scheduler must have none either.
      update(app, book, key, part.isEmpty() ? nothing(app, key) : part);
    } finally {
      app.getWriteLock().unlock();
    }
    demandUpdated(app);
  }

  private static void update(
      FiCaSchedulerApp app,
      CloneRequestBook book,
      SchedulerRequestKey key,
      List<ResourceRequest> requests) {
    boolean isTold = false;
    try {
      app.updateResourceRequests(requests);
      isTold = true;
    } finally {
      if (!isTold) {
        book.untold(app.getApplicationAttemptId(), key);
      }
    }
  }

  /**
   * Passes everything that an application requests on to the scheduler and empties the book. The
   * application's lock keeps the requests in the order in which the AppMaster made them.
   */
  static void handOnAll(FiCaSchedulerApp app, CloneRequestBook book) {
    app.getWriteLock().lock();
    try {
      book.take(app.getApplicationAttemptId()).forEach(app::updateResourceRequests);
    } finally {
      app.getWriteLock().unlock();
    }
    demandUpdated(app);
  }

  /** Takes back what was passed on and is no longer wanted by the AppMaster. */
  static void handOnNoMore(ClusterView cluster, FiCaSchedulerApp app, CloneRequestBook book) {
    for (SchedulerRequestKey key : app.getAppSchedulingInfo().getSchedulerKeys()) {
      if (cluster.isClone(app.getApplicationId(), key.getPriority())) {
        int wanted = book.count(app.getApplicationAttemptId(), key);
        handOn(app, book, key, Math.min(app.getOutstandingAsksCount(key), wanted));
      }
    }
  }

  /** Withdraws an application's requests for clones from the scheduler, without asking the book. */
  static void withdraw(ClusterView cluster, FiCaSchedulerApp app) {
    boolean isNews = false;
    app.getWriteLock().lock();
    try {
      for (SchedulerRequestKey key : app.getAppSchedulingInfo().getSchedulerKeys()) {
        if (cluster.isClone(app.getApplicationId(), key.getPriority())) {
          app.updateResourceRequests(nothing(app, key));
          isNews = true;
        }
      }
    } finally {
      app.getWriteLock().unlock();
    }
    if (isNews) {
      demandUpdated(app);
    }
  }

  /** Returns all requests that the scheduler has at a key, with 0 containers each. */
  private static List<ResourceRequest> nothing(FiCaSchedulerApp app, SchedulerRequestKey key) {
    List<ResourceRequest> nothing = new ArrayList<>();
    AppPlacementAllocator<?> asks = app.getAppPlacementAllocator(key);
    if (asks != null) {
      for (ResourceRequest request : asks.getResourceRequests().values()) {
        ResourceRequest none = ResourceRequest.clone(request);
        none.setNumContainers(0);
        nothing.add(none);
      }
    }
    return nothing;
  }

  private static void demandUpdated(FiCaSchedulerApp app) {
    ((AbstractLeafQueue) app.getQueue()).getOrderingPolicy().demandUpdated(app);
  }

  /**
   * The figures of one partition now.
   *
   * @param partition its name, empty for the default one
   * @param utilisation from 0 to 1
   * @param cloned the part of the utilisation that would be gone without clones
   * @param admitting whether clones are admitted, by the last round
   * @param waiting how many ordinary requests wait for room they are entitled to, by the last round
   * @param running how many clones run
   */
  public record PartitionFigures(
      String partition,
      double utilisation,
      double cloned,
      boolean admitting,
      int waiting,
      int running) {}
}
