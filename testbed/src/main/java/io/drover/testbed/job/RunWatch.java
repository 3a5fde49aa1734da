// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.cluster.Await;
import io.drover.testbed.fault.ClusterFault;
import io.drover.testbed.fault.ClusterFault.Change;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.RunListener.RunEvent;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;

/** Submits a job and watches it until its end, as a user at a terminal would. */
final class RunWatch {
  private static final Duration PAUSE = Duration.ofMillis(150);

  /** Longer than any demo job takes, with or without a fault. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final Job job;
  private final RunListener listener;
  private final List<ClusterFault> faults;
  private final List<JobProgress> samples = new ArrayList<>();
  private final List<RunEvent> events = new ArrayList<>();
  private Instant submitted = Instant.EPOCH;
  private Duration wall = Duration.ZERO;
  private Optional<String> faultNode = Optional.empty();
  private JobStatus last;
  private String overdue = "";

  /** What Hadoop last said; the history server, which answers at the end, forgets it. */
  private String said = "";

  RunWatch(Job job, RunListener listener, List<ClusterFault> faults) {
    this.job = job;
    this.listener = listener;
    this.faults = faults;
  }

  /** Submits the job, and returns at its end. */
  void run() throws IOException, InterruptedException {
    submitted = Instant.now();
    long start = System.nanoTime();
    try {
      job.submit();
    } catch (ClassNotFoundException e) {
      throw new IOException("the job's classes are not on the class path", e);
    }
    listener.submitted(job.getJobID().toString());
    boolean over = false;
    try {
      over = Await.until(LIMIT, PAUSE, () -> look(start));
      if (!over) {
        String state = last.getState() + " after " + LIMIT;
        overdue =
            "killed because it was still "
                + state
                + ": "
                + UnfinishedTasks.tasks(job::getTaskReports);
        event(overdue);
      }
    } finally {
      if (!over) {
        job.killJob();
      }
    }
    wall = Duration.ofNanos(System.nanoTime() - start);
  }

  private boolean look(long start) throws IOException, InterruptedException {
    last = job.getStatus();
    String failure = String.valueOf(last.getFailureInfo());
    said = failure.isBlank() || failure.equals("NA") ? said : failure;
    if (last.getState() == JobStatus.State.RUNNING) {
      for (ClusterFault fault : faults) {
        for (Change change : fault.look(job)) {
          event(change.what());
          faultNode = faultNode.or(() -> Optional.of(change.host()));
        }
      }
    }
    JobProgress progress =
        new JobProgress(
            Duration.ofNanos(System.nanoTime() - start),
            last.getState().name(),
            last.getMapProgress(),
            last.getReduceProgress());
    samples.add(progress);
    listener.progress(progress);
    return last.isJobComplete();
  }

  private void event(String what) {
    RunEvent event = new RunEvent(Instant.now(), what);
    events.add(event);
    listener.event(event);
  }

  boolean succeeded() {
    return last.getState() == JobStatus.State.SUCCEEDED;
  }

  String state() {
    return last.getState().name();
  }

  String diagnostics() {
    return overdue.isEmpty() ? said : overdue;
  }

  Instant submitted() {
    return submitted;
  }

  Duration wall() {
    return wall;
  }

  /** Returns the host of the fault, if it has begun. */
  Optional<String> faultNode() {
    return faultNode;
  }

  List<JobProgress> samples() {
    return samples;
  }

  List<RunEvent> events() {
    return events;
  }

  /** Lists the unfinished tasks of a job that takes too long, for people. */
  static final class UnfinishedTasks {
    /** Tasks that are listed one by one. */
    private static final int MOST = 8;

    private UnfinishedTasks() {}

    /** Gives Hadoop's reports on the tasks of a job. */
    @FunctionalInterface
    interface Reports {
      /** Returns the reports on all tasks of a type. */
      TaskReport[] of(TaskType type) throws IOException, InterruptedException;
    }

    /** Returns the unfinished tasks, each with its state, its progress and its running attempts. */
    static String tasks(Reports job) throws IOException, InterruptedException {
      List<String> open = new ArrayList<>();
      for (TaskType type : List.of(TaskType.MAP, TaskType.REDUCE)) {
        for (TaskReport task : job.of(type)) {
          if (task.getFinishTime() == 0) {
            open.add(words(task));
          }
        }
      }
      String more = open.size() > MOST ? "; and " + (open.size() - MOST) + " more" : "";
      return open.isEmpty()
          ? "all its tasks have finished"
          : String.join("; ", open.subList(0, Math.min(MOST, open.size()))) + more;
    }

    private static String words(TaskReport task) {
      return String.format(
          Locale.ROOT,
          "%s %s %.0f %% %s",
          task.getTaskId(),
          task.getCurrentStatus(),
          100 * task.getProgress(),
          task.getRunningTaskAttemptIds());
    }
  }
}
