// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.channel.ClusterState;
import io.drover.channel.ClusterTable;
import io.drover.channel.JobStart;
import io.drover.channel.Report;
import io.drover.channel.ReportHandler;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.machine.MachineSettings;
import io.drover.scheduler.clone.CloneManager;
import io.drover.scheduler.containment.DaemonExecutors;
import io.drover.scheduler.containment.FatalErrors;
import io.drover.scheduler.evidence.MachineNames;
import io.drover.scheduler.evidence.SlowNodeOffers;
import io.drover.scheduler.evidence.SlowNodes;
import io.drover.scheduler.predict.FailurePrediction;
import io.drover.scheduler.quarantine.NodeQuarantine;
import io.drover.scheduler.statistics.Learner.KnownCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns from the reports of AppMasters, and tells them what is known. RPC threads and the
 * scheduler put reports and the ends of containers into a {@link ReportQueue}. A separate thread
 * takes them from there, learns from them, and publishes a new view for all readers. So no thread
 * waits for another.
 *
 * <p>A report that cannot be learnt from is dropped, and its application is ignored for a minute.
 * So several failures in a row come from several AppMasters. After these, nothing is learnt for a
 * minute ({@link CircuitBreaker}). AppMasters are then not told what was learnt before, and the
 * reports of that time are lost.
 */
public final class Statistics implements ReportHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Statistics.class);

  /** Half a second, so that an outlier's machine is known before its copy is requested. */
  private static final long ROUND_MILLIS = 500;

  /** How long a round takes reports at most, because there may always be more. */
  private static final long MOST_NANOS_OF_A_ROUND = 400_000_000;

  /** Seconds between two views without news. Figures then only fade as windows end. */
  private static final double MOST_SECONDS_AS_IT_WAS = 5;

  private static final long SILENCE_NANOS = CircuitBreaker.PAUSE.toNanos();

  private final CapacityScheduler scheduler;
  private final CloneManager clones;
  private final FailurePrediction prediction;
  private final LongSupplier nanos;
  private final CircuitBreaker breaker;
  private final StatePersister persister;
  private final NodeQuarantine quarantine;
  private final SlowNodes slowNodes;
  private final SlowNodeOffers slowNodeOffers;
  private final ReportQueue inbox = new ReportQueue();
  private final ProgramMemory programs = new ProgramMemory();
  private final JobActions actions;
  private final CircuitBreaker counting;

  /** Attempts whose reports are ignored, and since when. Used by the learning thread only. */
  private final Map<ApplicationAttemptId, Long> silenced = new HashMap<>();

  private volatile SteadyClock clock;
  private volatile ClusterSettings settings = ClusterSettings.off();
  private volatile MachineView view = MachineView.NOTHING;
  private volatile Map<String, String> calledSlow = Map.of();
  private volatile Duration window = Duration.ZERO;
  private Learner learner;
  private double written;
  private double computed;
  private ScheduledExecutorService thread;

  /**
   * Creates statistics that learn nothing before they are started.
   *
   * @param clones of the same scheduler
   * @param prediction of the same scheduler; hears what AppMasters say of their jobs
   * @param nanos a clock that never goes back, in nanoseconds
   */
  public Statistics(
      CapacityScheduler scheduler,
      CloneManager clones,
      FailurePrediction prediction,
      LongSupplier nanos) {
    this.scheduler = scheduler;
    this.clones = clones;
    this.prediction = prediction;
    this.nanos = nanos;
    clock = new SteadyClock(nanos, Statistics::wallSeconds);
    breaker = new CircuitBreaker("Learning about machines", nanos, this::forget);
    persister = new StatePersister(nanos);
    slowNodes = new SlowNodes(nanos);
    slowNodeOffers = new SlowNodeOffers(scheduler, nanos);
    quarantine = new NodeQuarantine(scheduler, () -> clock.now(), nanos);
    actions =
        new JobActions(this::startedAt, this::ran, this::containers, System::currentTimeMillis);
    counting = new CircuitBreaker("Adding up the actions of jobs", nanos, () -> {});
  }

  private static double wallSeconds() {
    return System.currentTimeMillis() / 1e3;
  }

  /** Applies new settings. Those of the window and the directory take effect at the next start. */
  public void configure(ClusterSettings now) {
    settings = now;
    quarantine.configure(now);
    slowNodes.configure(now.slowNodes());
    slowNodeOffers.configure(now.slowNodes().offers());
  }

  /** Starts to learn, from what an earlier ResourceManager has learnt if that can be read. */
  @SuppressWarnings("FutureReturnValueIgnored") // the breaker contains exceptions
  public synchronized void start(Configuration conf) {
    MachineSettings machines = machineSettings();
    window = machines.window();
    clock = new SteadyClock(nanos, Statistics::wallSeconds);
    learner = new Learner(machines, user -> settings.isTrusted(user), clock.now());
    written = clock.now();
    slowNodes.start(conf);
    thread = DaemonExecutors.single("Drover statistics");
    thread.scheduleWithFixedDelay(
        FatalErrors.toHandler(this::tick), ROUND_MILLIS, ROUND_MILLIS, TimeUnit.MILLISECONDS);
    settings
        .statisticsDir()
        .ifPresent(
            dir -> persister.start(dir, scheduler.getRMContext().getEpoch(), conf, this::restore));
  }

  /** Stops, and writes what was learnt since the end of the last window. */
  public synchronized void stop() {
    if (thread == null) {
      return;
    }
    thread.execute(() -> breaker.run(this::write));
    thread.shutdown();
    try {
      if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("Drover's machine statistics may not have been written");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread = null;
    slowNodes.stop();
    persister.stop();
  }

  private MachineSettings machineSettings() {
    MachineSettings byDefault = MachineSettings.DEFAULT;
    return new MachineSettings(
        settings.statisticsWindow(),
        longer(byDefault.memory()),
        longer(byDefault.clusterMemory()),
        longer(byDefault.lossMemory()),
        byDefault.forgetAfter(),
        byDefault.leastAttempts(),
        byDefault.priorOutliers(),
        byDefault.slowShare());
  }

  /** A half-life is at least as long as a window, so that nothing is forgotten within a window. */
  private Duration longer(Duration memory) {
    return memory.compareTo(settings.statisticsWindow()) > 0 ? memory : settings.statisticsWindow();
  }

  // --- on the learning thread

  private void tick() {
    try {
      inbox.retain(this::knows);
      programs.forget(this::knows, clock.now());
      actions.retain(this::knows);
      round();
      quarantine.advance(view.outlierProbability(), view.machines());
      slowNodeOffers.look(view.called().keySet(), quarantine::isClosed);
      if (persister.isKept() && quarantine.takeChange()) {
        write();
      }
    } catch (Throwable cause) {
      breaker.failed(cause);
    }
  }

  /** Learns from what has arrived, from each attempt in turn, for as long as a round may take. */
  private void round() {
    if (!breaker.tryAcquire()) {
      forget();
      computed = Double.NEGATIVE_INFINITY; // there is a view at once when it learns again
      return;
    }
    long failuresBefore = breaker.failures();
    try {
      learn();
    } catch (Throwable cause) {
      breaker.failed(cause);
    }
    if (breaker.failures() == failuresBefore) {
      breaker.succeeded();
    }
  }

  private void learn() {
    boolean isDue = clock.now() - computed > MOST_SECONDS_AS_IT_WAS;
    if (!inbox.isEmpty() || (isDue && slowNodes.isAnyNamed())) {
      learner.cluster(KnownCluster.of(scheduler.getNodeTracker().getAllNodes()));
    }
    long begin = nanos.getAsLong();
    silenced.values().removeIf(since -> begin - since > SILENCE_NANOS);
    boolean isMore = true;
    boolean isNews = false;
    while (isMore && nanos.getAsLong() - begin < MOST_NANOS_OF_A_ROUND) {
      List<ReportQueue.Post> posts = inbox.take();
      posts.forEach(this::learn);
      isMore = !posts.isEmpty();
      isNews |= isMore;
    }
    double now = clock.now();
    learner.advance(now, this::knows, this::silence);
    if (isNews || isDue) {
      view = look(now); // goes over all machines
      computed = now;
    }
    if (now - written >= settings.statisticsWindow().toSeconds()) {
      write();
    }
  }

  private MachineView look(double now) {
    if (!slowNodes.isAnyNamed()) {
      calledSlow = Map.of();
      return learner.view(now, Map.of());
    }
    MachineNames names = new MachineNames(learner.hosts());
    calledSlow = slowNodes.all(names);
    return learner.view(now, slowNodes.told(names));
  }

  private void learn(ReportQueue.Post post) {
    ApplicationAttemptId attempt = post.attempt();
    FiCaSchedulerApp app = scheduler.getApplicationAttempt(attempt);
    if (app == null) {
      return;
    }
    if (silenced.containsKey(attempt)) {
      post.letter().ifPresent(letter -> inbox.drop());
      return;
    }
    String user = app.getUser();
    try {
      post.ended().forEach((host, count) -> learner.ended(attempt, user, host, count));
      post.letter()
          .ifPresent(letter -> learner.onReport(attempt, user, letter.report(), letter.at()));
    } catch (Throwable cause) {
      silence(attempt, cause);
    }
  }

  private void silence(ApplicationAttemptId attempt, Throwable cause) {
    silenced.put(attempt, nanos.getAsLong());
    LOG.debug("Reports of {} are ignored for a minute", attempt);
    breaker.failed(cause);
  }

  /** Called on the persister's thread. Restores on the learning thread, which owns the learner. */
  private void restore(PersistedState memory) {
    CompletableFuture<Void> done = CompletableFuture.runAsync(() -> take(memory), thread);
    done.join(); // rethrows; then an older one is tried
  }

  private void take(PersistedState memory) {
    persister.dropWhatWaits();
    learner.restore(memory, clock.now());
    programs.restore(memory.knownPrograms());
    programs.restoreSlowTasks(memory.knownSlowTasks());
    quarantine.restore(
        memory.knownQuarantines(),
        memory.writtenAt() + clock.gapSince(memory.writtenAtByTheWall()),
        () -> clock.goOnFrom(memory.writtenAt(), memory.writtenAtByTheWall()));
    written = clock.now();
    computed = written;
    learner.cluster(KnownCluster.of(scheduler.getNodeTracker().getAllNodes()));
    view = look(clock.now()); // AppMasters ask at once after a failover
  }

  private void write() {
    written = clock.now();
    persister.write(
        learner
            .state(written, clock.wall())
            .with(programs.snapshot(), programs.slowTasks(), quarantine.terms()));
  }

  /** Clears what is told and what waits, because nothing is learnt now. */
  private void forget() {
    view = MachineView.NOTHING;
    calledSlow = Map.of();
    inbox.clear();
  }

  // --- on any thread

  /** Returns whether {@link #ended} must be called when a container ends. Never blocks. */
  public boolean listensTo(RMContainer container) {
    return !inbox.isEmpty() && inbox.knows(container.getContainerId().getApplicationAttemptId());
  }

  /** Notes that a container that ran has ended. Never blocks. */
  public void ended(RMContainer container) {
    inbox.ended(
        container.getContainerId().getApplicationAttemptId(),
        container.getAllocatedNode().getHost());
  }

  @Override
  public boolean knows(ApplicationAttemptId attempt) {
    FiCaSchedulerApp app = scheduler.getApplicationAttempt(attempt);
    return app != null && app.getApplicationAttemptId().equals(attempt) && !app.isStopped();
  }

  @Override
  public void onReport(ApplicationAttemptId attempt, Report report) {
    report.job().ifPresent(job -> onReport(attempt, job));
    report.job().ifPresent(job -> prediction.onJob(attempt, job));
    prediction.onSecondAttempts(attempt, report.secondAttempts());
    counting.run(() -> actions.onReport(attempt, report));
    if (settings.statisticsMode() != Mode.OFF) {
      if (breaker.isOpen()) {
        inbox.drop();
      } else {
        inbox.put(attempt, report, clock.now());
      }
    }
  }

  private void onReport(ApplicationAttemptId attempt, JobStart job) {
    FiCaSchedulerApp app = scheduler.getApplicationAttempt(attempt);
    if (app != null) {
      double memory = settings.programMemory().toMillis() / 1e3;
      programs.onReport(attempt, app.getUser(), job, memory, clock.now());
    }
  }

  /** Returns when an attempt's application started, milliseconds; now if it is not known. */
  private long startedAt(ApplicationAttemptId attempt) {
    RMApp app = scheduler.getRMContext().getRMApps().get(attempt.getApplicationId());
    return app == null ? System.currentTimeMillis() : app.getStartTime();
  }

  /**
   * Returns how long all containers of an attempt's application ran together, those that run
   * included, seconds. It is more if they are larger than the smallest that the scheduler gives.
   */
  private double ran(ApplicationAttemptId attempt) {
    RMApp app = scheduler.getRMContext().getRMApps().get(attempt.getApplicationId());
    if (app == null) {
      return 0;
    }
    RMAppMetrics used = app.getRMAppMetrics();
    Resource smallest = scheduler.getMinimumResourceCapability();
    double byMemory = used.getMemorySeconds() / (double) Math.max(1, smallest.getMemorySize());
    int cores = smallest.getVirtualCores();
    if (scheduler.getResourceCalculator() instanceof DefaultResourceCalculator) {
      cores = Math.min(cores, 1); // each container has one, whatever the minimum is
    }
    return cores == 0 ? byMemory : Math.min(byMemory, used.getVcoreSeconds() / (double) cores);
  }

  /** Returns how many of the smallest containers fit into the cluster. */
  private long containers() {
    long smallest = scheduler.getMinimumResourceCapability().getMemorySize();
    return scheduler.getClusterResource().getMemorySize() / Math.max(1, smallest);
  }

  @Override
  public ClusterState state(ApplicationAttemptId attempt, List<String> machines) {
    boolean isTold = settings.statisticsMode() == Mode.ON;
    MachineView known = isTold ? view : MachineView.NOTHING;
    OptionalDouble p = known.outlierProbability();
    FiCaSchedulerApp app = scheduler.getApplicationAttempt(attempt);
    ClusterTable table = known.table(app == null ? "" : app.getUser(), machines);
    return new ClusterState(
        p,
        table,
        clones.room(attempt),
        settings.upstreamRatio(),
        prediction.order(attempt),
        programs.isSingle(attempt, clock.now()),
        prediction.successProbability(attempt),
        programs.slowTasks(attempt, clock.now()));
  }

  /** Returns what is known now. */
  public MachineView view() {
    return view;
  }

  /** Returns the nodes that others call slow. */
  public SlowNodes slowNodes() {
    return slowNodes;
  }

  /** Returns all that others call slow, and why, those of which AppMasters are not told as well. */
  public Map<String, String> calledSlow() {
    return calledSlow;
  }

  /** Returns what offers these nodes last. */
  public SlowNodeOffers slowNodeOffers() {
    return slowNodeOffers;
  }

  /** Returns the quarantine of machines. */
  public NodeQuarantine quarantine() {
    return quarantine;
  }

  /** Returns how many reports were dropped because of their number, or because of errors. */
  public long dropped() {
    return inbox.dropped();
  }

  /** Returns what Drover's actions of a kind have come to in all jobs, as AppMasters say. */
  public ActionTotals actions(ActionKind kind) {
    return actions.of(kind);
  }

  /** Returns how many reports said of actions what cannot be. */
  public long actionsRefused() {
    return actions.refused();
  }

  /** Returns how many programs are known whose tasks cannot bear two attempts. */
  public int singleAttemptPrograms() {
    return programs.size();
  }

  /** Returns the window in which attempts are counted, as it was set when the learning started. */
  public Duration window() {
    return window;
  }

  /** Returns whether what is learnt outlives the ResourceManager. */
  public boolean isKept() {
    return persister.isKept();
  }

  /** Returns the breaker that contains errors of the learning. */
  public CircuitBreaker breaker() {
    return breaker;
  }

  /** Returns the breaker that contains errors of adding up the actions of jobs. */
  public CircuitBreaker counting() {
    return counting;
  }

  /** Returns the breaker that contains errors of reading and writing what is learnt. */
  public CircuitBreaker keeping() {
    return persister.breaker();
  }
}
