// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import io.drover.core.clone.CloneCeiling;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
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
import org.apache.hadoop.yarn.util.resource.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that a scheduler has to do with clones. Whatever goes wrong in here ends here: clones are
 * given up then, and everything else goes on.
 */
public final class Clones {
  private static final Logger LOG = LoggerFactory.getLogger(Clones.class);

  /** A scheduler that has clones. */
  public interface Holder {
    /** Its clones. */
    Clones clones();
  }

  private final CapacityScheduler scheduler;
  private final ClusterView cluster;
  private final CloneAsks book = new CloneAsks();
  private final LiveClones live = new LiveClones();
  private final CloneGate gate;
  private final RecentEvents killedLately = new RecentEvents();
  private final LongAdder started = new LongAdder();
  private final LongAdder gaveWay = new LongAdder();
  private final LongAdder aboveCeiling = new LongAdder();
  private final Set<ContainerId> wouldBeKilled = ConcurrentHashMap.newKeySet();
  private volatile ClusterSettings settings;
  private CloneRound round;
  private ScheduledExecutorService thread;
  private ScheduledFuture<?> rounds;
  private volatile boolean givenUp;

  /**
   * Without settings there are no clones.
   *
   * @param scheduler whose clones they are
   */
  public Clones(CapacityScheduler scheduler) {
    this.scheduler = scheduler;
    cluster = new ClusterView(scheduler);
    gate = new CloneGate(cluster);
  }

  // --- life

  /** New settings, at the start or in between. */
  public synchronized void configure(ClusterSettings now) {
    settings = now;
    cluster.types(now.cloneMode() == Mode.OFF ? List.of() : now.cloneApplicationTypes());
    gate.enforce(now.cloneMode() == Mode.ON);
    gate.shut();
    round = new CloneRound(cluster, book, live, gate, this::kill, now);
    if (now.cloneMode() != Mode.ON) {
      handOnEverything();
    }
    if (thread != null) {
      schedule();
    }
  }

  /** What was kept back is the scheduler's from now on. */
  private void handOnEverything() {
    for (CloneAsks.Ask ask : book.all(cluster)) {
      cluster
          .application(ask.attempt)
          .ifPresent(app -> CloneRound.handOn(app, book, ask, book.count(ask)));
      book.forget(ask);
    }
  }

  /** Begins to look after clones. */
  public synchronized void start() {
    thread = HadoopExecutors.newSingleThreadScheduledExecutor(this::daemon);
    schedule();
  }

  private Thread daemon(Runnable work) {
    Thread daemon = new Thread(work, "Drover clones");
    daemon.setDaemon(true);
    return daemon;
  }

  private void schedule() {
    if (rounds != null) {
      rounds.cancel(false);
    }
    long millis = settings.round().toMillis();
    rounds = thread.scheduleWithFixedDelay(this::round, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Ends. */
  public synchronized void stop() {
    if (thread != null) {
      thread.shutdown(); // a round holds the same monitor, so none is in progress
      thread = null;
    }
  }

  /** One look at the cluster, which happens by itself as often as the settings say. */
  public synchronized void round() {
    if (!givenUp && settings.cloneMode() != Mode.OFF) {
      guarded(round::run);
    }
  }

  /** No clone starts from now on, and those that run end: nobody would make them give way. */
  private void giveUp(RuntimeException because) {
    if (givenUp) {
      return;
    }
    givenUp = true;
    gate.shut();
    LOG.warn("Drover runs no more clones until the next start, because of an error", because);
    try {
      live.newestFirst().forEach(clone -> end(clone, "Drover: clones are given up"));
    } catch (RuntimeException e) {
      LOG.warn("Some clones run on", e);
    }
  }

  private void kill(RMContainer clone, CloneRound.Reason reason) {
    if (settings.cloneMode() == Mode.OBSERVE) {
      wouldBeKilled.add(clone.getContainerId());
      return;
    }
    (reason == CloneRound.Reason.IN_THE_WAY ? gaveWay : aboveCeiling).increment();
    end(clone, reason.words());
  }

  private void end(RMContainer clone, String why) {
    killedLately.add(clone, why);
    // One that its AppMaster has not heard of is asked for again by Hadoop itself.
    boolean unheard = clone.getState() == RMContainerState.ALLOCATED;
    scheduler.completedContainer(
        clone,
        SchedulerUtils.createPreemptedContainerStatus(clone.getContainerId(), why),
        RMContainerEventType.KILL);
    if (unheard) {
      cluster
          .node(clone.getAllocatedNode())
          .ifPresent(
              node ->
                  book.lost(
                      clone.getApplicationAttemptId(), clone.getAllocatedSchedulerKey(), node));
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
    if (cloned.isEmpty() || givenUp) {
      return ordinary;
    }
    guarded(() -> write(attempt, cloned));
    return ordinary;
  }

  /** An AppMaster that wants fewer than it did is not given them in the meantime. */
  private void write(ApplicationAttemptId attempt, List<ResourceRequest> cloned) {
    book.update(attempt, cloned);
    cluster
        .application(attempt)
        .ifPresent(
            app -> {
              for (CloneAsks.Ask ask : book.of(attempt)) {
                int outstanding = app.getOutstandingAsksCount(ask.key);
                CloneRound.handOn(app, book, ask, Math.min(outstanding, book.count(ask)));
              }
            });
  }

  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      giveUp(e);
    }
  }

  /** A clone has got a container. */
  public void started(RMContainer container) {
    guarded(() -> note(container));
  }

  private void note(RMContainer container) {
    live.started(container);
    started.increment();
    Resource size = container.getAllocatedResource();
    cluster
        .node(container.getAllocatedNode())
        .ifPresent(
            node -> {
              book.given(
                  container.getApplicationAttemptId(), container.getAllocatedSchedulerKey(), node);
              gate.given(node.getPartition(), size);
            });
  }

  /** A clone that was given a container by an earlier ResourceManager. */
  public void recovered(RMContainer container) {
    live.started(container);
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
   * How many more clones of the smallest size there is room for in the default partition; empty
   * where they are not kept under the ceiling, and asked for like anything else.
   */
  public OptionalInt room() {
    if (settings.cloneMode() != Mode.ON) {
      return OptionalInt.empty();
    }
    if (isGivenUp()) {
      return OptionalInt.of(0);
    }
    CloneCeiling unseen = new CloneCeiling(settings.maxUtilisation(), settings.hysteresis());
    Resource smallest = scheduler.getMinimumResourceCapability();
    return OptionalInt.of(gate.room(CommonNodeLabelsManager.NO_LABEL, smallest, unseen));
  }

  /** The clones that were killed last, the newest first. */
  public List<CloneEvent> killedLately() {
    return killedLately.all();
  }

  /** All partitions, by name. */
  public synchronized List<PartitionFigures> partitions() {
    return round.figures(isGivenUp());
  }

  /** What is in force. */
  public ClusterSettings settings() {
    return settings;
  }

  /** Whether an error has ended them. */
  public boolean isGivenUp() {
    return givenUp || gate.isBroken();
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
