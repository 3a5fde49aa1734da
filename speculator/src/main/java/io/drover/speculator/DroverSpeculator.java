// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import io.drover.core.model.TaskKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.util.MRJobConfUtil;
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

  /** Called by the AppMaster. */
  public DroverSpeculator(Configuration conf, AppContext context) {
    super(DroverSpeculator.class.getName());
    this.context = context;
    this.stock = new DefaultSpeculator(conf, context);
  }

  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    stock.init(conf);
    try {
      settings = readSettings(conf);
      mode = settings.restartMode();
      LOG.info("Drover: restart mode {}, {}, {}", mode, settings.estimator(), settings.restart());
      actuator =
          new Actuator(
              context,
              settings.restart().maxCopies(),
              conf.getInt(MRJobConfig.MAX_TASK_FAILURES_PER_TRACKER, 3),
              ledger,
              notes);
    } catch (BadSettingException e) {
      objection = "Drover is off in this job, which runs as stock: " + e.getMessage();
      LOG.error(objection);
    }
    super.serviceInit(conf);
  }

  private static JobSettings readSettings(Configuration conf) throws BadSettingException {
    List<String> keys = new ArrayList<>();
    for (Map.Entry<String, String> entry : conf) {
      keys.add(entry.getKey());
    }
    long interval = MRJobConfUtil.getTaskProgressReportInterval(conf);
    return JobSettings.read(keys, conf::get, Duration.ofMillis(interval));
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
        actuator.carryOut((Actuator.Command) event);
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
            job, settings.estimator(), context.getClock().getTime(), DroverSpeculator::splitLength);
    DecisionLog log = new DecisionLog(LogShelf.localFile(), mode);
    try {
      Journal journal = new Journal(model, log, mode, settings.logReports());
      DecisionLoop loop = new DecisionLoop(model, settings, kinds(job), notes, actuator, journal);
      do {
        loop.pass(context.getClock().getTime());
      } while (mode != Mode.OFF && !stops(loop.periodMillis()));
      loop.finish(context.getClock().getTime());
    } finally {
      log.close();
      publish(log, job.getID());
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

  /**
   * The phases that may be acted on: those for which the job allows speculation, less the one whose
   * tasks write through an unsafe output.
   */
  private Set<TaskKind> kinds(Job job) {
    Set<TaskKind> kinds = EnumSet.noneOf(TaskKind.class);
    if (getConfig().getBoolean(MRJobConfig.MAP_SPECULATIVE, false)) {
      kinds.add(TaskKind.MAP);
    }
    if (getConfig().getBoolean(MRJobConfig.REDUCE_SPECULATIVE, false)) {
      kinds.add(TaskKind.REDUCE);
    }
    new OutputSafety(settings.excludedOutputs())
        .objection(getConfig())
        .ifPresent(
            why -> {
              TaskKind writer = job.getTotalReduces() > 0 ? TaskKind.REDUCE : TaskKind.MAP;
              kinds.remove(writer);
              LOG.info("Drover leaves the job's {} tasks alone: {}", writer, why);
            });
    return kinds;
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
