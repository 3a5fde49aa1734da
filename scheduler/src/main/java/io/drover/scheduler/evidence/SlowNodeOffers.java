// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.evidence;

import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Offers machines that others call slow last. A request passes such a machine over
 *
 * <ul>
 *   <li>while all containers that it still wants fit into the free room of other machines of the
 *       partition: those that nobody calls slow, that are open, run, have sent a heartbeat lately
 *       and have no reservation; and
 *   <li>for {@link #PATIENCE} at most, because it may have no use for that room: its queue may be
 *       at a limit, its application may have blacklisted the machines, others may be faster. Then
 *       its whole application takes what it gets, until it has got a container on a machine that is
 *       not slow, or for {@link #VAIN}.
 * </ul>
 *
 * <p>A request that names its racks or machines and allows no others never waits.
 *
 * <p>So slow machines are used as soon as the cluster has more to do than the others can take, and
 * nothing waits for room that is only promised. Nothing is reserved on a machine that is passed
 * over, and other applications get their turn there. (Where several nodes are tried at once, Hadoop
 * 3.5 reserves only on the last one that it tries, so a request may have to reserve a little
 * later.) Mantri (section 5.5) lets first attempts, too, keep away from a bad machine.
 *
 * <p>The free room is that of the last look, at most half a second old. Without a look for {@link
 * #STALE}, or after several errors in a row ({@link CircuitBreaker}), no machine is passed over.
 */
public final class SlowNodeOffers {
  /** Several heartbeats of nodes, by default of a second, so that each of them is offered. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** How long an application that has waited in vain does not wait again. */
  static final Duration VAIN = Duration.ofMinutes(5);

  /** The age at which a look does not count any more. */
  private static final Duration STALE = Duration.ofSeconds(5);

  /** How many sizes of containers a look is asked about. Jobs have few, and each costs a count. */
  private static final int MOST_SIZES = 100;

  private final CapacityScheduler scheduler;
  private final LongSupplier nanos;
  private final CircuitBreaker breaker;
  private final LongAdder waits = new LongAdder();

  /** When applications have waited in vain, in nanoseconds. */
  private final Map<ApplicationAttemptId, Long> impatient = new ConcurrentHashMap<>();

  private volatile Mode mode = Mode.OFF;
  private volatile Look last = Look.NONE;

  /** Free room of one machine. */
  private record Room(String partition, Resource free) {}

  /** A size of containers in a partition. */
  private record Size(String partition, Resource each) {}

  /**
   * What a look has found.
   *
   * @param slow the machines that are offered last
   * @param others the free room of the others
   * @param counts how many containers of a size fit there, as far as somebody has asked
   * @param at when, in nanoseconds
   */
  private record Look(Set<String> slow, List<Room> others, Map<Size, Long> counts, long at) {
    static final Look NONE = new Look(Set.of(), List.of(), Map.of(), 0);

    boolean fit(String partition, Resource each, int containers, ResourceCalculator calculator) {
      if (each.getMemorySize() <= 0 || containers <= 0) {
        return false; // between two changes of a request
      }
      Size size = new Size(partition, each);
      Long count = counts.get(size);
      if (count == null && counts.size() < MOST_SIZES) {
        count =
            others.stream()
                .filter(room -> room.partition.equals(partition))
                .mapToLong(room -> calculator.computeAvailableContainers(room.free, each))
                .sum();
        counts.put(new Size(partition, Resources.clone(each)), count);
      }
      return count != null && containers <= count;
    }
  }

  /**
   * Creates offers of all machines alike.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   */
  public SlowNodeOffers(CapacityScheduler scheduler, LongSupplier nanos) {
    this.scheduler = scheduler;
    this.nanos = nanos;
    breaker = new CircuitBreaker("Offering slow machines last", nanos, () -> last = Look.NONE);
  }

  /** Applies a new setting. */
  public void configure(Mode now) {
    mode = now;
    if (now == Mode.OFF) {
      last = Look.NONE;
    }
  }

  /**
   * Looks at the machines. Contains its errors.
   *
   * @param slow the machines that others call slow
   * @param isClosed whether a machine gets no containers at all
   */
  public void look(Set<String> slow, Predicate<String> isClosed) {
    if (mode == Mode.OFF || slow.isEmpty()) {
      last = Look.NONE;
      return;
    }
    breaker.run(
        () -> {
          impatient.values().removeIf(since -> nanos.getAsLong() - since >= VAIN.toNanos());
          List<Room> others =
              scheduler.getNodeTracker().getAllNodes().stream()
                  .filter(node -> !slow.contains(host(node)) && !isClosed.test(host(node)))
                  .filter(this::isOffered)
                  .map(SlowNodeOffers::room)
                  .toList();
          last = new Look(Set.copyOf(slow), others, new ConcurrentHashMap<>(), nanos.getAsLong());
        });
  }

  private static Room room(SchedulerNode node) {
    return new Room(node.getPartition(), Resources.clone(node.getUnallocatedResource()));
  }

  /** Returns whether others than who has reserved a node get its free room. */
  private boolean isOffered(SchedulerNode node) {
    return node.getRMNode().getState() == NodeState.RUNNING
        && node.getReservedContainer() == null
        && SchedulerUtils.isNodeHeartbeated(node, scheduler.getSkipNodeInterval());
  }

  private static String host(SchedulerNode node) {
    return node.getNodeID().getHost();
  }

  /** Returns how often a request began to wait, or would have in the mode {@code observe}. */
  public long waits() {
    return waits.sum();
  }

  /** Returns the breaker that contains errors of the offers. */
  public CircuitBreaker breaker() {
    return breaker;
  }

  /** Returns the patience of one request of an application. */
  public Patience patience(ApplicationAttemptId application) {
    return new Patience(application);
  }

  /** What one request makes of offers. */
  public final class Patience {
    private final ApplicationAttemptId application;

    /** When it has passed a machine over first since its last container elsewhere, if it has. */
    private volatile OptionalLong since = OptionalLong.empty();

    private Patience(ApplicationAttemptId application) {
      this.application = application;
    }

    /** Returns whether a machine is one that the request may pass over. Never blocks. */
    public boolean mayPassOver(SchedulerNode node) {
      return last.slow.contains(host(node));
    }

    /**
     * Returns whether the request passes over a machine that it may pass over. Never blocks, and
     * contains its errors.
     *
     * @param each the size of a container
     * @param containers how many of them it still wants
     */
    public boolean passesOver(SchedulerNode node, Resource each, int containers) {
      Look now = last;
      try {
        long at = nanos.getAsLong();
        if (at - now.at > STALE.toNanos()
            || hasWaitedInVain(at)
            || !now.fit(node.getPartition(), each, containers, scheduler.getResourceCalculator())) {
          return false;
        }
        if (since.isEmpty()) {
          since = OptionalLong.of(at);
          waits.increment();
        }
        if (at - since.orElse(at) >= PATIENCE.toNanos()) {
          impatient.put(application, at);
          return false;
        }
        return mode == Mode.ON;
      } catch (Throwable cause) {
        breaker.failed(cause);
        return false;
      }
    }

    private boolean hasWaitedInVain(long at) {
      Long since = impatient.get(application);
      return since != null && at - since < VAIN.toNanos();
    }

    /** Notes that the request got a container on a machine. */
    public void allocated(SchedulerNode node) {
      if (!mayPassOver(node)) {
        since = OptionalLong.empty();
        impatient.remove(application);
      }
    }
  }
}
