// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.model.TaskKind;
import io.drover.core.protect.ProtectSettings;
import io.drover.core.protect.SilentMachines;
import java.util.Set;
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
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;

/**
 * Ends attempts whose containers are being launched on hosts of which nothing is heard, so that
 * their tasks start elsewhere.
 *
 * <p><b>What stock Hadoop does.</b> The launcher tries to reach the host for three minutes or more:
 * it makes 19 attempts by default, 10 s apart, of which each takes 20 s if nothing comes back.
 * Until then, the attempt can neither start nor fail. If it is killed meanwhile, its end waits for
 * the same launcher, and its task for its end; and so does the AppMaster, when it stops.
 *
 * <p><b>What is done here.</b> Such an attempt is killed, and its container counts as cleaned up at
 * once, as it does in Hadoop when the launcher gives up; so does that of an attempt that others
 * have killed, such as the ResourceManager when it gives the node up. The launcher is not told,
 * because another of its few threads would wait for the same container. Should the host launch it
 * after all, its process is told to end when it asks for its task, because the AppMaster knows it
 * no more (TaskAttemptListenerImpl.getTask). An attempt that has been launched is left alone. So
 * are the tasks that may have no second attempts, because the first one may run unheard.
 *
 * <p>A host on which a launch takes long is asked whether it lives ({@link LateLaunches}), whether
 * or not it keeps outputs. That such hosts do not answer counts only while another one is heard: it
 * may be the AppMaster that is cut off.
 *
 * <p>Used on the dispatcher thread unless said otherwise.
 */
public final class LostLaunches {
  private final boolean isOn;
  private final Supplier<Job> job;
  private final Supplier<Set<String>> deadHosts;
  private final Predicate<Set<String>> isAnyHeardBeside;
  private final Runnable onChange;
  private final CircuitBreaker breaker;
  private final CircuitBreaker noting;
  private final Predicate<TaskKind> mayRunTwice;
  private final HostWatch watch;
  private final LateLaunches late;
  private volatile Set<String> silent = Set.of();
  private volatile boolean isAnyGivenUp;

  /**
   * Creates what ends attempts of one job.
   *
   * @param mode of the protection; if it is off, launches are left to Hadoop
   * @param deadHosts returns the hosts of which nothing is heard
   * @param isAnyHeardBeside returns whether anything is heard of another host than some
   * @param onChange is run when {@link #silent} has changed
   */
  LostLaunches(
      Mode mode,
      ProtectSettings settings,
      Surroundings around,
      Supplier<Set<String>> deadHosts,
      Predicate<Set<String>> isAnyHeardBeside,
      Runnable onChange) {
    this.isOn = mode != Mode.OFF;
    this.job = around.job();
    this.deadHosts = deadHosts;
    this.isAnyHeardBeside = isAnyHeardBeside;
    this.onChange = onChange;
    this.breaker = around.breakers().of("Ending launches on lost hosts");
    this.noting = around.breakers().of("Noting launches");
    this.mayRunTwice = around.mayRunTwice();
    this.watch =
        new HostWatch(
            "Watching hosts of launches",
            SilentMachines.ofSuspects(settings),
            address -> around.probe().get().answers(address),
            () -> true,
            around.isConnected(),
            hosts -> around.dispatcher().accept(() -> breaker.run(() -> silent(hosts.keySet()))),
            System::nanoTime,
            around.breakers());
    this.late = new LateLaunches(watch::keeps, watch::forget, System::nanoTime);
  }

  /** Returns the service that asks the hosts; it is started and stopped with the AppMaster. */
  public Service watch() {
    return watch;
  }

  /**
   * Returns the hosts on which launches take long and that do not answer. Any thread may call this.
   */
  Set<String> silent() {
    return silent;
  }

  /**
   * Returns whether the stop of the launcher may wait for a host that does not answer: one is dead,
   * or a container has been given up. Any thread may call this.
   */
  public boolean mayStopHang() {
    return isAnyGivenUp || !deadHosts.get().isEmpty();
  }

  /** Has the hosts asked on which launches take long. To be called now and then. */
  void look() {
    breaker.run(() -> late.look(this::isWaiting, silent));
  }

  private void silent(Set<String> hosts) {
    boolean isHeard = watch.hears() || isAnyHeardBeside.test(hosts);
    Set<String> now = isHeard ? Set.copyOf(hosts) : Set.of();
    if (!now.equals(silent)) {
      silent = now;
      onChange.run();
    }
    end();
  }

  /** Ends all attempts that are being launched on dead hosts. */
  void end() {
    Set<String> dead = deadHosts.get();
    if (dead.isEmpty()) {
      return;
    }
    for (TaskAttemptId id : late.waiting()) {
      Task task = job.get().getTask(id.getTaskId());
      TaskAttempt attempt = task.getAttempt(id);
      if (isWithTheLauncher(attempt) && HadoopAttempts.isOn(attempt, dead) && mayRunTwice(task)) {
        end(task, attempt);
      }
    }
  }

  private void end(Task task, TaskAttempt attempt) {
    if (HadoopAttempts.state(attempt) != TaskAttemptStateInternal.ASSIGNED) {
      isAnyGivenUp = true;
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
    return isWithTheLauncher(job.get().getTask(id.getTaskId()).getAttempt(id));
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
   * @param launcher is told of all others
   * @param events takes events of attempts
   */
  @SuppressWarnings("rawtypes") // Hadoop's event handler takes all events
  public ContainerLauncher around(ContainerLauncher launcher, EventHandler<Event> events) {
    return isOn ? event -> handle(event, launcher, events) : launcher;
  }

  @SuppressWarnings("rawtypes") // as above
  private void handle(
      ContainerLauncherEvent event, ContainerLauncher launcher, EventHandler<Event> events) {
    if (event.getType() == ContainerLauncher.EventType.CONTAINER_REMOTE_LAUNCH) {
      noting.run(() -> begins(event));
    }
    if (!breaker.call(() -> isLost(event), false)) {
      launcher.handle(event);
    } else {
      isAnyGivenUp = true;
      events.handle(
          new TaskAttemptEvent(
              event.getTaskAttemptID(), TaskAttemptEventType.TA_CONTAINER_CLEANED));
    }
  }

  private void begins(ContainerLauncherEvent event) {
    TaskAttemptId id = event.getTaskAttemptID();
    Job current = job.get();
    if (!current.isUber()) {
      HadoopAttempts.host(current.getTask(id.getTaskId()).getAttempt(id))
          .ifPresent(host -> late.begun(id, host, event.getContainerMgrAddress()));
    }
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
