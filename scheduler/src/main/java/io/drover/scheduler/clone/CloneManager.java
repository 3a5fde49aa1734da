// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import io.drover.core.config.ClusterSettings;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.scheduler.clone.CloneRound.PartitionFigures;
import io.drover.scheduler.containment.DaemonExecutors;
import io.drover.scheduler.containment.FatalErrors;
import io.drover.scheduler.evidence.SlowNodeOffers;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.nodelabels.CommonNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manages the clones of a scheduler. Errors in this code do not leave it: the step that failed is
 * left out (one partition in a round, one AppMaster's requests, one offer of a node), and
 * everything else goes on.
 *
 * <p>If rounds fail several times in a row at a partition, it has no clones for a minute. After
 * several other failures with no successful round between them, clones are off everywhere for a
 * minute ({@link CircuitBreaker}). Nothing stays behind then: the gate is shut at once, and the
 * clones' thread withdraws the requests that were passed on to the scheduler and kills the live
 * clones, because nobody would make them give way. The thread that failed does not do this, because
 * it may be a node's heartbeat, which holds the scheduler's locks. Requests of AppMasters are still
 * recorded, so that one that cancels its clones in the meantime gets none later. After the minute,
 * one round is tried.
 */
public final class CloneManager {
  /** A scheduler that has clones, and may keep containers off machines. */
  public interface Holder extends OpenMachines {
    /** Returns its clones. */
    CloneManager clones();

    /** Returns what makes ordinary requests pass slow machines over. */
    SlowNodeOffers slowNodeOffers();
  }

  private static final Logger LOG = LoggerFactory.getLogger(CloneManager.class);

  private final CapacityScheduler scheduler;
  private final LongSupplier nanos;
  private final CircuitBreaker breaker;
  private final ClusterView cluster;
  private final CloneRequestBook book = new CloneRequestBook();
  private final LiveClones live = new LiveClones();
  private final CloneGate gate;
  private final CloneEvent.Recent killedLately = new CloneEvent.Recent();
  private final LongAdder started = new LongAdder();
  private final LongAdder gaveWay = new LongAdder();
  private final LongAdder aboveCeiling = new LongAdder();
  private final Set<ContainerId> wouldBeKilled = ConcurrentHashMap.newKeySet();

  /** Attempts for which the scheduler may have more requests than the book knows. */
  private final Set<ApplicationAttemptId> toWithdraw = ConcurrentHashMap.newKeySet();

  private volatile ClusterSettings settings = ClusterSettings.off();
  private volatile CloneAcl acl;
  private volatile CloneRound round;
  private ScheduledExecutorService thread;
  private volatile ScheduledExecutorService lookUps;
  private ScheduledFuture<?> rounds;
  private long failuresBefore;

  /**
   * Creates a manager. There are no clones before {@link #configure}.
   *
   * @param scheduler whose clones they are
   * @param nanos a clock that never goes back, in nanoseconds
   */
  public CloneManager(CapacityScheduler scheduler, LongSupplier nanos) {
    this.scheduler = scheduler;
    this.nanos = nanos;
    cluster = new ClusterView(scheduler);
    breaker = new CircuitBreaker("Cloning", nanos, this::shut);
    gate = new CloneGate(cluster, breaker::failed);
    acl = acl(settings);
  }

  private CloneAcl acl(ClusterSettings of) {
    return new CloneAcl(of.cloneAcl(), user -> lookUps.execute(FatalErrors.toHandler(user)), nanos);
  }

  // --- life cycle

  /** Applies settings, at the start or later. */
  public synchronized void configure(ClusterSettings now) {
    settings = now;
    cluster.types(now.cloneMode() == Mode.OFF ? List.of() : now.cloneApplicationTypes());
    gate.enforce(now.cloneMode() == Mode.ON);
    gate.shut();
    acl = acl(now);
    round = new CloneRound(cluster, book, live, gate, this::mayClone, this::kill, now, nanos);
    if (now.cloneMode() == Mode.OFF) {
      breaker.reset(); // no more rounds run that could close it
    }
    if (now.cloneMode() != Mode.ON) {
      toWithdraw.clear(); // all requests are the scheduler's now
    }
    for (ApplicationAttemptId attempt : book.attempts()) {
      if (!isKeptBack(attempt)) {
        contained(() -> keepBackNoMore(attempt));
      }
    }
    if (thread != null) {
      schedule();
    }
  }

  /** Returns whether an attempt's requests for clones go into the book. */
  private boolean isKeptBack(ApplicationAttemptId attempt) {
    return settings.cloneMode() == Mode.ON && cluster.isCloning(attempt.getApplicationId());
  }

  /** Passes everything that was kept back on to the scheduler. */
  private void keepBackNoMore(ApplicationAttemptId attempt) {
    cluster
        .application(attempt)
        .ifPresentOrElse(app -> CloneRound.handOnAll(app, book), () -> book.forget(attempt));
  }

  /** Starts the rounds. */
  public synchronized void start() {
    thread = DaemonExecutors.single("Drover clones");
    // Look-ups of users may take long. Callers never wait, so this must exist before the first one.
    // Its thread starts with its first use.
    lookUps = DaemonExecutors.single("Drover clone users");
    schedule();
  }

  /** Returns whether the clones of an application may get containers. Never blocks. */
  private boolean mayClone(FiCaSchedulerApp app) {
    return cluster.isCloning(app.getApplicationId())
        && GatedPlacementAllocator.isUsedBy(app.getAppSchedulingInfo())
        && acl.mayClone(app.getUser());
  }

  private void schedule() {
    if (rounds != null) {
      rounds.cancel(false);
    }
    long millis = settings.round().toMillis();
    rounds =
        thread.scheduleWithFixedDelay(
            FatalErrors.toHandler(this::round), millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Stops the rounds and the look-ups of users. */
  public synchronized void stop() {
    if (thread != null) {
      thread.shutdown(); // a round holds the same monitor, so none is in progress
      thread = null;
    }
    if (lookUps != null) {
      lookUps.shutdownNow();
    }
  }

  /** Runs one round. The clones' thread does this at the interval of the settings. */
  public synchronized void round() {
    if (settings.cloneMode() == Mode.OFF) {
      return;
    }
    if (!breaker.tryAcquire()) {
      leaveNothing();
      return;
    }
    if (breaker.isOpen()) {
      failuresBefore = breaker.ownFailures(); // this round is the trial: it must end well or badly
    }
    try {
      withdrawWhatFailed();
      if (cluster.isReady()) {
        round.run(breaker::count, this::unreadable);
      } else {
        gate.shut();
      }
    } catch (Throwable cause) {
      breaker.failed(cause);
    }
    // A failure between two rounds, at the gate for example, keeps the second from being a success.
    if (breaker.ownFailures() == failuresBefore) {
      breaker.succeeded();
    }
    failuresBefore = breaker.ownFailures();
  }

  /**
   * Withdraws an attempt's requests in the next round, because they cannot be read or passed on.
   * Only this attempt loses its clones: an AppMaster may request what Hadoop does not understand.
   */
  private void unreadable(ApplicationAttemptId attempt, Throwable cause) {
    if (CircuitBreaker.isFatal(cause)) {
      throw (VirtualMachineError) cause;
    }
    toWithdraw.add(attempt);
    if (breaker.count(cause)) {
      LOG.warn("The requests of {} for clones are left out", attempt, cause);
    }
  }

  /** Runs on the thread of the last failure, which may hold any locks. */
  private void shut() {
    gate.shut();
  }

  /** Withdraws all requests for clones and kills all clones, because the breaker is open. */
  private void leaveNothing() {
    gate.shut();
    if (settings.cloneMode() != Mode.ON) {
      return; // nothing was changed
    }
    live.newestFirst().forEach(clone -> contained(() -> end(clone, CloneRound.Reason.OFF.words())));
    contained(() -> cluster.applications().forEach(this::leaveNoAsks));
  }

  /** Also withdraws what Hadoop requests again for clones of which the AppMaster had not heard. */
  private void leaveNoAsks(FiCaSchedulerApp app) {
    contained(() -> CloneRound.withdraw(cluster, app));
  }

  /** Withdraws what failed before. What fails again is tried again in the next round. */
  private void withdrawWhatFailed() {
    List.copyOf(toWithdraw).forEach(this::withdraw);
  }

  private void withdraw(ApplicationAttemptId attempt) {
    try {
      cluster.application(attempt).ifPresent(app -> CloneRound.withdraw(cluster, app));
      toWithdraw.remove(attempt);
    } catch (Throwable cause) {
      unreadable(attempt, cause);
    }
  }

  private void contained(Runnable step) {
    try {
      step.run();
    } catch (Throwable cause) {
      breaker.failed(cause);
    }
  }

  private void kill(RMContainer clone, CloneRound.Reason reason) {
    if (settings.cloneMode() == Mode.OBSERVE) {
      if (reason != CloneRound.Reason.OFF) {
        wouldBeKilled.add(clone.getContainerId());
      }
      return;
    }
    switch (reason) {
      case IN_THE_WAY -> gaveWay.increment();
      case ABOVE_THE_CEILING -> aboveCeiling.increment();
      case OFF -> {} // counted as a failure
    }
    end(clone, reason.words());
  }

  private void end(RMContainer clone, String why) {
    killedLately.add(clone, why);
    // Hadoop itself requests a container again if the AppMaster has not heard of it.
    boolean unheard = clone.getState() == RMContainerState.ALLOCATED;
    ContainerRequest request = clone.getContainerRequest();
    scheduler.completedContainer(
        clone,
        SchedulerUtils.createPreemptedContainerStatus(clone.getContainerId(), why),
        RMContainerEventType.KILL);
    if (unheard && request != null && request.getResourceRequests() != null) {
      cluster
          .node(clone.getAllocatedNode())
          .ifPresent(
              node ->
                  book.lost(
                      clone.getApplicationAttemptId(),
                      clone.getAllocatedSchedulerKey(),
                      node,
                      request.getResourceRequests()));
    }
  }

  // --- called by the scheduler

  /** Returns whether an application's requests and containers of a priority are for clones. */
  public boolean isClone(ApplicationId application, Priority priority) {
    return cluster.isClone(application, priority);
  }

  /**
   * Takes the requests for clones out and records them in the book.
   *
   * @param requests normalized
   * @return the other requests
   */
  public List<ResourceRequest> keepBack(
      ApplicationAttemptId attempt, List<ResourceRequest> requests) {
    if (settings.cloneMode() != Mode.ON) {
      return requests;
    }
    List<ResourceRequest> ordinary = new ArrayList<>(requests.size());
    List<ResourceRequest> cloned = new ArrayList<>();
    for (ResourceRequest request : requests) {
      boolean isClone =
          request.getResourceName() != null // Hadoop refuses it to its AppMaster
              && isClone(attempt.getApplicationId(), request.getPriority());
      (isClone ? cloned : ordinary).add(request);
    }
    if (!cloned.isEmpty()) {
      write(attempt, cloned);
    }
    return ordinary;
  }

  /**
   * Records an AppMaster's requests, also while clones are off, because a request may be a
   * cancellation. If that fails, it is unknown what the AppMaster wants, so nothing is requested
   * until it asks again.
   */
  private void write(ApplicationAttemptId attempt, List<ResourceRequest> cloned) {
    try {
      book.update(attempt, cloned);
      if (isKeptBack(attempt)) {
        cluster.application(attempt).ifPresent(app -> CloneRound.handOnNoMore(cluster, app, book));
      } else {
        keepBackNoMore(attempt); // clones, or those of its type, were just switched off
      }
    } catch (Throwable cause) {
      book.forget(attempt);
      unreadable(attempt, cause);
    }
  }

  /**
   * Notes that an error has hidden what an attempt wants. The next round withdraws what the
   * scheduler was asked for on behalf of its clones.
   */
  public void unknown(ApplicationAttemptId attempt, Throwable cause) {
    if (settings.cloneMode() == Mode.ON) {
      toWithdraw.add(attempt);
    }
    book.forget(attempt);
    breaker.failed(cause);
  }

  /** Notes that a clone has got a container. */
  public void started(RMContainer container) {
    contained(() -> note(container));
  }

  private void note(RMContainer container) {
    live.started(container);
    started.increment();
    Resource size = container.getAllocatedResource();
    cluster
        .node(container.getAllocatedNode())
        .ifPresent(
            node -> {
              book.onAllocated(
                  container.getApplicationAttemptId(), container.getAllocatedSchedulerKey(), node);
              gate.onAllocated(node.getPartition(), size);
            });
  }

  /** Notes a clone that got its container from an earlier ResourceManager. */
  public void recovered(RMContainer container) {
    contained(() -> live.started(container));
  }

  /** Notes that a container has ended, a clone's or another. */
  public void ended(ContainerId container) {
    live.ended(container);
    if (!wouldBeKilled.isEmpty()) {
      wouldBeKilled.remove(container);
    }
  }

  // --- figures

  /** Returns how many clones have a container now. */
  public int running() {
    return live.size();
  }

  /** Returns how many clones have got a container so far. */
  public long started() {
    return started.sum();
  }

  /** Returns how many containers are requested for clones and not given. */
  public int wanted() {
    return book.count();
  }

  /** Returns how many clones were killed because others were entitled to their room. */
  public long gaveWay() {
    return gaveWay.sum();
  }

  /** Returns how many clones were killed because utilisation was above the ceiling. */
  public long aboveCeiling() {
    return aboveCeiling.sum();
  }

  /**
   * Returns for how many more clones of the smallest size the default partition has room. This is 0
   * if the attempt's user or application type may not clone. It is empty if there is no ceiling, so
   * that clones are requested like anything else.
   */
  public OptionalInt room(ApplicationAttemptId attempt) {
    if (settings.cloneMode() != Mode.ON) {
      return OptionalInt.empty();
    }
    if (isOff() || round.isOff(CommonNodeLabelsManager.NO_LABEL)) {
      return OptionalInt.of(0);
    }
    int room = 0;
    try {
      if (cluster.isReady() && cluster.application(attempt).filter(this::mayClone).isPresent()) {
        room = gate.room(CommonNodeLabelsManager.NO_LABEL, cluster.smallest(), round.ceiling());
      }
    } catch (Throwable cause) {
      breaker.failed(cause);
    }
    return OptionalInt.of(room);
  }

  /** Returns the clones that were killed last, the newest first. */
  public List<CloneEvent> killedLately() {
    return killedLately.newestFirst();
  }

  /** Returns the figures of all partitions, by name. */
  public synchronized List<PartitionFigures> partitions() {
    return round == null ? List.of() : round.figures(isOff());
  }

  /** Returns the settings in force. */
  public ClusterSettings settings() {
    return settings;
  }

  /** Returns in how many partitions errors have switched clones off for now. */
  public int partitionsOff() {
    return round == null ? 0 : round.partitionsOff();
  }

  /** Returns whether errors have switched clones off everywhere for now. */
  public boolean isOff() {
    return breaker.isOpen();
  }

  /** Returns the breaker that contains errors. */
  public CircuitBreaker breaker() {
    return breaker;
  }

  /** Returns how many running clones would have been killed if the mode were not to observe. */
  public int wouldBeKilled() {
    return wouldBeKilled.size();
  }

  /** Returns how often a clone was refused a container that the scheduler had for it. */
  public long refused() {
    return gate.refused();
  }

  /** Returns the resources that clones hold. */
  public Resource held() {
    Resource sum = Resources.createResource(0, 0);
    live.newestFirst().forEach(clone -> Resources.addTo(sum, clone.getAllocatedResource()));
    return sum;
  }

  CloneGate gate() {
    return gate;
  }
}
