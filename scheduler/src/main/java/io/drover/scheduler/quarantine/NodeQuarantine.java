// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.quarantine;

import io.drover.core.config.ClusterSettings;
import io.drover.core.config.Mode;
import io.drover.core.config.QuarantineKeys;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.machine.MachineStatistics.MachineFigures;
import io.drover.core.machine.Quarantine;
import io.drover.core.machine.Quarantine.Cause;
import io.drover.core.machine.Quarantine.Place;
import io.drover.core.machine.Quarantine.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The quarantine of the scheduler's machines. Core's {@link Quarantine} decides which machines have
 * one; this class closes them, so that they get no new containers. It does so for those that the
 * statistics have found only if the mode is {@code on}, and for an operator's unless it is {@code
 * off}.
 *
 * <p>Nothing else happens to a closed machine: its containers go on, and a container that was
 * reserved there is given. If this class fails several times in a row, no machine is closed for a
 * minute ({@link CircuitBreaker}). If nobody calls {@link #advance} for a minute, all machines are
 * open from then on.
 */
public final class NodeQuarantine {
  private static final Logger LOG = LoggerFactory.getLogger(NodeQuarantine.class);

  /** Seconds between two looks at the machines, which copy the scheduler's list of nodes. */
  private static final double PERIOD = 5;

  /** Seconds after which a look no longer closes machines. */
  private static final double STALE = 60;

  private final CapacityScheduler scheduler;
  private final DoubleSupplier clock;
  private final LongSupplier nanos;
  private final CircuitBreaker breaker;
  private final Quarantine quarantine = new Quarantine(ClusterSettings.off().quarantine());
  private final Set<String> logged = new HashSet<>();
  private volatile Mode mode = Mode.OFF;
  private volatile Closed closed = Closed.NONE;
  private volatile Duration time = Duration.ZERO;
  private final AtomicBoolean isChanged = new AtomicBoolean();
  private double looked = Double.NEGATIVE_INFINITY;
  private long begun;

  /**
   * What a look has found.
   *
   * @param until by closed machine, the time in nanoseconds until which it is closed
   * @param nodes of the closed machines
   * @param open by partition, the total resources of the largest open machines
   */
  private record Closed(
      Map<String, Long> until, List<SchedulerNode> nodes, Map<String, List<Resource>> open) {
    static final Closed NONE = new Closed(Map.of(), List.of(), Map.of());

    boolean isClosed(String machine, LongSupplier nanos) {
      Long end = until.get(machine);
      return end != null && nanos.getAsLong() - end < 0;
    }
  }

  /**
   * A machine in quarantine.
   *
   * @param machine its name
   * @param cause who has quarantined it
   * @param ranSeconds how long ago that was
   * @param leftSeconds how long it still lasts
   * @param times how many quarantines it has had, this one included
   * @param why the reason in words
   * @param closed whether the machine gets no new containers now
   */
  public record Quarantined(
      String machine,
      Cause cause,
      double ranSeconds,
      double leftSeconds,
      int times,
      String why,
      boolean closed) {}

  /**
   * Creates a quarantine that is off.
   *
   * @param clock seconds, on a clock that goes on through restarts
   * @param nanos a clock that never goes back, in nanoseconds
   */
  public NodeQuarantine(CapacityScheduler scheduler, DoubleSupplier clock, LongSupplier nanos) {
    this.scheduler = scheduler;
    this.clock = clock;
    this.nanos = nanos;
    breaker = new CircuitBreaker("Quarantine", nanos, () -> closed = Closed.NONE);
  }

  /** Applies new settings. */
  public synchronized void configure(ClusterSettings now) {
    mode = now.quarantineMode();
    time = now.quarantine().time();
    quarantine.configure(now.quarantine());
    looked = Double.NEGATIVE_INFINITY;
    if (mode == Mode.OFF) {
      closed = Closed.NONE;
      breaker.reset(); // no more looks run that could close it
    }
  }

  /**
   * Looks at the machines, every few seconds. Contains its errors.
   *
   * @param p the probability that an attempt in the cluster is an outlier; empty if it is not known
   * @param figures what is known about the machines
   */
  public void advance(OptionalDouble p, List<MachineFigures> figures) {
    if (isDue()) { // otherwise nothing happens, which is no success
      breaker.run(() -> look(p, figures));
    }
  }

  private synchronized boolean isDue() {
    double now = clock.getAsDouble();
    return mode != Mode.OFF && (now < looked || now - looked >= PERIOD);
  }

  private synchronized void look(OptionalDouble p, List<MachineFigures> figures) {
    double now = clock.getAsDouble();
    looked = now;
    List<SchedulerNode> nodes = nodes();
    List<Term> begins = quarantine.advance(now, p, figures, places(nodes));
    begun += begins.size();
    if (!begins.isEmpty()) {
      isChanged.set(true);
    }
    begins.forEach(term -> log(term, now));
    close(now, nodes);
  }

  private void log(Term term, double now) {
    LOG.warn(
        "Machine {} {} for {} s, its quarantine number {}: {}",
        term.machine(),
        closes(term)
            ? "gets no new containers"
            : "would get no new containers (the mode is observe)",
        Math.round(term.until() - now),
        term.times(),
        term.why());
  }

  /** Returns whether a quarantine keeps new containers away in the mode in force. */
  private boolean closes(Term term) {
    return mode == Mode.ON || (mode == Mode.OBSERVE && term.cause() == Cause.OPERATOR);
  }

  private List<SchedulerNode> nodes() {
    return new ArrayList<>(scheduler.getNodeTracker().getAllNodes());
  }

  private static Map<String, Place> places(List<SchedulerNode> nodes) {
    Map<String, Place> places = new HashMap<>();
    for (SchedulerNode node : nodes) {
      places.put(host(node), new Place(node.getPartition(), node.getRackName()));
    }
    return places;
  }

  private static String host(SchedulerNode node) {
    return node.getNodeID().getHost();
  }

  /** Closes the machines whose quarantine counts, and opens all others. */
  private void close(double now, List<SchedulerNode> nodes) {
    long at = nanos.getAsLong();
    Map<String, Long> until =
        quarantine.effective(now, places(nodes)).stream()
            .filter(this::closes)
            .collect(
                Collectors.toUnmodifiableMap(
                    Term::machine,
                    term -> at + (long) (1e9 * Math.min(STALE, term.until() - now))));
    closed =
        until.isEmpty()
            ? Closed.NONE
            : new Closed(
                until,
                nodes.stream().filter(node -> until.containsKey(host(node))).toList(),
                largest(nodes.stream().filter(node -> !until.containsKey(host(node))).toList()));
    Set<String> running =
        quarantine.running(now).stream().map(Term::machine).collect(Collectors.toSet());
    for (String machine : logged) {
      if (!running.contains(machine)) {
        LOG.info("The quarantine of machine {} is over", machine);
      }
    }
    logged.clear();
    logged.addAll(running);
  }

  /** Returns the resources of nodes by partition, without those that fit into others. */
  private static Map<String, List<Resource>> largest(List<SchedulerNode> nodes) {
    Map<String, List<Resource>> largest = new HashMap<>();
    for (SchedulerNode node : nodes) {
      Resource one = node.getTotalResource();
      List<Resource> others = largest.computeIfAbsent(node.getPartition(), p -> new ArrayList<>());
      if (others.stream().noneMatch(other -> Resources.fitsIn(one, other))) {
        others.removeIf(other -> Resources.fitsIn(other, one));
        others.add(one);
      }
    }
    return largest;
  }

  // --- for the scheduler, on any thread

  /** Returns whether a machine gets no new containers. Never blocks. */
  public boolean isClosed(String machine) {
    return closed.isClosed(machine, nanos);
  }

  /**
   * Returns whether a container fits on an open machine of a partition, once that is empty. Its
   * answer counts only while some machine is closed. Never blocks.
   */
  public boolean fitsOnOpen(String partition, Resource size) {
    return closed.open.getOrDefault(partition, List.of()).stream()
        .anyMatch(total -> Resources.fitsIn(scheduler.getResourceCalculator(), size, total));
  }

  /** Returns the free room of the closed machines of a partition. */
  public Resource room(String partition) {
    Resource room = Resources.createResource(0, 0);
    closedNodes()
        .filter(node -> partition.equals(node.getPartition()))
        .forEach(node -> Resources.addTo(room, node.getUnallocatedResource()));
    return room;
  }

  private Stream<SchedulerNode> closedNodes() {
    Closed known = closed;
    return known.nodes.stream().filter(node -> known.isClosed(host(node), nanos));
  }

  /**
   * Takes the free room of closed machines out of the headroom that an AppMaster is told. An
   * AppMaster that believes that there is room waits for it, when it should end reduces to make
   * room for maps.
   */
  public void limitHeadroom(Allocation allocation) {
    List<SchedulerNode> nodes = closedNodes().toList();
    if (nodes.isEmpty()) {
      return;
    }
    Resource free =
        Resources.subtractNonNegative(
            scheduler.getClusterResource(),
            scheduler.getRootQueue().getQueueResourceUsage().getAllUsed());
    nodes.forEach(node -> Resources.subtractFromNonNegative(free, node.getUnallocatedResource()));
    Resource told = allocation.getResourceLimit();
    if (told != null && !Resources.fitsIn(told, free)) {
      allocation.setResourceLimit(Resources.componentwiseMin(told, free));
    }
  }

  // --- for operators

  /**
   * Quarantines a machine because an operator says so, even if the mode is {@code observe}.
   *
   * @param length how long
   * @param why who has said so, and why
   * @return why it is refused; empty if it is not
   */
  public synchronized Optional<String> add(String machine, Duration length, String why) {
    if (mode == Mode.OFF) {
      return Optional.of(QuarantineKeys.MODE.key() + " is off");
    }
    double now = clock.getAsDouble();
    List<SchedulerNode> nodes = nodes();
    Optional<String> refused = quarantine.add(machine, now, length, why, places(nodes));
    if (refused.isEmpty()) {
      changed(now, nodes);
      quarantine.running(now).stream()
          .filter(term -> term.machine().equals(machine))
          .forEach(term -> log(term, now));
    }
    return refused;
  }

  /**
   * Ends a machine's quarantine because an operator says so.
   *
   * @return whether the machine was quarantined
   */
  public synchronized boolean lift(String machine, String who) {
    double now = clock.getAsDouble();
    boolean isLifted = quarantine.lift(machine, now);
    if (isLifted) {
      LOG.warn("The quarantine of machine {} is lifted by {}", machine, who);
      changed(now, nodes());
    }
    return isLifted;
  }

  private void changed(double now, List<SchedulerNode> nodes) {
    isChanged.set(true);
    if (breaker.isOpen()) {
      return; // the next look closes machines again
    }
    close(now, nodes);
  }

  // --- for the store and the page

  /**
   * Continues from what {@link #terms} returned in an earlier ResourceManager. The time between the
   * two counts in full, even if the clock counts less of it, so that no quarantine lasts longer
   * than was said. That is the time by the clocks of their machines: if this one's is behind, it
   * counts for less, and the quarantines last longer by what is missing, at most by that time.
   *
   * @param keptNow what the time is now on the clock by which they were kept
   * @param setClock sets this instance's clock to the earlier ResourceManager's
   */
  public synchronized void restore(List<Term> kept, double keptNow, Runnable setClock) {
    double before = clock.getAsDouble();
    setClock.run();
    double now = clock.getAsDouble();
    quarantine.clockSet(now - before);
    quarantine.restore(kept, now - keptNow);
    looked = Double.NEGATIVE_INFINITY;
  }

  /** Returns all quarantines, those that are over but remembered included. */
  public synchronized List<Term> terms() {
    return quarantine.terms();
  }

  /** Returns whether a quarantine has begun or was lifted since the last call. */
  public boolean takeChange() {
    return isChanged.getAndSet(false);
  }

  /** Returns the machines in quarantine now, in the order of their names. */
  public synchronized List<Quarantined> machines() {
    if (mode == Mode.OFF) {
      return List.of();
    }
    double now = clock.getAsDouble();
    return quarantine.running(now).stream()
        .map(
            term ->
                new Quarantined(
                    term.machine(),
                    term.cause(),
                    Math.max(0, now - term.since()),
                    term.until() - now,
                    term.times(),
                    term.why(),
                    isClosed(term.machine())))
        .toList();
  }

  /** Returns how many machines get no new containers now. */
  public int closed() {
    Closed known = closed;
    return (int)
        known.until.keySet().stream().filter(machine -> known.isClosed(machine, nanos)).count();
  }

  /** Returns how often the statistics have quarantined a machine, or would have. */
  public synchronized long begun() {
    return begun;
  }

  /** Returns how long the first quarantine of a machine lasts. */
  public Duration time() {
    return time;
  }

  /** Returns the mode in force. */
  public Mode mode() {
    return mode;
  }

  /** Returns the breaker that contains errors of the quarantine. */
  public CircuitBreaker breaker() {
    return breaker;
  }
}
