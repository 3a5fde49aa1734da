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
import io.drover.core.predict.JobArrival;
import io.drover.core.predict.MaskedName;
import io.drover.scheduler.containment.DaemonExecutors;
import io.drover.scheduler.containment.FatalErrors;
import io.drover.scheduler.predict.ApplicationEvents.Seen;
import io.drover.scheduler.predict.DescribedJobs.Described;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
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

  /** How long it is waited for the end of a round. */
  private static final long STOP_SECONDS = 5;

  /** How often applications are looked for whose ends were not seen, seconds. */
  private static final double AUDIT = 60;

  private final CapacityScheduler scheduler;
  private final LongSupplier nanos;
  private final CircuitBreaker breaker;
  private final CircuitBreaker keeping;
  private final DescribedJobs described = new DescribedJobs();
  private final SecondAttemptTimes secondAttempts = new SecondAttemptTimes();
  private volatile boolean isListening;
  private volatile PredictionSettings settings = ClusterSettings.off().prediction();
  private volatile Map<ApplicationId, Order> orders = Map.of();
  private volatile Map<ApplicationId, Double> successes = Map.of();
  private volatile PredictionStatus status = PredictionStatus.NOTHING;

  // used by the own thread only
  private FailurePredictor predictor;
  private ApplicationEvents events;

  /** Applications that have not described themselves, and since when they run, seconds. */
  private final Map<String, Double> waiting = new HashMap<>();

  private final Map<String, ApplicationId> ids = new HashMap<>();
  private final Map<String, Boolean> over =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MOST_OVER;
        }
      };

  private double auditedAt;
  private volatile boolean hasBegun;
  private volatile double beganAt;
  private boolean wasStopped;

  private ScheduledExecutorService thread;
  private ModelTrainer trainer;
  private Optional<EndedJobKeeper> keeper = Optional.empty();

  /** An order to end. */
  private record Order(String reason, long dueNanos) {}

  /**
   * Creates a prediction that does nothing before it is started.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   */
  public FailurePrediction(CapacityScheduler scheduler, LongSupplier nanos) {
    this.scheduler = scheduler;
    this.nanos = nanos;
    this.breaker = new CircuitBreaker("Predicting failures", nanos, this::forget);
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
   * Starts or stops, as the mode says. Does nothing if that has been done.
   *
   * @param conf finds the file system of the directory
   */
  public synchronized void follow(Configuration conf) {
    if (settings.mode() == Mode.OFF) {
      stop();
    } else if (thread == null) {
      start(conf);
    }
  }

  /**
   * Starts to listen to the ResourceManager, and to learn, from what earlier ones have seen if that
   * is kept.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the breaker contains exceptions
  private void start(Configuration conf) {
    predictor = new FailurePredictor(settings.training(), settings.controls());
    beganAt = System.currentTimeMillis() / 1e3 - nanos.getAsLong() / 1e9;
    boolean isFirst = events == null;
    if (isFirst) {
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
    if (isFirst) {
      scheduler.getRMContext().getDispatcher().register(RMAppEventType.class, events);
    }
    thread.scheduleWithFixedDelay(
        FatalErrors.toHandler(() -> breaker.run(this::round)),
        ROUND_MILLIS,
        ROUND_MILLIS,
        TimeUnit.MILLISECONDS);
    isListening = true;
  }

  /** Begins with what was there before: only now are events taken in. */
  private void begin(List<Seen> known) {
    breaker.run(() -> known.forEach(seen -> take(seen, false)));
    hasBegun = true;
  }

  /** Stops, and forgets everything but what is kept. */
  public synchronized void stop() {
    if (thread == null) {
      return;
    }
    isListening = false;
    events.stop();
    thread.execute(this::reset); // after a round that runs now, which publishes what it has found
    thread.shutdown();
    try {
      if (!thread.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("A round of failure prediction has not ended yet");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread = null;
    trainer.stop();
    keeper.ifPresent(EndedJobKeeper::stop);
    breaker.reset(); // no rounds run that could close it
    keeping.reset();
  }

  /** Forgets everything, so that it can start again. */
  private void reset() {
    described.clear();
    secondAttempts.take();
    waiting.clear();
    ids.clear();
    over.clear();
    hasBegun = false;
    wasStopped = false;
    status = PredictionStatus.NOTHING;
    forget();
  }

  /** Withdraws all orders, because nothing is predicted now. */
  private void forget() {
    orders = Map.of();
    successes = Map.of();
  }

  // --- on any thread

  /** Notes what an AppMaster says of its job. Never blocks. */
  public void onJob(ApplicationAttemptId attempt, JobStart job) {
    if (isListening) {
      beside(() -> described.add(attempt.getApplicationId(), job));
    }
  }

  /** Returns the order to end for an application, if there is one. Never blocks. */
  public Optional<EndOrder> order(ApplicationAttemptId attempt) {
    Order order = orders.get(attempt.getApplicationId());
    return order == null
        ? Optional.empty()
        : Optional.of(new EndOrder(order.reason, left(order.dueNanos)));
  }

  /**
   * Returns how likely an application is to succeed, in [0,1], if it is to have fewer second
   * attempts. Never blocks.
   */
  public OptionalDouble successProbability(ApplicationAttemptId attempt) {
    Double success = successes.get(attempt.getApplicationId());
    return success == null ? OptionalDouble.empty() : OptionalDouble.of(success);
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

  private Duration left(long dueNanos) {
    return Duration.ofNanos(Math.max(0, dueNanos - nanos.getAsLong()));
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
    // Before the ends, because an AppMaster tells the last of them before its application has
    // ended.
    secondAttempts.take().forEach(this::ranASecondTime);
    Seen seen = events.next();
    for (int i = 0; seen != null; i++) {
      take(seen, true);
      seen = i < MOST_OF_A_ROUND ? events.next() : null;
    }
    Described job = described.next();
    while (job != null) {
      describe(job, now);
      job = described.next();
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
        over.put(id, true);
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
    if (over.containsKey(id) || ids.putIfAbsent(id, app.getApplicationId()) != null) {
      return;
    }
    Priority priority = app.getApplicationPriority();
    String queue = app.getQueue() == null ? "" : app.getQueue();
    String name = app.getName() == null ? "" : app.getName();
    predictor.submitted(
        new JobArrival(
            id,
            seen.submittedAt(),
            app.getUser(),
            queue,
            MaskedName.of(name),
            priority == null ? 0 : priority.getPriority()),
        mayEnd(app),
        isNew);
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
    Map<ApplicationId, Order> due = new HashMap<>();
    Map<ApplicationId, Double> less = new HashMap<>();
    List<Judgement> called = predictor.calledFailing();
    for (Judgement judgement : called) {
      String id = judgement.job().id();
      RMApp app = scheduler.getRMContext().getRMApps().get(ids.get(id));
      boolean mayEnd = app != null && mayEnd(app); // settings and queues may have changed
      OptionalDouble left = predictor.order(id, mayEnd, now);
      if (left.isPresent()) {
        long dueNanos = nanos.getAsLong() + (long) (left.getAsDouble() * 1e9);
        due.put(ids.get(id), new Order(EndReason.of(judgement), dueNanos));
      }
      if (mayEnd && settings.mode() != Mode.OFF && settings.secondAttempts() == Mode.ON) {
        predictor.successProbability(id).ifPresent(success -> less.put(ids.get(id), success));
      }
    }
    orders = due;
    successes = less;
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
