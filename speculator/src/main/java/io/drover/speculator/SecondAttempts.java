// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * Decides whether the tasks of a job may have second attempts. They may until a task fails in a way
 * that suggests that tasks of this job cannot bear two attempts.
 *
 * <p>Some tasks write something besides their output: a side file named after the task, a row, a
 * lock. Such a task works alone but fails if a copy of it exists. In HDFS, for example, an attempt
 * that creates an open file again takes over its lease, so that the <em>first</em> attempt fails
 * although it is healthy. No list of output formats can name all of these tasks. So a failure is
 * <em>suspect</em> if
 *
 * <ul>
 *   <li>the task itself reported an error, other than one of the shuffle, of a local disk or of
 *       memory. A timeout, a killed container or a lost machine says nothing about copies;
 *   <li>and Drover has added an attempt to the task, or killed one to restart it. Attempts that
 *       Hadoop adds or kills, for example by preemption, would be the same without Drover;
 *   <li>and another attempt of the task ran at the same time, or was killed less than {@link
 *       #GRACE} before the failure. If what it left behind does harm, it does so at once.
 * </ul>
 *
 * <p>The first suspect failure ends second attempts for the job. In Drover's AppMaster two kinds of
 * failures do not count towards those that fail the task ({@link #excuse}), because the job would
 * not have had them without Drover:
 *
 * <ul>
 *   <li>suspect failures;
 *   <li>failures of attempts that Drover added, for any reason, if the task has another attempt
 *       that is live, or that Drover ended because it was slower. So a copy uses up none of the
 *       allowed failures, even if the task may fail only once.
 * </ul>
 *
 * <p>This does not keep a program alive that fails by itself: failures of attempts that Hadoop
 * starts count, unless they are suspect. A task has at most two failures excused for each attempt
 * that was added or restarted. After a suspect failure no more attempts are added to any task, and
 * after two added attempts of a task have failed, none is added to that task.
 *
 * <p>Safe for several threads.
 */
public final class SecondAttempts {
  /** How long what a killed attempt leaves behind may make other attempts fail. */
  static final Duration GRACE = Duration.ofSeconds(10);

  /** Excused failures per added or restarted attempt: its own, and that of the one next to it. */
  private static final int EXCUSED_FOR_EACH = 2;

  /** A task gets no more attempts after this many added ones have failed. */
  private static final int LOST = 2;

  /** Hadoop's prefix for the error with which a task says that it failed. */
  private static final String OWN_ERROR = "Error: ";

  /** Errors that a copy of the task does not cause: of the shuffle, and of memory. */
  private static final List<String> OF_ANOTHER_CAUSE =
      List.of("error in shuffle", "java.lang.OutOfMemoryError");

  /** Why a failure does not count. */
  public enum Excuse {
    /** Another attempt of the task ran and may have caused the failure. */
    SUSPECT,
    /** Drover added the attempt to the task, which goes on without it. */
    ADDED
  }

  /** Listens for the end of second attempts in the job. */
  public interface Listener {
    /**
     * Called once, when second attempts end.
     *
     * @param why the reason, for people
     * @param seenHere whether an attempt of this job has failed; false if the reason comes from
     *     outside
     */
    void ended(String why, boolean seenHere);
  }

  private final boolean acts;
  private final Listener listener;
  private final Map<TaskId, Integer> actions = new ConcurrentHashMap<>();
  private final Set<TaskAttemptId> added = ConcurrentHashMap.newKeySet();
  private final Set<TaskAttemptId> endedAsSlower = ConcurrentHashMap.newKeySet();
  private final Map<TaskId, Map<TaskAttemptId, Excuse>> excused = new ConcurrentHashMap<>();
  private volatile String objection;
  private volatile boolean isAwaited;

  /**
   * Creates the rules for one job.
   *
   * @param listener called at most once, on the thread that found the reason
   */
  public SecondAttempts(Listener listener) {
    this(true, listener);
  }

  /**
   * Creates the rules for one job.
   *
   * @param acts whether Drover makes second attempts; if not, they are never forbidden
   * @param listener called at most once, on the thread that found the reason
   */
  public SecondAttempts(boolean acts, Listener listener) {
    this.acts = acts;
    this.listener = listener;
  }

  /** Returns why tasks of the job may have no more second attempts; empty while they may. */
  public Optional<String> objection() {
    return Optional.ofNullable(objection);
  }

  /** Ends second attempts in the job for a reason that comes from outside. */
  public void forbid(String why) {
    end(why, false);
  }

  /**
   * Announces a call of {@link #earlier}, because there were AppMasters of the job before this one.
   */
  public void awaitEarlier() {
    isAwaited = true;
  }

  /** Returns whether an earlier AppMaster may have found a reason that is not known here yet. */
  public boolean isAwaited() {
    return isAwaited;
  }

  /**
   * Takes what earlier AppMasters of the job have found.
   *
   * @param why the reason why tasks may have no second attempts; empty if they may
   */
  public void earlier(Optional<String> why) {
    why.ifPresent(this::forbid);
    isAwaited = false;
  }

  private void end(String why, boolean seenHere) {
    synchronized (this) {
      if (!acts || objection != null) {
        return;
      }
      objection = why;
    }
    listener.ended(why, seenHere);
  }

  /** Returns why a task may have no further attempt besides its present ones; empty if it may. */
  public Optional<String> objection(TaskId task) {
    long lost = excusedOf(task).values().stream().filter(Excuse.ADDED::equals).count();
    return lost < LOST
        ? objection()
        : Optional.of(lost + " attempts that Drover added to the task have failed");
  }

  /** Notes that Drover has added an attempt to its task. */
  public void added(TaskAttemptId attempt) {
    added.add(attempt);
    actions.merge(attempt.getTaskId(), 1, Integer::sum);
  }

  /** Notes that Drover is about to kill an attempt of a task so that another one replaces it. */
  public void restarted(TaskId task) {
    actions.merge(task, 1, Integer::sum);
  }

  /** Notes that Drover is about to kill an attempt because another one of its task is faster. */
  public void endedAsSlower(TaskAttemptId attempt) {
    endedAsSlower.add(attempt);
  }

  /**
   * Returns why the failure of an attempt does not count towards those that fail its task. A
   * suspect failure also ends second attempts.
   *
   * @param now milliseconds
   * @return the reason; empty if the failure counts
   */
  public Optional<Excuse> excuse(Task task, TaskAttempt failed, long now) {
    Optional<Excuse> excuse = reason(task, failed, now);
    int most = EXCUSED_FOR_EACH * actions.getOrDefault(task.getID(), 0);
    if (excuse.isEmpty() || excusedOf(task.getID()).size() >= most) {
      return Optional.empty();
    }
    excused
        .computeIfAbsent(task.getID(), id -> new ConcurrentHashMap<>())
        .put(failed.getID(), excuse.get());
    return excuse;
  }

  private Optional<Excuse> reason(Task task, TaskAttempt failed, long now) {
    if (endsBy(task, failed, now)) {
      return Optional.of(Excuse.SUSPECT);
    }
    boolean isSpare =
        added.contains(failed.getID())
            && task.getAttempts().values().stream()
                .filter(other -> !other.getID().equals(failed.getID()))
                .anyMatch(this::isOrWouldBeAlive);
    return isSpare ? Optional.of(Excuse.ADDED) : Optional.empty();
  }

  /** Returns whether an attempt is live, or would be if Drover had not ended it. */
  private boolean isOrWouldBeAlive(TaskAttempt attempt) {
    boolean wasEndedAsSlower =
        endedAsSlower.contains(attempt.getID()) && !added.contains(attempt.getID());
    return switch (attempt.getState()) {
      case NEW, STARTING, RUNNING, COMMIT_PENDING -> true;
      default -> wasEndedAsSlower;
    };
  }

  private Map<TaskAttemptId, Excuse> excusedOf(TaskId task) {
    return excused.getOrDefault(task, Map.of());
  }

  /** Returns whether the failure of an attempt was excused, so that it ends as killed. */
  public boolean hasExcused(TaskAttemptId attempt) {
    return excusedOf(attempt.getTaskId()).containsKey(attempt);
  }

  /**
   * Returns whether the failure of an attempt is suspect. If so, this ends second attempts.
   *
   * @param now milliseconds
   */
  public boolean endsBy(Task task, TaskAttempt failed, long now) {
    if (!actions.containsKey(task.getID()) || !isOwnError(failed)) {
      return false;
    }
    Optional<TaskAttemptId> beside = beside(task, failed, now);
    if (beside.isEmpty()) {
      return false;
    }
    end(
        failed.getID()
            + " failed while or just after "
            + beside.get()
            + " of the same task ran: the tasks may not tolerate two attempts",
        true);
    return true;
  }

  /** Returns another attempt of the task that ran at the same time, or until just before. */
  private Optional<TaskAttemptId> beside(Task task, TaskAttempt failed, long now) {
    long from = failed.getLaunchTime();
    long until = failed.getFinishTime() > 0 ? failed.getFinishTime() : now;
    return task.getAttempts().values().stream()
        .filter(other -> !other.getID().equals(failed.getID()) && other.getLaunchTime() > 0)
        .filter(other -> from > 0 && other.getLaunchTime() <= until)
        .filter(other -> mayBeInTheWay(other, from, until))
        .map(TaskAttempt::getID)
        .findFirst();
  }

  /** Returns whether an attempt, or what it left when killed, may have made another one fail. */
  private boolean mayBeInTheWay(TaskAttempt attempt, long from, long until) {
    long end = attempt.getFinishTime();
    return end == 0 || (wasKilled(attempt) ? until - end < GRACE.toMillis() : end >= from);
  }

  /** Returns whether an attempt is KILLED, and not because a suspect failure was excused. */
  private boolean wasKilled(TaskAttempt attempt) {
    TaskAttemptId id = attempt.getID();
    return attempt.getState() == TaskAttemptState.KILLED
        && excusedOf(id.getTaskId()).get(id) != Excuse.SUSPECT;
  }

  private static boolean isOwnError(TaskAttempt failed) {
    return failed.getDiagnostics().stream()
        .anyMatch(
            line ->
                line.startsWith(OWN_ERROR) && OF_ANOTHER_CAUSE.stream().noneMatch(line::contains));
  }
}
