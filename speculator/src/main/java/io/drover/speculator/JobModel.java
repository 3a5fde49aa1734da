// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.ProgressReport;
import io.drover.core.model.SchedulingLag;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;

/**
 * Keeps core's model of a job's two phases in step with the AppMaster's Job.
 *
 * <p>It belongs to the decision thread. Events tell it that attempts were requested, launched or
 * have reported. No event says that an attempt was killed or has failed, so each pass checks the
 * states of the attempts of all running tasks.
 */
final class JobModel {
  private final Job job;
  private final long origin;
  private final Predicate<TaskAttemptId> clones;
  private final BiConsumer<Task, TaskAttempt> failed;
  private final PhaseModel maps;
  private final PhaseModel reduces;

  /**
   * Creates the model of a job whose tasks exist.
   *
   * @param now milliseconds on the AppMaster's clock: second 0 of the model
   * @param splitLength returns the bytes of a map's split, 0 if unknown
   * @param outlierProbability tells how likely an attempt on a machine is an outlier
   * @param clones tells which attempts were requested together with the first ones of their tasks
   * @param failed is called for each attempt that has failed
   */
  JobModel(
      Job job,
      EstimatorSettings settings,
      long now,
      ToLongFunction<Task> splitLength,
      ToDoubleFunction<String> outlierProbability,
      Predicate<TaskAttemptId> clones,
      BiConsumer<Task, TaskAttempt> failed) {
    this.job = job;
    this.clones = clones;
    this.failed = failed;
    this.origin = now;
    SchedulingLag lag = new SchedulingLag();
    maps = new PhaseModel(TaskKind.MAP, settings, lag, outlierProbability);
    reduces = new PhaseModel(TaskKind.REDUCE, settings, lag, outlierProbability);
    for (Task task : new TreeMap<>(job.getTasks(TaskType.MAP)).values()) {
      maps.addTask(splitLength.applyAsLong(task));
    }
    job.getTasks(TaskType.REDUCE).forEach((id, task) -> reduces.addTask());
    new TreeMap<>(job.getTasks()).values().forEach(task -> sync(task, now));
  }

  PhaseModel phase(TaskKind kind) {
    return kind == TaskKind.MAP ? maps : reduces;
  }

  double seconds(long millis) {
    return (millis - origin) / 1e3;
  }

  long millis(double seconds) {
    return origin + Math.round(seconds * 1e3);
  }

  TaskId id(TaskModel task) {
    boolean isMap = task.phase().kind() == TaskKind.MAP;
    return MRBuilderUtils.newTaskId(
        job.getID(), task.index(), isMap ? TaskType.MAP : TaskType.REDUCE);
  }

  TaskAttemptId id(AttemptModel attempt) {
    return MRBuilderUtils.newTaskAttemptId(id(attempt.task()), attempt.number());
  }

  /** Returns the id of an attempt of a type, no matter which. The attempt need not exist. */
  TaskAttemptId anyAttempt(TaskType type) {
    return MRBuilderUtils.newTaskAttemptId(MRBuilderUtils.newTaskId(job.getID(), 0, type), 0);
  }

  /** Returns the model of an attempt; null if it is not known yet. */
  AttemptModel attempt(TaskAttemptId id) {
    return find(task(id.getTaskId()), id.getId());
  }

  TaskModel task(TaskId id) {
    return (id.getTaskType() == TaskType.MAP ? maps : reduces).tasks().get(id.getId());
  }

  /** Takes over what has changed about the attempts of a task. */
  void changed(DecisionThreadEvent.TaskChanged event) {
    sync(job.getTask(event.task()), event.time());
  }

  /** Passes a report on to the model of its attempt. */
  void reported(DecisionThreadEvent.Report report) {
    TaskId taskId = report.attempt().getTaskId();
    TaskModel task = task(taskId);
    AttemptModel attempt = find(task, report.attempt().getId());
    if (attempt == null || attempt.state() == AttemptState.REQUESTED) {
      sync(job.getTask(taskId), report.time());
      attempt = find(task, report.attempt().getId());
      if (attempt == null) {
        return;
      }
    }
    new ProgressReport(
            seconds(report.time()),
            report.subPhase(),
            report.fraction(),
            report.bytesRead(),
            report.bytesShuffled(),
            secondsOrNaN(report.mapFinished()),
            secondsOrNaN(report.shuffleFinished()),
            secondsOrNaN(report.sortFinished()))
        .tell(attempt);
  }

  /** Converts a time of Hadoop, where 0 means that something has not happened yet. */
  private double secondsOrNaN(long millis) {
    return millis > 0 ? seconds(millis) : Double.NaN;
  }

  /** Updates all running tasks, one step each, and whether the reduces' input is complete. */
  void refresh(long now, Steps steps) {
    for (PhaseModel phase : List.of(maps, reduces)) {
      for (TaskModel task : new ArrayList<>(phase.running())) {
        steps.run(() -> sync(job.getTask(id(task)), now));
      }
    }
    boolean mapsDone = job.getCompletedMaps() >= job.getTotalMaps();
    if (mapsDone && !reduces.inputsAreReady()) {
      reduces.inputsReady(seconds(now));
    } else if (!mapsDone && reduces.inputsAreReady()) {
      reduces.inputsNotReady();
    }
  }

  private void sync(Task task, long now) {
    TaskModel model = task(task.getID());
    boolean succeeded = false;
    boolean committing = false;
    Collection<TaskAttempt> attempts = task.getAttempts().values();
    for (TaskAttempt attempt : attempts) {
      AttemptModel known = find(model, attempt.getID().getId());
      if (known == null) {
        known = model.addAttempt(attempt.getID().getId(), seconds(now));
      }
      // Asked in each pass, because an attempt is known to be a clone only after it exists.
      if (attempts.size() > 1 && !model.isClone(known) && clones.test(attempt.getID())) {
        model.cloned(known);
      }
      TaskAttemptState state = attempt.getState();
      succeeded |= state == TaskAttemptState.SUCCEEDED;
      committing |= state == TaskAttemptState.COMMIT_PENDING;
      if (known.state().isLive()) {
        sync(attempt, state, known, now);
        if (state == TaskAttemptState.FAILED) {
          failed.accept(task, attempt);
        }
      }
    }
    model.committing(committing);
    if (!model.isDone() && task.getState() == TaskState.SUCCEEDED) {
      model.doneBefore();
    } else if (model.isDone() && !succeeded && task.getState() != TaskState.SUCCEEDED) {
      model.undone();
    }
  }

  private void sync(TaskAttempt attempt, TaskAttemptState state, AttemptModel model, long now) {
    if (attempt.getNodeId() != null) {
      String host = attempt.getNodeId().getHost();
      model.assigned(host);
      if (attempt.getLaunchTime() > 0) {
        model.launched(seconds(attempt.getLaunchTime()), host, attempt.getNodeRackName());
      }
    }
    switch (state) {
      case SUCCEEDED -> model.ended(AttemptState.SUCCEEDED, ended(attempt, now));
      case FAILED -> model.ended(AttemptState.FAILED, ended(attempt, now));
      case KILLED -> model.ended(AttemptState.KILLED, ended(attempt, now));
      default -> {
        // the attempt is live
      }
    }
  }

  private double ended(TaskAttempt attempt, long now) {
    return seconds(attempt.getFinishTime() > 0 ? attempt.getFinishTime() : now);
  }

  private static AttemptModel find(TaskModel task, int number) {
    for (AttemptModel attempt : task.attempts()) {
      if (attempt.number() == number) {
        return attempt;
      }
    }
    return null;
  }
}
