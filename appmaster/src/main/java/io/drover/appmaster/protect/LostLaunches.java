// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.model.TaskKind;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttemptStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncherEvent;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;

/**
 * Ends attempts whose containers are being launched on hosts of which nothing is heard, so that
 * their tasks start elsewhere.
 *
 * <p><b>What stock Hadoop does.</b> The launcher waits for the host, three minutes by default
 * ({@code yarn.client.nodemanager-connect.max-wait-ms}). Until then, the attempt can neither start
 * nor fail. If it is killed meanwhile, its end waits for the same launcher, and its task for its
 * end.
 *
 * <p><b>What is done here.</b> Such an attempt is killed, and its container counts as cleaned up at
 * once, as it does in Hadoop when the launcher gives up; so does that of an attempt that others
 * have killed, such as the ResourceManager when it gives the node up. The launcher is told as well:
 * should the host answer after all, it stops what it has launched. Until then, that attempt cannot
 * commit, because the AppMaster does not know it as running. An attempt that has been launched is
 * left alone. So are the tasks that may have no second attempts, because the first one may run
 * unheard.
 *
 * <p>A host on which a launch takes long is asked whether it lives ({@link LateLaunches}).
 *
 * <p>Used on the dispatcher thread.
 */
public final class LostLaunches {
  private final Supplier<Job> job;
  private final Supplier<Set<String>> deadHosts;
  private final CircuitBreaker breaker;
  private final Predicate<TaskKind> mayRunTwice;
  private final LateLaunches late;

  /**
   * Creates what ends attempts of one job.
   *
   * @param deadHosts returns the hosts of which nothing is heard
   * @param watch asks hosts
   * @param nanos a clock in nanoseconds
   */
  LostLaunches(
      Surroundings around, Supplier<Set<String>> deadHosts, HostWatch watch, LongSupplier nanos) {
    this.job = around.job();
    this.deadHosts = deadHosts;
    this.breaker = around.breakers().of("Ending launches on lost hosts");
    this.mayRunTwice = around.mayRunTwice();
    this.late = new LateLaunches(watch::asks, watch::forget, nanos);
  }

  /**
   * Has the hosts asked on which launches take long. To be called now and then.
   *
   * @param keeping the hosts that are asked for other reasons as well
   */
  void ask(Set<String> keeping) {
    breaker.run(() -> late.look(this::isWaiting, keeping));
  }

  /** Returns the hosts that are asked because of launches. */
  Set<String> asked() {
    return late.hosts();
  }

  /** Ends all attempts that are being launched on dead hosts. */
  void end() {
    Set<String> dead = deadHosts.get();
    if (dead.isEmpty()) {
      return;
    }
    for (Task task : job.get().getTasks().values()) {
      if (mayRunTwice(task)) {
        task.getAttempts().values().stream()
            .filter(attempt -> isWithTheLauncher(attempt) && HadoopAttempts.isOn(attempt, dead))
            .forEach(attempt -> end(task, attempt));
      }
    }
  }

  private static void end(Task task, TaskAttempt attempt) {
    if (HadoopAttempts.state(attempt) != TaskAttemptStateInternal.ASSIGNED) {
      HadoopAttempts.handle(
          attempt,
          new TaskAttemptEvent(attempt.getID(), TaskAttemptEventType.TA_CONTAINER_CLEANED));
    } else if (isOpen(task)) {
      HadoopAttempts.kill(attempt, "Drover: its host does not answer, and it was not launched");
    }
  }

  private static boolean isOpen(Task task) {
    return task.getState() == TaskState.SCHEDULED || task.getState() == TaskState.RUNNING;
  }

  private boolean mayRunTwice(Task task) {
    return mayRunTwice.test(task.getType() == TaskType.MAP ? TaskKind.MAP : TaskKind.REDUCE);
  }

  private boolean isWaiting(TaskAttemptId id) {
    return Optional.ofNullable(job.get().getTask(id.getTaskId()))
        .map(task -> task.getAttempt(id))
        .filter(LostLaunches::isWithTheLauncher)
        .isPresent();
  }

  /** Returns whether an attempt is being launched, or is ended while it was not. */
  private static boolean isWithTheLauncher(TaskAttempt attempt) {
    return switch (HadoopAttempts.state(attempt)) {
      case ASSIGNED -> true;
      case KILL_CONTAINER_CLEANUP, FAIL_CONTAINER_CLEANUP -> attempt.getLaunchTime() == 0;
      default -> false;
    };
  }

  /**
   * Returns a launcher that counts containers on dead hosts as cleaned up, if they were not
   * launched as far as the AppMaster knows.
   *
   * @param launcher is told of them as well
   * @param events takes events of attempts
   */
  @SuppressWarnings("rawtypes") // Hadoop's event handler takes all events
  public ContainerLauncher around(ContainerLauncher launcher, EventHandler<Event> events) {
    return event -> {
      if (event.getType() == ContainerLauncher.EventType.CONTAINER_REMOTE_LAUNCH) {
        breaker.run(() -> begins(event));
      }
      launcher.handle(event);
      if (breaker.call(() -> isLost(event), false)) {
        TaskAttemptId id = event.getTaskAttemptID();
        events.handle(new TaskAttemptEvent(id, TaskAttemptEventType.TA_CONTAINER_CLEANED));
      }
    };
  }

  private void begins(ContainerLauncherEvent event) {
    TaskAttemptId id = event.getTaskAttemptID();
    TaskAttempt attempt = job.get().getTask(id.getTaskId()).getAttempt(id);
    HadoopAttempts.host(attempt)
        .ifPresent(host -> late.begun(id, host, event.getContainerMgrAddress()));
  }

  private boolean isLost(ContainerLauncherEvent event) {
    if (event.getType() != ContainerLauncher.EventType.CONTAINER_REMOTE_CLEANUP) {
      return false;
    }
    Task task = job.get().getTask(event.getTaskAttemptID().getTaskId());
    TaskAttempt attempt = task.getAttempt(event.getTaskAttemptID());
    return attempt.getLaunchTime() == 0
        && mayRunTwice(task)
        && HadoopAttempts.isOn(attempt, deadHosts.get());
  }
}
