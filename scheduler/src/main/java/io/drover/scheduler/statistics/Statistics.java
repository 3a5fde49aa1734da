// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.channel.ClusterState;
import io.drover.channel.ClusterTable;
import io.drover.channel.ClusterVoice;
import io.drover.channel.Report;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.Mode;
import io.drover.core.machine.MachineSettings;
import io.drover.scheduler.clone.Clones;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.concurrent.HadoopExecutors;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the ResourceManager learns from AppMasters and tells them. Reports and the ends of
 * containers are put into an inbox by whoever has them, and learnt from by a thread of its own, in
 * their order; what is told is what that thread has left for all to read. So nobody waits for
 * anybody. An error ends the learning until the next start, and nothing else.
 */
public final class Statistics implements ClusterVoice {
  private static final Logger LOG = LoggerFactory.getLogger(Statistics.class);

  /** Half a second: an outlier's machine is known before its copy is asked for. */
  private static final long ROUND_MILLIS = 500;

  /** What a cluster of 10,000 nodes can do in a round, and some. */
  private static final int INBOX = 200_000;

  private final CapacityScheduler scheduler;
  private final Clones clones;
  private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final Set<ApplicationAttemptId> speakers = ConcurrentHashMap.newKeySet();
  private volatile ClusterSettings settings;
  private volatile Learnt learnt = Learnt.NOTHING;
  private volatile boolean givenUp;
  private Learner learner;
  private volatile Duration window = Duration.ZERO;
  private volatile Optional<MemoryStore> store = Optional.empty();
  private double written;
  private ScheduledExecutorService thread;

  /**
   * Learns nothing before it is started.
   *
   * @param clones of the same scheduler
   */
  public Statistics(CapacityScheduler scheduler, Clones clones) {
    this.scheduler = scheduler;
    this.clones = clones;
  }

  /** New settings; those of the window and the directory are in force from the next start on. */
  public void configure(ClusterSettings now) {
    settings = now;
  }

  /** Begins to learn, where an earlier ResourceManager ended if that is known. */
  @SuppressWarnings("FutureReturnValueIgnored") // what it throws ends in guarded()
  public synchronized void start(Configuration conf) {
    MachineSettings machines = machineSettings();
    window = machines.window();
    learner = new Learner(machines, this::racks, seconds());
    written = seconds();
    thread =
        HadoopExecutors.newSingleThreadScheduledExecutor(
            work -> {
              Thread daemon = new Thread(work, "Drover statistics");
              daemon.setDaemon(true);
              return daemon;
            });
    thread.execute(() -> guarded(() -> remember(machines, conf)));
    thread.scheduleWithFixedDelay(
        () -> guarded(this::round), ROUND_MILLIS, ROUND_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Ends; what was learnt since the last window's end is written. */
  public synchronized void stop() {
    if (thread == null) {
      return;
    }
    thread.execute(() -> guarded(this::write));
    thread.shutdown();
    try {
      if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("What Drover has learnt of machines may not have been written");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread = null;
  }

  private MachineSettings machineSettings() {
    MachineSettings byDefault = MachineSettings.DEFAULT;
    return new MachineSettings(
        byDefault.estimator(),
        settings.statisticsWindow(),
        longer(byDefault.memory()),
        longer(byDefault.clusterMemory()),
        longer(byDefault.lossMemory()),
        byDefault.forgetAfter(),
        byDefault.leastAttempts(),
        byDefault.priorOutliers(),
        byDefault.slowShare());
  }

  /** Nothing is forgotten within a window. */
  private Duration longer(Duration memory) {
    return memory.compareTo(settings.statisticsWindow()) > 0 ? memory : settings.statisticsWindow();
  }

  private static double seconds() {
    return System.currentTimeMillis() / 1e3;
  }

  private List<String> racks() {
    return scheduler.getNodeTracker().getAllNodes().stream()
        .map(node -> node.getRackName())
        .distinct()
        .toList();
  }

  // --- on its own thread

  private void guarded(Runnable work) {
    if (givenUp) {
      return;
    }
    try {
      work.run();
    } catch (RuntimeException e) {
      givenUp = true;
      learnt = Learnt.NOTHING;
      LOG.warn("Drover learns nothing of machines until the next start, because of an error", e);
    }
  }

  private void remember(MachineSettings machines, Configuration conf) {
    if (settings.statisticsDir().isEmpty()) {
      return;
    }
    String dir = settings.statisticsDir().get();
    try {
      MemoryStore opened = new MemoryStore(dir, scheduler.getRMContext().getEpoch(), conf);
      opened.read().ifPresent(memory -> learner.restore(machines, memory));
      learnt = learner.learnt(seconds()); // AppMasters ask at once after a failover
      store = Optional.of(opened);
    } catch (IOException e) {
      LOG.warn("What Drover learns of machines is not kept: {} cannot be used", dir, e);
    }
  }

  /** Learns from what has come. */
  private void round() {
    for (Runnable letter = inbox.poll(); letter != null; letter = inbox.poll()) {
      waiting.decrementAndGet();
      letter.run();
    }
    double now = seconds();
    learner.advance(now, this::knows);
    speakers.removeIf(attempt -> !knows(attempt));
    learnt = learner.learnt(now);
    if (now - written >= settings.statisticsWindow().toSeconds()) {
      write();
    }
  }

  private void write() {
    written = seconds();
    store.ifPresent(
        opened -> {
          try {
            opened.write(learner.memory(written));
          } catch (IOException e) {
            LOG.warn("What Drover has learnt of machines could not be written", e);
          }
        });
  }

  // --- on anybody's

  private void post(Runnable letter) {
    if (givenUp) {
      return;
    }
    if (waiting.incrementAndGet() > INBOX) {
      waiting.decrementAndGet(); // figures are missing; nothing else is
      return;
    }
    inbox.add(letter);
  }

  /** A container has ended: never waits. */
  public void ended(RMContainer container) {
    if (speakers.isEmpty()) {
      return;
    }
    ApplicationAttemptId attempt = container.getContainerId().getApplicationAttemptId();
    if (speakers.contains(attempt)) {
      String machine = container.getAllocatedNode().getHost();
      post(() -> learner.ended(attempt, machine));
    }
  }

  @Override
  public boolean knows(ApplicationAttemptId attempt) {
    FiCaSchedulerApp app = scheduler.getApplicationAttempt(attempt);
    return app != null && app.getApplicationAttemptId().equals(attempt) && !app.isStopped();
  }

  @Override
  public void hear(ApplicationAttemptId attempt, Report report) {
    if (settings.statisticsMode() == Mode.OFF) {
      return;
    }
    speakers.add(attempt);
    double now = seconds();
    post(() -> learner.heard(attempt, report, now));
  }

  @Override
  public ClusterState state(ApplicationAttemptId attempt, List<String> machines) {
    boolean told = settings.statisticsMode() == Mode.ON;
    Learnt known = told ? learnt : Learnt.NOTHING;
    OptionalDouble p = known.outlierProbability();
    ClusterTable table = known.table(machines);
    return new ClusterState(p, table, clones.room(), settings.upstreamRatio(), Optional.empty());
  }

  /** What is known now. */
  public Learnt learnt() {
    return learnt;
  }

  /** How many applications that run have reported. */
  public int reporting() {
    return speakers.size();
  }

  /** In which attempts are counted: as it was set when the learning began. */
  public Duration window() {
    return window;
  }

  /** Whether what is learnt outlives the ResourceManager. */
  public boolean isKept() {
    return store.isPresent();
  }

  /** Whether an error has ended the learning. */
  public boolean isGivenUp() {
    return givenUp;
  }
}
