// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.TaskKind;
import io.drover.speculator.Handover.Part;
import io.drover.speculator.Handover.StockSpeculator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverMapSplits;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.service.AbstractService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drover's speculator, for Drover's and the stock MapReduce AppMaster. In the stock one, set {@code
 * yarn.app.mapreduce.am.job.speculator.class} to this class.
 *
 * <p>Modes ({@code mapreduce.drover.restart.mode}): {@code off} is stock speculation; {@code
 * observe} is stock speculation, while Drover's decisions are only logged and scored; {@code on}
 * lets Drover decide instead.
 *
 * <p>A job never fails because of this class. A bad setting is reported once, and the job runs with
 * stock speculation. An error in Drover costs only the step in which it happens: an event, a task,
 * a phase, or a line of the decision log. After three errors in a row stock speculation, which has
 * received every event from the beginning, takes over. A minute later Drover tries again, with a
 * new model of the job ({@link Handover}).
 */
public final class DroverSpeculator extends AbstractService implements Speculator {
  private static final Logger LOG = LoggerFactory.getLogger(DroverSpeculator.class);
  private static final long LOG_PATIENCE_MILLIS = 10_000;

  /** While Drover is off: how often the thread logs and checks whether Drover may try again. */
  private static final long REST_PERIOD_MILLIS = 1_000;

  private final AppContext context;
  private final Optional<AttemptPlacementHook> placementHook;
  private final Breakers breakers;
  private final StockSpeculator stock;
  private final DecisionThreadQueue queue = new DecisionThreadQueue();
  private final CopyLedger ledger;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;

  private JobSettings settings;
  private String objection;
  private Mode mode = Mode.OFF;
  private Handover handover;
  private Actuator actuator;
  private final SecondAttempts second;
  private ReportReader reports;

  /** The class loader of the job's classes. */
  private final ClassLoader jobClasses;

  /** The job's id; null until the job has been created. */
  private volatile JobId jobId;

  /**
   * Called by the stock AppMaster. The job's class loader is the thread's context class loader now,
   * while no other thread runs. Hadoop usually sets it for events, too, but not if another thread
   * has it set at the same time.
   */
  public DroverSpeculator(Configuration conf, AppContext context) {
    this(
        conf,
        context,
        Optional.empty(),
        new Breakers(
            System::nanoTime, (counter, amount) -> JobCounters.post(context, counter, amount)),
        Thread.currentThread().getContextClassLoader());
  }

  /**
   * Called by Drover's AppMaster.
   *
   * @param placementHook the part of the AppMaster that controls containers
   * @param breakers the circuit breakers of the job's features
   * @param jobClasses the job's class loader
   */
  public DroverSpeculator(
      Configuration conf,
      AppContext context,
      Optional<AttemptPlacementHook> placementHook,
      Breakers breakers,
      ClassLoader jobClasses) {
    super(DroverSpeculator.class.getName());
    this.context = context;
    this.placementHook = placementHook;
    this.breakers = breakers;
    this.jobClasses = jobClasses;
    this.ledger =
        new CopyLedger(
            queue, (kind, more) -> placementHook.ifPresent(hook -> hook.acted(kind, more)));
    this.stock = new StockSpeculator(conf, context);
    this.second =
        placementHook
            .map(AttemptPlacementHook::secondAttempts)
            .orElseGet(() -> new SecondAttempts(this::secondAttemptsEnded));
    this.thread = UserThread.daemon(this::run, "Drover decisions");
  }

  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    stock.init(conf);
    if (placementHook.isEmpty()) {
      breakers.contain("Notice of the AppMaster", () -> AppMasterNotice.log(conf));
    }
    try {
      settings = HadoopSettings.read(conf);
      mode = settings.restartMode();
      handover = new Handover(breakers, stock, queue, mode == Mode.ON);
      if (mode != Mode.OFF && context.getApplicationAttemptId().getAttemptId() > 1) {
        second.awaitEarlier();
      }
      LOG.info("Drover: restart mode {}, {}, {}", mode, settings.estimator(), settings.restart());
      actuator =
          new Actuator(
              context,
              settings.restart().maxCopies(),
              AttemptBudget.of(conf, placementHook.isPresent()),
              NodeBlacklisting.of(conf),
              ledger,
              queue,
              placementHook,
              second);
    } catch (BadSettingException e) {
      objection = "Drover is off, and the job runs as in stock Hadoop: " + e.getMessage();
      LOG.error(objection);
    }
    super.serviceInit(conf);
  }

  @Override
  protected void serviceStart() throws Exception {
    if (mode != Mode.ON) {
      stock.lead();
    }
    if (mode != Mode.OFF) {
      thread.start();
    }
    super.serviceStart();
  }

  @Override
  protected void serviceStop() throws Exception {
    stopped.countDown();
    thread.join(2 * LOG_PATIENCE_MILLIS); // returns at once if it was never started
    stock.stop();
    super.serviceStop();
  }

  /** Handles an event on the AppMaster's dispatcher thread. An exception would end that thread. */
  @Override
  public void handle(SpeculatorEvent event) {
    if (event instanceof Actuator.Command command) {
      if (handover != null && handover.works()) {
        handover.run(Part.COMMAND, () -> command.carryOut(actuator));
      }
    } else if (!tellsNothing(event)) {
      feedStock(event);
      if (objection != null && event.getType() == EventType.JOB_CREATE) {
        context
            .getEventHandler()
            .handle(new JobDiagnosticsUpdateEvent(event.getJobID(), objection));
      }
      if (mode != Mode.OFF) {
        handover.run(Part.EVENT, () -> takeIn(event));
      }
    }
  }

  /** Passes every event to stock speculation, which counts the containers that tasks want. */
  private void feedStock(SpeculatorEvent event) {
    breakers.contain("Stock speculation", () -> stock.handle(event));
  }

  /**
   * Returns whether an event has no content. An attempt that ends before its first report sends a
   * status without an id. Stock speculation throws on that, which would end the AppMaster.
   */
  private static boolean tellsNothing(SpeculatorEvent event) {
    return event.getType() == EventType.ATTEMPT_STATUS_UPDATE
        && event.getReportedStatus().id == null;
  }

  private void takeIn(SpeculatorEvent event) {
    long now = context.getClock().getTime();
    switch (event.getType()) {
      case JOB_CREATE -> {
        jobId = event.getJobID();
        reports = new ReportReader(context.getJob(event.getJobID()).getTotalReduces() > 0);
      }
      case ATTEMPT_STATUS_UPDATE -> {
        TaskAttemptStatus status = event.getReportedStatus();
        Job job = context.getJob(status.id.getTaskId().getJobId());
        ledger.heardOf(job, status.id.getTaskId(), now);
        queue.add(reports.read(status, event.getTimestamp()));
      }
      case TASK_CONTAINER_NEED_UPDATE, ATTEMPT_START ->
          queue.add(new DecisionThreadEvent.TaskChanged(now, event.getTaskID()));
    }
  }

  /**
   * Counts what Drover did to a task that has failed, was killed or is done. Only Drover's
   * AppMaster hears of the first two. Runs on the dispatcher thread, before the job hears of it.
   */
  public void ended(TaskId task) {
    if (mode != Mode.OFF) {
      long now = context.getClock().getTime();
      handover.run(Part.EVENT, () -> ledger.ended(context.getJob(task.getJobId()), task, now));
    }
  }

  /**
   * Writes a line to the decision log for another part of the AppMaster. Any thread may call this.
   * In mode {@code off} there is no log, and the line is ignored.
   *
   * @param type the type of the line
   * @param fields its further fields in order: strings, numbers and booleans
   */
  public void record(String type, Map<String, Object> fields) {
    if (mode != Mode.OFF) {
      queue.add(new DecisionThreadEvent.ExternalEntry(context.getClock().getTime(), type, fields));
    }
  }

  @Override
  public void handleAttempt(TaskAttemptStatus status) {
    stock.handleAttempt(status);
  }

  /** Tells the user, in Hadoop's AppMaster. Drover's does that, and tracks failures, itself. */
  @SuppressWarnings("unchecked") // the event handler is raw in AppContext
  private void secondAttemptsEnded(String why, boolean seenHere) {
    String message = "Drover starts no more second attempts in this job: " + why;
    LOG.warn(message);
    record("secondAttemptsOver", Map.of("reason", why));
    Optional.ofNullable(jobId)
        .ifPresent(
            id -> context.getEventHandler().handle(new JobDiagnosticsUpdateEvent(id, message)));
    JobCounters.post(context, DroverCounter.SECOND_ATTEMPTS_ENDED, 1);
  }

  private void failed(Task task, TaskAttempt attempt) {
    if (placementHook.isEmpty()) {
      second.endsBy(task, attempt, context.getClock().getTime());
    }
  }

  // --- the decision thread

  private void run() {
    try {
      while (jobId == null && !stops(50)) {
        LOG.trace("the job does not exist yet");
      }
      if (jobId != null) {
        decide(context.getJob(jobId));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) { // no known error gets here
      handover.end(e);
      if (e instanceof VirtualMachineError) {
        throw e;
      }
    }
  }

  private boolean stops(long withinMillis) throws InterruptedException {
    return stopped.await(withinMillis, TimeUnit.MILLISECONDS);
  }

  private void decide(Job job) throws InterruptedException {
    DecisionLog log = new DecisionLog(DecisionLogFiles.localFile(), mode, breakers);
    List<DecisionLogReplicator> mirrors = new ArrayList<>();
    breakers.contain("Copying the log", () -> replicator(log).ifPresent(mirrors::add));
    Passes passes = new Passes(job, log);
    try {
      while (!stops(passes.next())) {
        LOG.trace("next pass");
      }
      passes.finish();
    } finally {
      log.close();
      mirrors.forEach(DecisionLogReplicator::close);
      publish(log, job.getID());
    }
  }

  /** Makes pass after pass over the job, with a new loop and model after Drover has been off. */
  private final class Passes {
    private final Job job;
    private final DecisionLog log;
    private Optional<RecoveredDecisions> earlier = Optional.empty();
    private Optional<Set<TaskKind>> kinds = Optional.empty();
    private Optional<DecisionLoop> loop = Optional.empty();

    Passes(Job job, DecisionLog log) {
      this.job = job;
      this.log = log;
    }

    /**
     * Makes a pass if Drover may make one.
     *
     * @return the milliseconds until the next pass
     */
    long next() {
      long period = REST_PERIOD_MILLIS;
      if (handover.mayPass()) {
        Steps steps = new Steps();
        pass(steps);
        handover.ended(Part.PASS, steps.failure());
        period = loop.map(DecisionLoop::periodMillis).orElse(period);
      }
      if (!handover.works()) {
        rest();
      }
      breakers.count();
      return period;
    }

    private void pass(Steps steps) {
      long lost = queue.takeLost();
      if (lost > 0) {
        loop = Optional.empty();
        steps.failed(new IllegalStateException(lost + " events were lost: passes take too long"));
      }
      steps.run(
          () -> {
            if (loop.isEmpty()) {
              loop = Optional.of(loop());
            }
            loop.get().pass(context.getClock().getTime(), steps);
          });
    }

    /** Writes the log lines of other parts of the AppMaster while Drover's speculation is off. */
    private void rest() {
      loop = Optional.empty();
      for (DecisionThreadEvent event = queue.poll(); event != null; event = queue.poll()) {
        log.forTheLog(event);
      }
      log.flush();
    }

    private DecisionLoop loop() {
      if (earlier.isEmpty()) {
        earlier = Optional.of(earlier());
        second.earlier(earlier.get().objection());
      }
      if (kinds.isEmpty()) {
        boolean hasReduces = job.getTotalReduces() > 0;
        kinds =
            Optional.of(
                CopyableTasks.kinds(getConfig(), hasReduces, settings.outputs(), jobClasses));
      }
      JobModel model =
          new JobModel(
              job,
              settings.estimator(),
              context.getClock().getTime(),
              DroverSpeculator::splitLength,
              this::outlierProbability,
              attempt -> placementHook.isPresent() && placementHook.get().isClone(attempt),
              DroverSpeculator.this::failed);
      DecisionRecorder recorder = new DecisionRecorder(model, log, mode, settings.logReports());
      return new DecisionLoop(
          model,
          settings,
          AttemptBudget.of(getConfig(), placementHook.isPresent()),
          kinds.get(),
          SpeculationCap.of(getConfig()),
          second,
          queue,
          actuator,
          recorder,
          CopyableTasks.heardOf(getConfig()),
          earlier.get(),
          placementHook);
    }

    /** Returns what the scheduler knows of a machine, if that is out of the ordinary. */
    private double outlierProbability(String machine) {
      OptionalDouble known =
          placementHook.isPresent()
              ? placementHook.get().outlierProbability(machine)
              : OptionalDouble.empty();
      return known.orElse(PhaseModel.OUTLIERS);
    }

    void finish() {
      long now = context.getClock().getTime();
      if (loop.isPresent()) {
        Steps steps = new Steps();
        steps.run(() -> loop.get().finish(now, steps));
        steps.failure().ifPresent(cause -> LOG.warn("The decision log is incomplete", cause));
      } else {
        rest();
      }
      breakers.summary().ifPresent(failures -> log.failures(now, failures));
    }
  }

  /** Starts a copy of the log for a later AppMaster of the job, if there may be one. */
  private Optional<DecisionLogReplicator> replicator(DecisionLog log) {
    int attempt = context.getApplicationAttemptId().getAttemptId();
    int most =
        getConfig().getInt(MRJobConfig.MR_AM_MAX_ATTEMPTS, MRJobConfig.DEFAULT_MR_AM_MAX_ATTEMPTS);
    return attempt < most
        ? DecisionLogFiles.staged(getConfig(), attempt)
            .map(staged -> DecisionLogReplicator.start(log.file(), staged, getConfig()))
        : Optional.empty();
  }

  private RecoveredDecisions earlier() {
    List<DecisionLogFiles.Staged> logs = new ArrayList<>();
    for (int i = 1; i < context.getApplicationAttemptId().getAttemptId(); i++) {
      DecisionLogFiles.staged(getConfig(), i).ifPresent(logs::add);
    }
    return RecoveredDecisions.read(logs, getConfig());
  }

  private void publish(DecisionLog log, JobId job) throws InterruptedException {
    if (settings.decisionLogDir() != null) {
      int attempt = context.getApplicationAttemptId().getAttemptId();
      String name = job + (attempt == 1 ? "" : "." + attempt) + ".jsonl";
      DecisionLogFiles.publish(
          log.file(), settings.decisionLogDir(), name, getConfig(), LOG_PATIENCE_MILLIS);
    }
  }

  /** Returns the bytes of a map's split; 0 if Hadoop's package-private state is not accessible. */
  private static long splitLength(Task task) {
    try {
      return DroverMapSplits.length(task);
    } catch (IllegalAccessError e) {
      LOG.debug("not loaded by the class loader of Hadoop: using progress, not bytes", e);
      return 0;
    }
  }

  /** Returns whether Drover works. If not, stock speculation has taken over after errors. */
  boolean works() {
    return handover.works();
  }

  /** Returns whether stock speculation adds attempts. */
  boolean stockLeads() {
    return stock.leads();
  }

  DecisionThreadQueue queue() {
    return queue;
  }
}
