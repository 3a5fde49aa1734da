// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.appmaster.protect.OutputsByHost.Output;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.config.Mode;
import io.drover.core.model.TaskKind;
import io.drover.speculator.DecisionLogSink;
import io.drover.speculator.DroverCounter;
import io.drover.speculator.JobCounters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttemptStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has maps run again whose outputs reduces cannot read or are about to miss, and writes down why.
 *
 * <p>A succeeded attempt is killed (KilledAfterSuccessTransition), so that its task runs again
 * before all reduces, as after the loss of a node. Its completion event becomes OBSOLETE, so that
 * reduces stop trying, and a reduce that has read it already does not read it twice. Nothing counts
 * as a failure. If the old output is {@link OutputEvents usable}, reduces may read it until the new
 * one is there.
 *
 * <p>A task is made again at most as often as it may fail. After that, Hadoop's own rule decides
 * about it alone.
 *
 * <p>Everything runs on the dispatcher thread.
 */
final class OutputRemaker {
  private static final Logger LOG = LoggerFactory.getLogger(OutputRemaker.class);

  private final Mode mode;
  private final Surroundings around;
  private final DecisionLogSink lines;
  private final OutputsByHost outputs;
  private final OutputEvents events;
  private final int mostRemade;
  private final Map<TaskId, Integer> remade = new HashMap<>();

  /** Maps that run again. */
  private final Set<TaskId> running = new HashSet<>();

  /** How long maps took that ran again, seconds. */
  private final List<Double> took = new ArrayList<>();

  /** Outputs that would have been made again if this were on. */
  private final Set<TaskAttemptId> observed = new HashSet<>();

  /**
   * Creates a state in which nothing was made again.
   *
   * @param outputs those of the job; what is made again is removed from them
   * @param events what reduces are told about outputs
   * @param conf the job's configuration
   */
  OutputRemaker(
      Mode mode,
      Surroundings around,
      OutputsByHost outputs,
      OutputEvents events,
      Configuration conf) {
    this.mode = mode;
    this.around = around;
    this.lines = around.lines().in(mode);
    this.outputs = outputs;
    this.events = events;
    this.mostRemade = conf.getInt(MRJobConfig.MAP_MAX_ATTEMPTS, 4);
  }

  /** Returns whether it makes sense to think about an output. */
  boolean mayMakeAgain(Output output) {
    return around.mayRunTwice().test(TaskKind.MAP)
        && mayMakeAgain(output.id().getTaskId())
        && !observed.contains(output.id());
  }

  private boolean mayMakeAgain(TaskId map) {
    return remade.getOrDefault(map, 0) < mostRemade
        && HadoopAttempts.isRunning(around.job().get()); // one that ends knows no maps made again
  }

  /**
   * Makes an output again, if this is on, the job allows it, and it has not been made again too
   * often.
   *
   * @param isUsable whether reduces may read the old one until the new one is there
   * @param reason why, for people
   * @param fields what else the log says
   */
  void makeAgain(Output output, boolean isUsable, String reason, Map<String, Object> fields) {
    TaskAttemptId id = output.id();
    if (!mayMakeAgain(output)) {
      return;
    }
    if (mode != Mode.ON) {
      observed.add(id);
      line(id, reason, fields);
    } else {
      outputs.remove(output);
      if (isUsable) {
        events.keepUntilRemade(output);
      }
      around.flees().accept(id);
      note(id, reason, fields);
      endContainer(output.attempt());
      HadoopAttempts.handle(output.attempt(), kill(id, reason));
    }
  }

  /**
   * Returns the event that a map attempt handles in place of a complaint of too many reduces, for
   * which Hadoop would count it as failed.
   *
   * @param lost is run if the output is to be made again
   */
  TaskAttemptEvent insteadOf(TaskAttemptEvent complaint, Runnable lost) {
    TaskAttemptId id = complaint.getTaskAttemptID();
    String reason = "too many reduces cannot fetch it";
    TaskAttempt attempt = around.job().get().getTask(id.getTaskId()).getAttempt(id);
    boolean isGivenUp = attempt.getState() != TaskAttemptState.SUCCEEDED;
    if (isGivenUp || !mayMakeAgain(id.getTaskId())) {
      return complaint;
    }
    lost.run();
    around.flees().accept(id);
    note(id, reason, Map.of());
    endContainer(attempt);
    return kill(id, reason);
  }

  /**
   * Counts what came of it if the output of a map has been made again.
   *
   * @param isAhead whether no reduce had missed the output when that was decided. Then a reduce
   *     would have waited at least as long as it took
   */
  void succeeded(Job job, TaskAttempt map, boolean isAhead) {
    if (!running.remove(map.getID().getTaskId())) {
      return;
    }
    long millis = Math.max(0, map.getFinishTime() - map.getLaunchTime());
    took.add(millis / 1e3);
    boolean isRead = OutputsByHost.areUnread(job, Set.of());
    if (isAhead && isRead) {
      JobCounters.add(job, DroverCounter.PRECOMPUTATIONS_USED, 1);
    }
    long saved = isAhead ? millis : 0;
    around
        .acted()
        .accept(
            ActionKind.RECOMPUTATION,
            isRead ? ActionTotals.settled(1, 0, 0, saved) : ActionTotals.settled(0, 1, millis, 0));
  }

  /**
   * Returns how long it takes to make an output again: as long as a map in the middle of all, or of
   * those that ran again if that is less. Maps of a first wave start all at once and are in each
   * other's way.
   */
  double usualSeconds() {
    double usual = outputs.usualSeconds();
    return took.isEmpty()
        ? usual
        : Math.min(usual, took.stream().sorted().toList().get((took.size() - 1) / 2));
  }

  /**
   * An attempt that has succeeded waits for its container to end by itself. If it is killed
   * meanwhile, it first waits until its node has confirmed the end, which a dead one never does. So
   * the wait is cut short, as when it takes too long; then a kill takes effect at once.
   */
  private static void endContainer(TaskAttempt attempt) {
    if (HadoopAttempts.state(attempt) == TaskAttemptStateInternal.SUCCESS_FINISHING_CONTAINER) {
      HadoopAttempts.handle(
          attempt, new TaskAttemptEvent(attempt.getID(), TaskAttemptEventType.TA_TIMED_OUT));
    }
  }

  private void note(TaskAttemptId id, String reason, Map<String, Object> fields) {
    remade.merge(id.getTaskId(), 1, Integer::sum);
    running.add(id.getTaskId());
    JobCounters.add(around.job().get(), DroverCounter.OUTPUTS_REMADE, 1);
    around.acted().accept(ActionKind.RECOMPUTATION, ActionTotals.launched(1));
    line(id, reason, fields);
  }

  private void line(TaskAttemptId id, String reason, Map<String, Object> fields) {
    LOG.info("The output of {} is to be made again: {}", id, reason);
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("task", id.getTaskId());
    all.put("attempt", id);
    Task map = around.job().get().getTask(id.getTaskId());
    all.put("node", map.getAttempt(id).getNodeId().getHost());
    all.putAll(fields);
    all.put("reason", reason);
    lines.write("outputMadeAgain", all);
  }

  private static TaskAttemptKillEvent kill(TaskAttemptId id, String reason) {
    return new TaskAttemptKillEvent(id, "Drover: the output is made again: " + reason, true);
  }
}
