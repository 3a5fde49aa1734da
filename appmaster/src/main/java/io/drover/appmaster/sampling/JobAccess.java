// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.core.config.Mode;
import io.drover.core.placement.LinkBandwidths.Bandwidths;
import io.drover.speculator.Breakers;
import io.drover.speculator.DecisionLogSink;
import io.drover.speculator.UserThread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.util.RackResolver;

/** Connects the sample of a job to the AppMaster that runs the job. */
public final class JobAccess {
  private final Configuration conf;
  private final Supplier<JobId> id;
  private final Supplier<AppContext> context;
  private final ToDoubleFunction<TaskAttemptId> progress;
  private final Function<List<String>, Bandwidths> bandwidths;
  private final Consumer<Runnable> dispatcher;
  private final DecisionLogSink lines;
  private final Breakers breakers;
  private final ScheduledExecutorService worker;

  /**
   * Creates the access to a job. It reads and writes files as the user who calls this.
   *
   * @param progress returns the last progress that an attempt reported, in [0,1]
   * @param bandwidths returns the bandwidths of racks' links; any thread calls it
   * @param dispatcher runs work on the dispatcher thread, and contains what it throws
   * @param lines writes a line of the decision log
   */
  public JobAccess(
      Configuration conf,
      Supplier<JobId> id,
      Supplier<AppContext> context,
      ToDoubleFunction<TaskAttemptId> progress,
      Function<List<String>, Bandwidths> bandwidths,
      Consumer<Runnable> dispatcher,
      DecisionLogSink lines,
      Breakers breakers) {
    this.conf = conf;
    this.id = id;
    this.context = context;
    this.progress = progress;
    this.bandwidths = bandwidths;
    this.dispatcher = dispatcher;
    this.lines = lines;
    this.breakers = breakers;
    this.worker = Executors.newSingleThreadScheduledExecutor(UserThread.daemons("Drover sample"));
  }

  Configuration conf() {
    return conf;
  }

  Job job() {
    return context.get().getJob(id.get());
  }

  boolean hasReduces() {
    return conf.getInt(MRJobConfig.NUM_REDUCES, 1) > 0;
  }

  /** Returns the present time on the AppMaster's clock, seconds. */
  double seconds() {
    return context.get().getClock().getTime() / 1e3;
  }

  /** Returns the racks of hosts, in their order. */
  List<String> racks(List<String> hosts) {
    return RackResolver.resolve(conf, hosts).stream().map(Node::getNetworkLocation).toList();
  }

  Function<List<String>, Bandwidths> bandwidths() {
    return bandwidths;
  }

  /** Writes a line of the decision log. */
  void write(Mode mode, String type, Map<String, Object> fields) {
    lines.in(mode).write(type, fields);
  }

  // --- threads

  /** Runs work on the worker's thread, which may wait for files, as the job's user. */
  void onWorker(Runnable work) {
    onWorkerLater(0, work);
  }

  /** Runs work on the worker's thread after a while. */
  @SuppressWarnings("FutureReturnValueIgnored") // the breaker has the errors
  void onWorkerLater(double seconds, Runnable work) {
    worker.schedule(
        () -> breakers.contain("The sample of the job's input", work),
        Math.round(1000 * seconds),
        TimeUnit.MILLISECONDS);
  }

  /** Runs work on the dispatcher thread. The job fails if the work does not succeed. */
  void onDispatcher(Runnable work) {
    dispatcher.accept(
        () -> {
          if (!breakers.contain("The sample of the job's input", work)) {
            failAfterAnError();
          }
        });
  }

  // --- tasks

  /** Ends a map that is not needed. */
  void end(TaskId map) {
    post(new TaskEvent(map, TaskEventType.T_KILL));
  }

  /** Ends an attempt; its task makes another one if it needs one. */
  void end(TaskAttemptId attempt, String why) {
    post(new TaskAttemptKillEvent(attempt, "Drover: " + why));
  }

  private void post(Event<?> event) {
    context.get().getEventHandler().handle(event);
  }

  /** Ends the job after an error that may have left its sample in a wrong state. */
  void failAfterAnError() {
    fail("the job's sample is in a wrong state after an error, see the AppMaster's log");
  }

  /**
   * Ends the job, because it cannot have a right result, unless it is ending or committing already.
   * It ends as killed: of all ways to end a job from here, Hadoop cleans its output up after this
   * one only. In a job that is ending, the event would cut the cleaning short, and a job that has
   * failed would be called killed. So this looks at the job's own state, on the dispatcher thread
   * and in the same call in which the job handles the event. {@code Job.getState} would not do: of
   * a job that is ending, it returns RUNNING until the AppMaster has unregistered.
   */
  void fail(String why) {
    dispatcher.accept(
        () -> {
          JobImpl job = (JobImpl) job();
          JobStateInternal state = job.getInternalState();
          if (state == JobStateInternal.SETUP || state == JobStateInternal.RUNNING) {
            job.handle(new JobDiagnosticsUpdateEvent(id.get(), "Drover: " + why));
            job.handle(new JobEvent(id.get(), JobEventType.JOB_KILL));
          }
        });
  }

  /** Returns what is known of the maps that have blocks. */
  OutputSelector.Maps maps(Job of, BlockBinder binder) {
    Map<TaskId, Task> tasks = of.getTasks(TaskType.MAP);
    Map<Integer, Task> byNumber = new HashMap<>();
    tasks.forEach((task, map) -> byNumber.put(task.getId(), map));
    double now = seconds();
    double start = now;
    List<OutputSelector.Done> done = new ArrayList<>();
    for (int map : binder.finished()) {
      Optional<TaskAttempt> attempt = attempt(byNumber.get(map), binder.successOf(map));
      if (attempt.isPresent()) {
        done.add(done(map, attempt.get()));
        start = Math.min(start, attempt.get().getLaunchTime() / 1e3);
      }
    }
    List<OutputSelector.Going> going = new ArrayList<>();
    for (Map.Entry<Integer, Task> map : byNumber.entrySet()) {
      Optional<TaskAttempt> attempt =
          binder.successOf(map.getKey()).isPresent() ? Optional.empty() : running(map.getValue());
      attempt.ifPresent(runs -> going.add(going(map.getKey(), runs)));
    }
    for (OutputSelector.Going map : going) {
      start = Math.min(start, map.startedAt());
    }
    return new OutputSelector.Maps(start, now, done, going);
  }

  /** Returns an attempt of a task by its number. */
  static Optional<TaskAttempt> attempt(Task task, OptionalInt number) {
    return task.getAttempts().values().stream()
        .filter(attempt -> number.isPresent() && attempt.getID().getId() == number.getAsInt())
        .findFirst();
  }

  /** Returns the attempt of a task that has run longest. */
  private static Optional<TaskAttempt> running(Task task) {
    return task.getAttempts().values().stream()
        .filter(attempt -> attempt.getState() == TaskAttemptState.RUNNING)
        .min(Comparator.comparingLong(TaskAttempt::getLaunchTime));
  }

  private static OutputSelector.Done done(int map, TaskAttempt attempt) {
    long bytes =
        attempt.getCounters().findCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES).getValue();
    return new OutputSelector.Done(
        map,
        host(attempt),
        rack(attempt),
        Math.max(0, bytes),
        Math.max(0, attempt.getFinishTime() - attempt.getLaunchTime()) / 1e3);
  }

  private OutputSelector.Going going(int map, TaskAttempt attempt) {
    return new OutputSelector.Going(
        map,
        host(attempt),
        rack(attempt),
        attempt.getLaunchTime() / 1e3,
        progress.applyAsDouble(attempt.getID()));
  }

  /** Returns the host on which an attempt runs or ran; empty if it is not known. */
  static String host(TaskAttempt attempt) {
    return HadoopAttempts.host(attempt).orElse("");
  }

  private static String rack(TaskAttempt attempt) {
    String rack = attempt.getNodeRackName();
    return rack == null ? NetworkTopology.DEFAULT_RACK : rack;
  }
}
