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
 * Decides whether the tasks of a job may have second attempts: until one of them fails in a way
 * that says that they cannot bear it.
 *
 * <p>Some tasks write beside their output: a side file named after the task, a row, a lock. Such a
 * task works alone and fails beside a copy of itself. HDFS, for one, gives the lease of an open
 * file to the attempt that creates it again, so that the <em>first</em> attempt fails, healthy as
 * it is. A list of output formats cannot name them all. So a failure is <em>suspect</em> if
 *
 * <ul>
 *   <li>the task itself reported an error, other than one of the shuffle, of a local disk or of
 *       memory. A time-out, a container that is killed and a machine that is lost say nothing about
 *       copies;
 *   <li>and Drover has added an attempt to the task, or killed one to restart it. What Hadoop adds
 *       or kills by itself, such as an attempt that is preempted, is as without Drover;
 *   <li>and another attempt of the task ran at the same time; or was killed, less than {@link
 *       #GRACE} before the failure: what it left is in the way at once, or it was not the cause.
 * </ul>
 *
 * <p>The first suspect failure ends second attempts for the job. In Drover's AppMaster two kinds of
 * failures do not count towards those that fail the task ({@link #excuse}), as the job would not
 * have had them without Drover:
 *
 * <ul>
 *   <li>suspect ones;
 *   <li>those of attempts that Drover added, whatever they fail of, as long as the task has another
 *       one: one that lives, or that Drover ended because it was the slower one. So a copy puts no
 *       failure at stake, not even where a task may fail but once.
 * </ul>
 *
 * <p>A program that fails by itself is not kept alive by that: what fails of the attempts that
 * Hadoop makes counts, unless it is suspect. A task has no more than two failures excused for each
 * attempt that was added to it, or restarted. After a suspect failure none is added any more; nor
 * to a task of which two that were added have failed.
 *
 * <p>Safe for several threads.
 */
public final class SecondAttempts {
  /** What an attempt that was killed leaves behind may be in the way of others for so long. */
  static final Duration GRACE = Duration.ofSeconds(10);

  /** The failure of an added attempt, and that of the one beside which it ran. */
  private static final int EXCUSED_FOR_EACH = 2;

  /** A task of which so many added attempts have failed gets no more: they fare no better. */
  private static final int LOST = 2;

  /** How Hadoop begins what a task reports as the error that ended it. */
  private static final String OWN_ERROR = "Error: ";

  /** Errors that a copy of the task is no cause of: what it fetches, and the memory it has. */
  private static final List<String> OF_ANOTHER_CAUSE =
      List.of("error in shuffle", "java.lang.OutOfMemoryError");

  /** Why a failure does not count. */
  public enum Excuse {
    /** Another attempt of the task ran, and may have caused it. */
    SUSPECT,
    /** The attempt was added to the task, which goes on without it. */
    ADDED
  }

  /** Hears once that tasks of the job get no second attempts any more. */
  public interface Listener {
    /**
     * They do not, from now on.
     *
     * @param why for people
     * @param seenHere whether an attempt of this job has failed; not if it is forbidden from
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
   * Second attempts of one job.
   *
   * @param listener called once at most, on the thread that found the reason
   */
  public SecondAttempts(Listener listener) {
    this(true, listener);
  }

  /**
   * Second attempts of one job.
   *
   * @param acts whether Drover makes any; where it does not, none is ever forbidden
   * @param listener called once at most, on the thread that found the reason
   */
  public SecondAttempts(boolean acts, Listener listener) {
    this.acts = acts;
    this.listener = listener;
  }

  /** Why tasks of the job may have no second attempts any more; empty while they may. */
  public Optional<String> objection() {
    return Optional.ofNullable(objection);
  }

  /** No task of the job gets a second attempt any more, for a reason that is known from outside. */
  public void forbid(String why) {
    end(why, false);
  }

  /**
   * There were AppMasters of the job before this one, and it will be said what they have found
   * ({@link #earlier}).
   */
  public void awaitEarlier() {
    isAwaited = true;
  }

  /** Whether it may be that an earlier AppMaster has found a reason that is not known yet. */
  public boolean isAwaited() {
    return isAwaited;
  }

  /**
   * What earlier AppMasters of the job have found is known.
   *
   * @param why tasks may have no second attempts; empty if they may
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

  /** Why a task may have no further attempt beside those it has; empty while it may. */
  public Optional<String> objection(TaskId task) {
    long lost = excusedOf(task).values().stream().filter(Excuse.ADDED::equals).count();
    return lost < LOST
        ? objection()
        : Optional.of(lost + " attempts that were added to the task have failed");
  }

  /** Drover has added an attempt to its task. */
  public void added(TaskAttemptId attempt) {
    added.add(attempt);
    actions.merge(attempt.getTaskId(), 1, Integer::sum);
  }

  /** Drover is about to kill an attempt of a task, which makes room for another. */
  public void restarted(TaskId task) {
    actions.merge(task, 1, Integer::sum);
  }

  /** Drover is about to kill an attempt, since another one of its task is faster. */
  public void endedAsSlower(TaskAttemptId attempt) {
    endedAsSlower.add(attempt);
  }

  /**
   * Why the failure of an attempt is not to count towards those that fail its task. If it is
   * suspect, it ends second attempts.
   *
   * @param now milliseconds
   * @return empty if it counts
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

  /** Whether an attempt lives, or would if it were not for Drover. */
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

  /** Whether an attempt has failed, and ends as killed since that was excused. */
  public boolean hasExcused(TaskAttemptId attempt) {
    return excusedOf(attempt.getTaskId()).containsKey(attempt);
  }

  /**
   * Whether the failure of an attempt is suspect; then it ends second attempts.
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
            + " failed while "
            + beside.get()
            + " of the same task ran, or had just run: the tasks may not bear two attempts",
        true);
    return true;
  }

  /** Another attempt of the task that ran while this one did, or until just before. */
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

  /** Whether what an attempt did, or left when it was killed, may have failed another one. */
  private boolean mayBeInTheWay(TaskAttempt attempt, long from, long until) {
    long end = attempt.getFinishTime();
    return end == 0 || (wasKilled(attempt) ? until - end < GRACE.toMillis() : end >= from);
  }

  /** One whose failure was suspect ends as killed too, and has failed. */
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
