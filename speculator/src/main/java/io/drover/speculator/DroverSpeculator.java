// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobCounterUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverMapSplits;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.service.AbstractService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drover's speculator for the stock MapReduce AppMaster: {@code
 * yarn.app.mapreduce.am.job.speculator.class} set to this class is all it takes.
 *
 * <p>Modes ({@code mapreduce.drover.restart.mode}): {@code off} is stock speculation; {@code
 * observe} is stock speculation, with Drover's decisions logged and scored beside it; {@code on}
 * lets Drover decide instead.
 *
 * <p>A job never fails because of this class. A bad setting is said once, and the job runs with
 * stock speculation. So it does if anything in Drover throws later on: the stock speculator is fed
 * with every event from the beginning, so that it can take over at any time.
 */
public final class DroverSpeculator extends AbstractService implements Speculator {
  private static final Logger LOG = LoggerFactory.getLogger(DroverSpeculator.class);

  /** Notes that may wait to be taken in; more than that says that the decision thread hangs. */
  private static final int MOST_NOTES = 2_000_000;

  private static final long LOG_PATIENCE_MILLIS = 10_000;

  private final AppContext context;
  private final Optional<ContainerHand> hand;
  private final DefaultSpeculator stock;
  private final BlockingQueue<Note> notes = new LinkedBlockingQueue<>(MOST_NOTES);
  private final CopyLedger ledger = new CopyLedger(notes);

  private JobSettings settings;
  private String objection;
  private volatile Mode mode = Mode.OFF;
  private volatile JobId jobId;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private Actuator actuator;
  private ReportReader reports;
  private Thread thread;

  /** Called by the stock AppMaster. */
  public DroverSpeculator(Configuration conf, AppContext context) {
    this(conf, context, Optional.empty());
  }

  /**
   * Called by Drover's AppMaster.
   *
   * @param hand what it does about containers
   */
  public DroverSpeculator(Configuration conf, AppContext context, Optional<ContainerHand> hand) {
    super(DroverSpeculator.class.getName());
    this.context = context;
    this.hand = hand;
    this.stock = new DefaultSpeculator(conf, context);
  }

  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    stock.init(conf);
    try {
      settings = HadoopSettings.read(conf);
      mode = settings.restartMode();
      LOG.info("Drover: restart mode {}, {}, {}", mode, settings.estimator(), settings.restart());
      actuator =
          new Actuator(
              context,
              settings.restart().maxCopies(),
              AttemptBudget.of(conf),
              NodeBlacklisting.of(conf),
              ledger,
              notes,
              hand);
    } catch (BadSettingException e) {
      objection = "Drover is off in this job, which runs as stock: " + e.getMessage();
      LOG.error(objection);
    }
    super.serviceInit(conf);
  }

  @Override
  protected void serviceStart() throws Exception {
    if (mode != Mode.ON) {
      stock.start();
    }
    if (mode != Mode.OFF) {
      thread = new Thread(this::run, "Drover decisions");
      thread.setDaemon(true);
      thread.start();
    }
    super.serviceStart();
  }

  @Override
  protected void serviceStop() throws Exception {
    stopped.countDown();
    if (thread != null) {
      thread.join(2 * LOG_PATIENCE_MILLIS);
    }
    stock.stop();
    super.serviceStop();
  }

  /** Takes an event in; on the AppMaster's dispatcher thread. */
  @Override
  public void handle(SpeculatorEvent event) {
    boolean isCommand = event instanceof Actuator.Command;
    if (tellsNothing(event)) {
      return;
    }
    if (!isCommand) {
      stock.handle(event);
    }
    if (objection != null && event.getType() == EventType.JOB_CREATE) {
      context.getEventHandler().handle(new JobDiagnosticsUpdateEvent(event.getJobID(), objection));
    }
    if (mode == Mode.OFF) {
      return;
    }
    try {
      if (isCommand) {
        ((Actuator.Command) event).carryOut(actuator);
      } else {
        takeIn(event);
      }
    } catch (RuntimeException | LinkageError e) {
      turnOff(e);
    }
  }

  /**
   * An attempt that ends before its first report sends a status that does not even name it; stock
   * speculation throws on that, and a throw on this thread ends the AppMaster.
   */
  private static boolean tellsNothing(SpeculatorEvent event) {
    return event.getType() == EventType.ATTEMPT_STATUS_UPDATE
        && event.getReportedStatus().id == null;
  }

  private void takeIn(SpeculatorEvent event) {
    long now = context.getClock().getTime();
    switch (event.getType()) {
      case JOB_CREATE -> {
        Job job = context.getJob(event.getJobID());
        reports = new ReportReader(job.getTotalReduces() > 0);
        jobId = event.getJobID();
      }
      case ATTEMPT_STATUS_UPDATE -> {
        TaskAttemptStatus status = event.getReportedStatus();
        Job job = context.getJob(status.id.getTaskId().getJobId());
        ledger.heardOf(job, status.id.getTaskId(), now);
        tell(reports.read(status, event.getTimestamp()));
      }
      case TASK_CONTAINER_NEED_UPDATE, ATTEMPT_START ->
          tell(new Note.TaskChanged(now, event.getTaskID()));
    }
  }

  /**
   * Takes in something that was decided elsewhere in the AppMaster, for the decision log; any
   * thread may call this. Without a decision log, in mode off, it is let go.
   *
   * @param type of the log's line
   * @param fields of the line, in their order; strings, numbers and truth values
   */
  public void tell(String type, Map<String, Object> fields) {
    if (mode != Mode.OFF) {
      Note note = new Note.Told(context.getClock().getTime(), type, fields);
      if (!notes.offer(note)) {
        LOG.warn("no room for a line of the decision log: {} {}", type, fields);
      }
    }
  }

  private void tell(Note note) {
    if (!notes.offer(note)) {
      throw new IllegalStateException(MOST_NOTES + " notes wait: the decision thread hangs");
    }
  }

  @Override
  public void handleAttempt(TaskAttemptStatus status) {
    stock.handleAttempt(status);
  }

  // --- the decision thread

  private void run() {
    try {
      while (jobId == null && !stops(50)) {
        LOG.trace("the job is being made");
      }
      if (jobId != null) {
        decide(context.getJob(jobId));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      turnOff(e);
    } catch (IOException | RuntimeException | LinkageError e) {
      turnOff(e);
    }
  }

  private boolean stops(long withinMillis) throws InterruptedException {
    return stopped.await(withinMillis, TimeUnit.MILLISECONDS);
  }

  private void decide(Job job) throws IOException, InterruptedException {
    JobModel model =
        new JobModel(
            job,
            settings.estimator(),
            context.getClock().getTime(),
            DroverSpeculator::splitLength,
            attempt -> hand.isPresent() && hand.get().isClone(attempt));
    DecisionLog log = new DecisionLog(LogShelf.localFile(), mode);
    Optional<LogMirror> mirror = mirror(log);
    try {
      Journal journal = new Journal(model, log, mode, settings.logReports());
      DecisionLoop loop =
          new DecisionLoop(
              model,
              settings,
              AttemptBudget.of(getConfig()),
              CopyableTasks.kinds(
                  getConfig(), job.getTotalReduces() > 0, settings.excludedOutputs()),
              SpeculationCap.of(getConfig()),
              notes,
              actuator,
              journal,
              hand.isPresent());
      recall(loop);
      do {
        loop.pass(context.getClock().getTime());
      } while (mode != Mode.OFF && !stops(loop.periodMillis()));
      loop.finish(context.getClock().getTime());
    } finally {
      log.close();
      mirror.ifPresent(LogMirror::close);
      publish(log, job.getID());
    }
  }

  /** Where another AppMaster of the job may come after this one, it is to know what was decided. */
  private Optional<LogMirror> mirror(DecisionLog log) {
    int attempt = context.getApplicationAttemptId().getAttemptId();
    int most =
        getConfig().getInt(MRJobConfig.MR_AM_MAX_ATTEMPTS, MRJobConfig.DEFAULT_MR_AM_MAX_ATTEMPTS);
    return attempt < most
        ? LogShelf.staged(getConfig(), attempt)
            .map(staged -> LogMirror.start(log.file(), staged, getConfig()))
        : Optional.empty();
  }

  private void recall(DecisionLoop loop) {
    List<LogShelf.Staged> logs = new ArrayList<>();
    for (int i = 1; i < context.getApplicationAttemptId().getAttemptId(); i++) {
      LogShelf.staged(getConfig(), i).ifPresent(logs::add);
    }
    if (!logs.isEmpty()) {
      loop.recall(EarlierDecisions.read(logs, getConfig()), hand);
    }
  }

  private void publish(DecisionLog log, JobId job) throws InterruptedException {
    if (settings.decisionLogDir() != null) {
      int attempt = context.getApplicationAttemptId().getAttemptId();
      String name = job + (attempt == 1 ? "" : "." + attempt) + ".jsonl";
      LogShelf.publish(
          log.file(), settings.decisionLogDir(), name, getConfig(), LOG_PATIENCE_MILLIS);
    }
  }

  /** Bytes of a map's split, where Hadoop's package-private state can be reached; else 0. */
  private static long splitLength(Task task) {
    try {
      return DroverMapSplits.length(task);
    } catch (IllegalAccessError e) {
      LOG.debug("loaded by another class loader than Hadoop: progress stands in for bytes", e);
      return 0;
    }
  }

  /** Gives the job back to stock speculation, for good. */
  private synchronized void turnOff(Throwable cause) {
    if (mode == Mode.OFF || stopped.getCount() == 0) {
      return;
    }
    LOG.warn("Drover turns itself off in this job, stock speculation takes over", cause);
    boolean stockRests = mode == Mode.ON;
    mode = Mode.OFF;
    notes.clear();
    if (stockRests) {
      stock.start();
    }
    if (jobId != null) {
      JobCounterUpdateEvent update = new JobCounterUpdateEvent(jobId);
      update.addCounterUpdate(DroverCounter.TURNED_OFF, 1);
      context.getEventHandler().handle(update);
    }
  }
}
