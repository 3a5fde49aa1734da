// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import io.drover.channel.ClusterState.EndOrder;
import io.drover.channel.JobStart;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.Mode;
import io.drover.core.config.PredictionSettings;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.predict.FailurePredictor;
import io.drover.core.predict.FailurePredictor.Judgement;
import io.drover.scheduler.containment.DaemonExecutors;
import io.drover.scheduler.containment.FatalErrors;
import io.drover.scheduler.predict.ApplicationEvents.Seen;
import io.drover.scheduler.predict.DescribedJobs.Described;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Predicts on the ResourceManager which applications fail.
 *
 * <p>The dispatcher and RPC threads only put what they see into queues. A thread of its own takes
 * it from there, calls applications, and publishes for which of them an order to end is due. A
 * second thread trains models. So no thread of Hadoop's waits, and no lock of Hadoop's is held.
 *
 * <p>An application gets its order in the answers to its AppMaster's reports, and the AppMaster
 * ends it. The ResourceManager never does: only the AppMaster knows whether the job is being
 * committed. So applications whose AppMaster is not Drover's are called and counted, but never
 * ended.
 */
public final class FailurePrediction {
  private static final Logger LOG = LoggerFactory.getLogger(FailurePrediction.class);
  private static final long ROUND_MILLIS = 500;
  private static final int MOST_OF_A_ROUND = 20_000;

  /** As many applications that have ended are remembered, so that none is taken for a new one. */
  private static final int MOST_OVER = 50_000;

  /** How long an application that does not describe itself is waited for, seconds. */
  private static final double PATIENCE = 60;

  /** How long a ResourceManager that stops waits for the end of a round, and for what is kept. */
  private static final Duration STOP = Duration.ofSeconds(5);

  /** The same while the queues are refreshed, which an administrator waits for. */
  private static final Duration STOP_IN_A_REFRESH = Duration.ofSeconds(2);

  /** How often applications are looked for whose ends were not seen, seconds. */
  private static final double AUDIT = 60;

  private final CapacityScheduler scheduler;
  private final LongSupplier nanos;
  private final CircuitBreaker breaker;
  private final CircuitBreaker keeping;
  private final ToldPredictions told;
  private final DescribedJobs described = new DescribedJobs();
  private final SecondAttemptTimes secondAttempts = new SecondAttemptTimes();
  private volatile boolean isListening;
  private volatile PredictionSettings settings = ClusterSettings.off().prediction();
  private volatile PredictionStatus status = PredictionStatus.NOTHING;

  // used by the own thread only
  private FailurePredictor predictor;
  private ApplicationEvents events;

  /** Applications that have not described themselves, and since when they run, seconds. */
  private final Map<String, Double> waiting = new HashMap<>();

  private final Map<String, ApplicationId> ids = new HashMap<>();
  private final LatestIds over = new LatestIds(MOST_OVER);
  private double auditedAt;
  private volatile boolean hasBegun;
  private volatile double beganAt;
  private boolean wasStopped;

  private ScheduledExecutorService thread;
  private ModelTrainer trainer;
  private Optional<EndedJobKeeper> keeper = Optional.empty();
  private boolean isRegistered;

  /** Done when the last thread has forgotten everything: nothing of it runs afterwards. */
  private CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

  /** Whether it starts as soon as the last thread has ended. */
  private boolean startsLater;

  /**
   * Creates a prediction that does nothing before it is started.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   */
  public FailurePrediction(CapacityScheduler scheduler, LongSupplier nanos) {
    this.scheduler = scheduler;
    this.nanos = nanos;
    told = new ToldPredictions(nanos);
    this.breaker = new CircuitBreaker("Predicting failures", nanos, told::withdraw);
    this.keeping = new CircuitBreaker("Keeping jobs that have ended", nanos, () -> {});
  }

  /**
   * Applies new settings, in the next round. Where ended jobs are kept stays as it is. No more jobs
   * are kept in memory than take a tenth of the heap while a model is trained.
   */
  public void configure(ClusterSettings now) {
    settings = now.prediction().within(Runtime.getRuntime().maxMemory() / 10);
    int most = settings.training().mostJobs();
    if (settings.mode() != Mode.OFF && most < now.prediction().training().mostJobs()) {
      LOG.info(
          "Failure prediction learns from {} jobs at most, and not from {} as {} says: more would"
              + " take too much of the heap",
          most,
          now.prediction().training().mostJobs(),
          PredictionSettings.MOST_JOBS.key());
    }
  }

  /**
   * Starts or stops, as the mode says. Does nothing if that has been done. If a round of before the
   * last stop still runs, it starts when that has ended.
   *
   * @param conf finds the file system of the directory
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the breaker contains exceptions
  public synchronized void follow(Configuration conf) {
    if (settings.mode() == Mode.OFF) {
      stop(STOP_IN_A_REFRESH);
    } else if (thread == null && ended.isDone()) {
      start(conf);
    } else if (thread == null && !startsLater) {
      LOG.info("Failure prediction starts when the round that still runs has ended");
      startsLater = true;
      ended.thenRun(FatalErrors.toHandler(() -> startLater(conf)));
    }
  }

  private synchronized void startLater(Configuration conf) {
    if (startsLater && thread == null) {
      startsLater = false;
      try {
        start(conf);
      } catch (Throwable e) {
        breaker.failed(e);
      }
    }
  }

  /**
   * Starts to listen to the ResourceManager, and to learn, from what earlier ones have seen if that
   * is kept.
   */
  private void start(Configuration conf) {
    try {
      startAll(conf);
    } finally {
      if (!isListening) {
        stop(STOP_IN_A_REFRESH); // the next refresh tries it again
      }
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the breaker contains exceptions
  private void startAll(Configuration conf) {
    keeper = Optional.empty();
    predictor = new FailurePredictor(settings.training(), settings.controls());
    beganAt = System.currentTimeMillis() / 1e3 - nanos.getAsLong() / 1e9;
    if (events == null) {
      events = new ApplicationEvents(scheduler.getRMContext(), breaker, this::now);
    }
    thread = DaemonExecutors.single("Drover prediction");
    trainer = new ModelTrainer(predictor, thread, breaker, this::now);
    // Applications that an earlier ResourceManager knew are there already.
    List<Seen> known =
        scheduler.getRMContext().getRMApps().values().stream()
            .map(events::see)
            .filter(seen -> seen.stage().outcome().isEmpty())
            .toList();
    keeper =
        settings
            .dir()
            .map(dir -> new EndedJobKeeper(dir, () -> settings.training(), conf, keeping));
    if (keeper.isPresent()) {
      Executor own = thread;
      keeper
          .get()
          .start(
              kept ->
                  own.execute(
                      () -> {
                        breaker.run(() -> predictor.restore(kept));
                        begin(known);
                      }));
    } else {
      thread.execute(() -> begin(known));
    }
    events.start();
    register();
    thread.scheduleWithFixedDelay(
        FatalErrors.toHandler(() -> breaker.run(this::round)),
        ROUND_MILLIS,
        ROUND_MILLIS,
        TimeUnit.MILLISECONDS);
    isListening = true;
  }

  private void register() {
    if (!isRegistered) {
      scheduler.getRMContext().getDispatcher().register(RMAppEventType.class, events);
      isRegistered = true;
    }
  }

  /** Begins with what was there before: only now are events taken in. */
  private void begin(List<Seen> known) {
    breaker.run(() -> known.forEach(seen -> take(seen, false)));
    hasBegun = true;
  }

  /** Stops, and forgets everything but what is kept. */
  public synchronized void stop() {
    stop(STOP);
  }

  /** Stops. If that takes longer than it may, the rest is done later by the threads themselves. */
  private void stop(Duration most) {
    startsLater = false;
    if (thread == null) {
      return;
    }
    final long begin = System.nanoTime();
    isListening = false;
    told.withdraw();
    status = PredictionStatus.NOTHING;
    events.stop();
    trainer.stop();
    keeper.ifPresent(EndedJobKeeper::stopReading); // so nothing comes after the reset
    CompletableFuture<Void> done = new CompletableFuture<>();
    thread.execute(() -> reset(done)); // after a round that runs now
    ended = done;
    thread.shutdown();
    try {
      if (!thread.awaitTermination(most.toNanos(), TimeUnit.NANOSECONDS)) {
        LOG.warn("A round of failure prediction has not ended yet");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread = null;
    Duration left = most.minusNanos(System.nanoTime() - begin);
    keeper.ifPresent(kept -> kept.stop(left));
    keeping.reset();
  }

  /** Forgets everything, so that it can start again, and tells that it has. */
  private void reset(CompletableFuture<Void> done) {
    described.clear();
    secondAttempts.take();
    waiting.clear();
    ids.clear();
    over.clear();
    hasBegun = false;
    wasStopped = false;
    status = PredictionStatus.NOTHING;
    told.withdraw();
    breaker.reset(); // no rounds run that could close it
    done.complete(null);
  }

  // --- on any thread

  /** Notes what an AppMaster says of its job. Never blocks. */
  public void onJob(ApplicationAttemptId attempt, JobStart job) {
    if (isListening) {
      beside(() -> described.add(attempt.getApplicationId(), job));
    }
  }

  /** Returns the order to end for an application, if there is one now. Never blocks. */
  public Optional<EndOrder> order(ApplicationAttemptId attempt) {
    return isListening && settings.mode() == Mode.ON
        ? told.order(attempt.getApplicationId())
        : Optional.empty();
  }

  /**
   * Returns how likely an application is to succeed, in [0,1], if it is to have fewer second
   * attempts. Never blocks.
   */
  public OptionalDouble successProbability(ApplicationAttemptId attempt) {
    return isListening
        ? told.successProbability(attempt.getApplicationId())
        : OptionalDouble.empty();
  }

  /**
   * Notes that second attempts of an application have ended. Never blocks.
   *
   * @param ran how long they ran, as its AppMaster says
   */
  public void onSecondAttempts(ApplicationAttemptId attempt, Duration ran) {
    PredictionSettings now = settings;
    boolean counts = now.mode() != Mode.OFF && now.secondAttempts() != Mode.OFF;
    if (isListening && counts && !ran.isZero()) {
      beside(() -> secondAttempts.add(attempt.getApplicationId(), ran.toMillis() / 1e3));
    }
  }

  /** Runs a step beside the rounds. Its success says nothing of them, so it closes no breaker. */
  private void beside(Runnable step) {
    try {
      if (!breaker.isOpen()) {
        step.run();
      }
    } catch (Throwable cause) {
      breaker.failed(cause);
    }
  }

  /** Returns what has been predicted, as it was at the end of the last round. */
  public PredictionStatus status() {
    return status;
  }

  /** Returns the breaker that contains errors of the prediction. */
  public CircuitBreaker breaker() {
    return breaker;
  }

  /** Returns the breaker that contains errors of reading and writing jobs that have ended. */
  public CircuitBreaker keeping() {
    return keeping;
  }

  // --- on the own thread

  /** Returns the time by a clock that does not jump, seconds since about 1970. */
  private double now() {
    return beganAt + nanos.getAsLong() / 1e9;
  }

  private void round() {
    if (!hasBegun) {
      return;
    }
    double now = now();
    PredictionSettings current = settings;
    predictor.configure(current.training(), current.controls());
    predictor.ends(current.mode() == Mode.ON);
    // Counted in this order, because more may come meanwhile: each description that is taken in
    // here comes after its arrival, and each end after all second attempts.
    int descriptions = described.size();
    int waits = events.size();
    secondAttempts.take().forEach(this::ranASecondTime);
    for (int i = 0; i < Math.min(waits, MOST_OF_A_ROUND); i++) {
      Optional.ofNullable(events.next()).ifPresent(seen -> take(seen, true));
    }
    for (int i = 0; waits <= MOST_OF_A_ROUND && i < descriptions; i++) {
      Optional.ofNullable(described.next()).ifPresent(job -> describe(job, now));
    }
    judgeThoseThatAreSilent(now);
    if (now - auditedAt > AUDIT) {
      audit(now);
    }
    trainer.train(current.retrain());
    publish(now);
  }

  private void take(Seen seen, boolean isNew) {
    RMApp app = seen.app();
    String id = app.getApplicationId().toString();
    switch (seen.stage()) {
      case SUBMITTED -> submitted(seen, id, isNew);
      case RUNNING -> {
        submitted(seen, id, isNew);
        predictor.started(id, seen.at());
        waiting.putIfAbsent(id, now());
      }
      default -> {
        over.add(id);
        ids.remove(id);
        waiting.remove(id);
        predictor
            .ended(id, seen.at(), seen.stage().outcome().orElseThrow())
            .ifPresent(job -> keeper.ifPresent(kept -> kept.add(job)));
      }
    }
  }

  private void submitted(Seen seen, String id, boolean isNew) {
    RMApp app = seen.app();
    if (over.contains(id) || ids.putIfAbsent(id, app.getApplicationId()) != null) {
      return;
    }
    predictor.submitted(seen.arrival(), mayEnd(app), isNew);
  }

  /** Returns whether the administrator lets an application be ended, as things are now. */
  private boolean mayEnd(RMApp app) {
    String name = app.getQueue() == null ? "" : app.getQueue();
    CSQueue queue = scheduler.getQueue(name);
    String path = queue == null ? name : queue.getQueuePath();
    return settings.mayEnd(app.getApplicationType(), path, app.getUser());
  }

  private void ranASecondTime(ApplicationId id, double seconds) {
    RMApp app = scheduler.getRMContext().getRMApps().get(id);
    if (app != null) {
      // Each container has one core at least.
      double all = (double) app.getRMAppMetrics().getVcoreSeconds();
      predictor.secondAttempt(id.toString(), seconds, all);
    }
  }

  private void describe(Described job, double now) {
    String id = job.application().toString();
    if (ids.containsKey(id)) {
      waiting.remove(id);
      predictor.described(id, job.requests(), now);
    }
  }

  private void judgeThoseThatAreSilent(double now) {
    for (Map.Entry<String, Double> one : List.copyOf(waiting.entrySet())) {
      if (now - one.getValue() > PATIENCE) {
        waiting.remove(one.getKey());
        predictor.judge(one.getKey(), now);
      }
    }
  }

  /** Takes in the ends of applications that were not seen, because events were dropped. */
  private void audit(double now) {
    auditedAt = now;
    for (Map.Entry<String, ApplicationId> one : List.copyOf(ids.entrySet())) {
      RMApp app = scheduler.getRMContext().getRMApps().get(one.getValue());
      if (app == null) {
        ids.remove(one.getKey());
        waiting.remove(one.getKey());
        predictor.lost(one.getKey(), now);
      } else {
        Seen seen = events.see(app);
        if (seen.stage().outcome().isPresent()) {
          take(seen, true);
        }
      }
    }
  }

  private void publish(double now) {
    if (!isListening) {
      return; // it was stopped in this round
    }
    Map<ApplicationId, ToldPredictions.Order> due = new HashMap<>();
    Map<ApplicationId, Double> less = new HashMap<>();
    List<Judgement> called = predictor.calledFailing();
    for (Judgement judgement : called) {
      String id = judgement.job().id();
      RMApp app = scheduler.getRMContext().getRMApps().get(ids.get(id));
      boolean mayEnd = app != null && mayEnd(app); // settings and queues may have changed
      OptionalDouble left = predictor.order(id, mayEnd, now);
      if (left.isPresent()) {
        long dueNanos = nanos.getAsLong() + (long) (left.getAsDouble() * 1e9);
        due.put(ids.get(id), new ToldPredictions.Order(EndReason.of(judgement), dueNanos));
      }
      if (mayEnd && settings.mode() != Mode.OFF && settings.secondAttempts() == Mode.ON) {
        predictor.successProbability(id).ifPresent(success -> less.put(ids.get(id), success));
      }
    }
    told.tell(due, less);
    status = PredictionStatus.of(predictor, settings, called, now);
    if (status.isEndingStopped() && !wasStopped) {
      LOG.warn(
          "No application is ended any more because it is called failing: too many good ones would"
              + " be ({} of all)",
          String.format(Locale.ROOT, "%.2f %%", 100 * predictor.misjudged()));
    }
    wasStopped = status.isEndingStopped();
  }
}
