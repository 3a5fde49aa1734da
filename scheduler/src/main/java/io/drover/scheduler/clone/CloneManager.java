// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import io.drover.core.config.ClusterSettings;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.scheduler.clone.CloneRound.PartitionFigures;
import io.drover.scheduler.containment.FatalErrors;
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
import org.apache.hadoop.util.concurrent.HadoopExecutors;
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

/**
 * Manages the clones of a scheduler. Whatever goes wrong in here ends here: the step that failed is
 * left out (one partition in a round, one AppMaster's word, one offer of a node), and everything
 * else goes on.
 *
 * <p>A partition at which rounds fail several times in a row has no clones for a minute. After
 * several other failures with no round between them in which nothing else failed, clones are off
 * everywhere for a minute ({@link CircuitBreaker}). That leaves nothing behind: the gate is shut at
 * once; the clones' thread takes back what was handed on to the scheduler and ends the clones that
 * live, since nobody would make them give way. It does so there, and not where the failure was:
 * that may be a node's heartbeat, which holds locks of the scheduler's. What AppMasters say is
 * still written down, so one that wants no more clones in the meantime gets none later. Then one
 * round is tried.
 */
public final class CloneManager {
  /** A scheduler that has clones. */
  public interface Holder {
    /** Its clones. */
    CloneManager clones();
  }

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

  /** Attempts of which the scheduler may have been asked for more than the book knows. */
  private final Set<ApplicationAttemptId> toWithdraw = ConcurrentHashMap.newKeySet();

  private volatile ClusterSettings settings = ClusterSettings.off();
  private volatile CloneAcl acl;
  private volatile CloneRound round;
  private ScheduledExecutorService thread;
  private volatile ScheduledExecutorService lookUps;
  private ScheduledFuture<?> rounds;
  private long failuresBefore;

  /**
   * Without settings there are no clones.
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

  // --- life

  /** New settings, at the start or in between. */
  public synchronized void configure(ClusterSettings now) {
    settings = now;
    cluster.types(now.cloneMode() == Mode.OFF ? List.of() : now.cloneApplicationTypes());
    gate.enforce(now.cloneMode() == Mode.ON);
    gate.shut();
    acl = acl(now);
    round = new CloneRound(cluster, book, live, gate, this::mayClone, this::kill, now, nanos);
    if (now.cloneMode() == Mode.OFF) {
      breaker.reset(); // there are no more rounds, so none would find that it works again
    }
    if (now.cloneMode() != Mode.ON) {
      toWithdraw.clear(); // whatever is asked for is the scheduler's business
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

  /** Whether what an attempt asks for on behalf of clones goes into the book. */
  private boolean isKeptBack(ApplicationAttemptId attempt) {
    return settings.cloneMode() == Mode.ON && cluster.isCloning(attempt.getApplicationId());
  }

  /** What was kept back is the scheduler's from now on. */
  private void keepBackNoMore(ApplicationAttemptId attempt) {
    cluster
        .application(attempt)
        .ifPresentOrElse(app -> CloneRound.handOnAll(app, book), () -> book.forget(attempt));
  }

  /** Begins to look after clones. */
  public synchronized void start() {
    thread = HadoopExecutors.newSingleThreadScheduledExecutor(work -> daemon(work, "clones"));
    // What may take long; who waits for nobody must find it made. It has no thread before its use.
    lookUps = HadoopExecutors.newSingleThreadScheduledExecutor(work -> daemon(work, "clone users"));
    schedule();
  }

  private static Thread daemon(Runnable work, String name) {
    Thread daemon = new Thread(work, "Drover " + name);
    daemon.setDaemon(true);
    return daemon;
  }

  /** Whether the clones of an application are given any containers: never waits. */
  private boolean mayClone(FiCaSchedulerApp app) {
    return cluster.isCloning(app.getApplicationId())
        && ClonePlacementAllocator.isUsedBy(app.getAppSchedulingInfo())
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

  /** Ends. */
  public synchronized void stop() {
    if (thread != null) {
      thread.shutdown(); // a round holds the same monitor, so none is in progress
      thread = null;
    }
    if (lookUps != null) {
      lookUps.shutdownNow();
    }
  }

  /** One look at the cluster, which happens by itself as often as the settings say. */
  public synchronized void round() {
    if (settings.cloneMode() == Mode.OFF) {
      return;
    }
    if (!breaker.tryAcquire()) {
      leaveNothing();
      return;
    }
    if (breaker.isOpen()) {
      failuresBefore = breaker.failures(); // this is the trial, which must end well or badly
    }
    try {
      withdrawWhatFailed();
      if (cluster.isReady()) {
        round.run(this::leftOut, this::unreadable);
      } else {
        gate.shut();
      }
    } catch (Throwable cause) {
      breaker.failed(cause);
    }
    // What fails between two rounds, at the gate say, keeps the second one from being a success.
    if (breaker.failures() == failuresBefore) {
      breaker.succeeded();
    }
    failuresBefore = breaker.failures();
  }

  /** A partition is: its own breaker opens, and the round has not failed. */
  private void leftOut(Throwable cause) {
    breaker.count(cause);
    failuresBefore++;
  }

  /** Nobody looks after an attempt's asks in this round. */
  private void unreadable(ApplicationAttemptId attempt, Throwable cause) {
    toWithdraw.add(attempt);
    leftOut(cause);
  }

  /** Called where the last of several failures was, with whatever locks are held there. */
  private void shut() {
    gate.shut();
  }

  /** The breaker is open: no clone is asked for, and none lives. */
  private void leaveNothing() {
    gate.shut();
    if (settings.cloneMode() != Mode.ON) {
      return; // nothing was touched
    }
    live.newestFirst().forEach(clone -> contained(() -> end(clone, CloneRound.Reason.OFF.words())));
    contained(() -> cluster.applications().forEach(this::leaveNoAsks));
  }

  /** Hadoop has asked again for those that their AppMasters had not heard of. */
  private void leaveNoAsks(FiCaSchedulerApp app) {
    contained(() -> CloneRound.withdraw(cluster, app));
  }

  /** One that fails is tried again in the next round. */
  private void withdrawWhatFailed() {
    List.copyOf(toWithdraw).forEach(attempt -> contained(() -> withdraw(attempt)));
  }

  private void withdraw(ApplicationAttemptId attempt) {
    cluster.application(attempt).ifPresent(app -> CloneRound.withdraw(cluster, app));
    toWithdraw.remove(attempt);
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
      case OFF -> {} // counted where it failed
    }
    end(clone, reason.words());
  }

  private void end(RMContainer clone, String why) {
    killedLately.add(clone, why);
    // One that its AppMaster has not heard of is asked for again by Hadoop itself.
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

  // --- what the scheduler does

  /** Whether what an application asks for or holds at a priority is a clone's. */
  public boolean isClone(ApplicationId application, Priority priority) {
    return cluster.isClone(application, priority);
  }

  /**
   * Keeps what is asked for on behalf of clones.
   *
   * @param requests normalized
   * @return the others
   */
  public List<ResourceRequest> keepBack(
      ApplicationAttemptId attempt, List<ResourceRequest> requests) {
    if (settings.cloneMode() != Mode.ON) {
      return requests;
    }
    List<ResourceRequest> ordinary = new ArrayList<>(requests.size());
    List<ResourceRequest> cloned = new ArrayList<>();
    for (ResourceRequest request : requests) {
      boolean isClone = isClone(attempt.getApplicationId(), request.getPriority());
      (isClone ? cloned : ordinary).add(request);
    }
    if (!cloned.isEmpty()) {
      write(attempt, cloned);
    }
    return ordinary;
  }

  /**
   * Writes an AppMaster's word down, also while clones are off: one that is passed over may be a
   * cancellation. If that fails nothing is known of what the AppMaster wants, so nothing is asked
   * for until it says so again.
   */
  private void write(ApplicationAttemptId attempt, List<ResourceRequest> cloned) {
    try {
      book.update(attempt, cloned);
      if (isKeptBack(attempt)) {
        cluster.application(attempt).ifPresent(app -> CloneRound.handOnNoMore(cluster, app, book));
      } else {
        keepBackNoMore(attempt); // clones have just been switched off, or those of its type
      }
    } catch (Throwable cause) {
      unknown(attempt, cause);
    }
  }

  /**
   * What an attempt wants is not known, because of an error. What the scheduler is asked for on
   * behalf of its clones is withdrawn in the next round.
   */
  public void unknown(ApplicationAttemptId attempt, Throwable cause) {
    if (settings.cloneMode() == Mode.ON) {
      toWithdraw.add(attempt);
    }
    book.forget(attempt);
    breaker.failed(cause);
  }

  /** A clone has got a container. */
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

  /** A clone that was given a container by an earlier ResourceManager. */
  public void recovered(RMContainer container) {
    contained(() -> live.started(container));
  }

  /** A container has ended, a clone's or not. */
  public void ended(ContainerId container) {
    live.ended(container);
    if (!wouldBeKilled.isEmpty()) {
      wouldBeKilled.remove(container);
    }
  }

  // --- for those who watch

  /** How many clones have a container now. */
  public int running() {
    return live.size();
  }

  /** How many have got a container. */
  public long started() {
    return started.sum();
  }

  /** How many containers are asked for on behalf of clones and not given. */
  public int wanted() {
    return book.count();
  }

  /** How many were killed because others were entitled to their room. */
  public long gaveWay() {
    return gaveWay.sum();
  }

  /** How many were killed because utilisation was above the ceiling. */
  public long aboveCeiling() {
    return aboveCeiling.sum();
  }

  /**
   * How many more clones of the smallest size there is room for in the default partition: none for
   * an attempt whose user or type may not clone. Empty where clones are not kept under the ceiling,
   * and asked for like anything else.
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
        room = gate.room(CommonNodeLabelsManager.NO_LABEL, cluster.smallest(), unseen());
      }
    } catch (Throwable cause) {
      breaker.failed(cause);
    }
    return OptionalInt.of(room);
  }

  private PartitionCeiling unseen() {
    return new PartitionCeiling(settings.maxUtilisation(), settings.hysteresis(), cluster::counts);
  }

  /** The clones that were killed last, the newest first. */
  public List<CloneEvent> killedLately() {
    return killedLately.newestFirst();
  }

  /** All partitions, by name. */
  public synchronized List<PartitionFigures> partitions() {
    return round == null ? List.of() : round.figures(isOff());
  }

  /** What is in force. */
  public ClusterSettings settings() {
    return settings;
  }

  /** In how many partitions errors have switched them off for now. */
  public int partitionsOff() {
    return round == null ? 0 : round.partitionsOff();
  }

  /** Whether errors have switched them off everywhere for now. */
  public boolean isOff() {
    return breaker.isOpen();
  }

  /** Contains what goes wrong. */
  public CircuitBreaker breaker() {
    return breaker;
  }

  /** How many of those that run would have been killed, where nothing is touched. */
  public int wouldBeKilled() {
    return wouldBeKilled.size();
  }

  /** How often one was refused a container that the scheduler had for it. */
  public long refused() {
    return gate.refused();
  }

  /** What clones hold. */
  public Resource held() {
    Resource sum = Resources.createResource(0, 0);
    live.newestFirst().forEach(clone -> Resources.addTo(sum, clone.getAllocatedResource()));
    return sum;
  }

  CloneGate gate() {
    return gate;
  }
}
