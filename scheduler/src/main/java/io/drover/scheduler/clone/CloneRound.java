// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import io.drover.core.clone.CloneCeiling;
import io.drover.core.config.ClusterSettings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * One look at all partitions: what ordinary demand is entitled to, which clones are in its way or
 * above the ceiling, and how many more there is room for.
 *
 * <p>Nothing here holds the scheduler's lock, so the picture may be of different moments. What
 * follows from that is small and mended by the next round: a clone killed too many, or one too
 * late. That no clone starts on a wrong picture is the {@link CloneGate}'s business: it compares
 * the demand with what was seen here, before anything else was looked at.
 */
final class CloneRound {
  private final ClusterView cluster;
  private final CloneAsks book;
  private final LiveClones live;
  private final CloneGate gate;
  private final Executioner executioner;
  private final ClusterSettings settings;
  private final AccessControlList mayClone;
  private final Map<String, CloneCeiling> ceilings = new HashMap<>();
  private final Map<String, Stuck> stuck = new HashMap<>();
  private final Map<String, Finding> findings = new HashMap<>();

  /** What a look at a partition has found. */
  private record Finding(boolean admitting, int waiting) {}

  /** Why a clone is killed. */
  enum Reason {
    IN_THE_WAY("Drover: a clone gives way to other demand"),
    ABOVE_THE_CEILING("Drover: a clone above the ceiling");

    private final String words;

    Reason(String words) {
      this.words = words;
    }

    /** For its application's diagnostics. */
    String words() {
      return words;
    }
  }

  /** Ends clones. */
  interface Executioner {
    /** Ends one. */
    void kill(RMContainer clone, Reason why);
  }

  CloneRound(
      ClusterView cluster,
      CloneAsks book,
      LiveClones live,
      CloneGate gate,
      Executioner executioner,
      ClusterSettings settings) {
    this.cluster = cluster;
    this.book = book;
    this.live = live;
    this.gate = gate;
    this.executioner = executioner;
    this.settings = settings;
    this.mayClone = new AccessControlList(settings.cloneAcl());
  }

  /** Looks at each partition in which there are clones or asks for them. */
  void run() {
    if (live.isEmpty() && book.isEmpty()) {
      gate.shut();
      findings.clear();
      return;
    }
    List<CloneAsks.Ask> asks = book.all(cluster);
    Set<String> partitions = new HashSet<>(cluster.partitions());
    asks.forEach(ask -> partitions.add(book.partition(ask)));
    for (String partition : partitions) {
      run(
          partition,
          asks.stream().filter(ask -> book.partition(ask).equals(partition)).toList(),
          live.newestFirst().stream().filter(clone -> isIn(clone, partition)).toList());
    }
  }

  private boolean isIn(RMContainer clone, String partition) {
    return cluster
        .node(clone.getAllocatedNode())
        .map(node -> node.getPartition().equals(partition))
        .orElse(false);
  }

  private void run(String partition, List<CloneAsks.Ask> asks, List<RMContainer> clones) {
    Resource handedOn = handedOn(asks);
    Resource others = Resources.subtractNonNegative(cluster.pending(partition), handedOn);
    Entitlement entitlement = new Entitlement(cluster, partition, clones);
    List<Waiting> waiting = List.of();
    if (!Resources.isNone(others)) {
      // Clones' asks would count as their users' and queues' demand.
      asks.forEach(ask -> handOn(ask, 0));
      waiting = entitlement.waiting();
    }
    CloneCeiling ceiling =
        ceilings.computeIfAbsent(
            partition, p -> new CloneCeiling(settings.maxUtilisation(), settings.hysteresis()));
    Set<RMContainer> inTheWay = Set.of();
    Set<Waiting> hindered = Set.of();
    if (!waiting.isEmpty()) {
      Reclaim reclaim = new Reclaim(cluster.calculator(), cluster.nodes(partition), clones);
      inTheWay = reclaim.victims(waiting, entitlement.atLimits());
      hindered = reclaim.hindered();
    }
    Set<RMContainer> above = above(partition, clones, inTheWay, ceiling);
    inTheWay.forEach(clone -> executioner.kill(clone, Reason.IN_THE_WAY));
    above.forEach(clone -> executioner.kill(clone, Reason.ABOVE_THE_CEILING));
    boolean gaveWay = !inTheWay.isEmpty() || !above.isEmpty();
    boolean open =
        ceiling.observe(cluster.utilisation(cluster.used(partition), partition), gaveWay);
    boolean nobodyWaits = stuck(partition).coverAll(waiting, hindered);
    admit(partition, asks, open && nobodyWaits, ceiling, others);
    findings.put(partition, new Finding(open && nobodyWaits, waiting.size()));
  }

  /**
   * Each partition as it is now, with what the last look found if there was something to see.
   *
   * @param givenUp whether nothing is admitted anywhere
   */
  List<PartitionFigures> figures(boolean givenUp) {
    Set<String> partitions = new TreeSet<>(cluster.partitions());
    partitions.addAll(findings.keySet());
    return partitions.stream().map(partition -> figures(partition, givenUp)).toList();
  }

  private PartitionFigures figures(String partition, boolean givenUp) {
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
    boolean admitting = found.admitting() && !givenUp;
    return new PartitionFigures(
        partition, utilisation, cloned, admitting, found.waiting(), running);
  }

  private Stuck stuck(String partition) {
    return stuck.computeIfAbsent(
        partition, p -> new Stuck(settings.patience().dividedBy(settings.round())));
  }

  /** The newest clones without which utilisation is no longer above the ceiling. */
  private Set<RMContainer> above(
      String partition, List<RMContainer> clones, Set<RMContainer> going, CloneCeiling ceiling) {
    Resource used = Resources.clone(cluster.used(partition));
    going.forEach(clone -> Resources.subtractFrom(used, clone.getAllocatedResource()));
    Set<RMContainer> above = new LinkedHashSet<>();
    for (RMContainer clone : clones) {
      if (!ceiling.isAbove(cluster.utilisation(used, partition))) {
        break;
      }
      if (!going.contains(clone)) {
        above.add(clone);
        Resources.subtractFrom(used, clone.getAllocatedResource());
      }
    }
    return above;
  }

  /** Hands on as many asks as there is room for, the oldest first, and tells the gate. */
  private void admit(
      String partition,
      List<CloneAsks.Ask> asks,
      boolean open,
      CloneCeiling ceiling,
      Resource others) {
    Resource used = Resources.clone(cluster.used(partition));
    for (CloneAsks.Ask ask : asks) {
      int count = 0;
      if (open && isAllowed(ask)) {
        count = cluster.fitBelow(ceiling, partition, used, book.size(ask), book.count(ask));
      }
      handOn(ask, count);
    }
    Resource known = open ? Resources.add(others, handedOn(asks)) : Resources.none();
    gate.set(partition, ceiling, known);
  }

  private boolean isAllowed(CloneAsks.Ask ask) {
    return cluster
        .application(ask.attempt)
        .filter(app -> ClonePlacementAllocator.isUsedBy(app.getAppSchedulingInfo()))
        .filter(app -> mayClone(app.getUser()))
        .isPresent();
  }

  private boolean mayClone(String user) {
    return mayClone.isAllAllowed()
        || mayClone.isUserAllowed(UserGroupInformation.createRemoteUser(user));
  }

  /** What of the asks the scheduler has been told, and has not given. */
  private Resource handedOn(List<CloneAsks.Ask> asks) {
    Resource sum = Resources.createResource(0, 0);
    for (CloneAsks.Ask ask : asks) {
      cluster
          .application(ask.attempt)
          .ifPresent(
              app ->
                  Resources.multiplyAndAddTo(
                      sum, book.size(ask), app.getOutstandingAsksCount(ask.key)));
    }
    return sum;
  }

  private void handOn(CloneAsks.Ask ask, int containers) {
    cluster.application(ask.attempt).ifPresent(app -> handOn(app, book, ask, containers));
  }

  /** Tells the scheduler how many containers of an ask there is room for, if that is news. */
  static void handOn(FiCaSchedulerApp app, CloneAsks book, CloneAsks.Ask ask, int containers) {
    app.getWriteLock().lock();
    try {
      if (app.getOutstandingAsksCount(ask.key) == containers) {
        return;
      }
      app.updateResourceRequests(book.cut(ask, containers));
    } finally {
      app.getWriteLock().unlock();
    }
    ((AbstractLeafQueue) app.getQueue()).getOrderingPolicy().demandUpdated(app);
  }
}
