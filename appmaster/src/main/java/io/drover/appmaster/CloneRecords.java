// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.thirdparty.com.google.common.collect.ArrayListMultimap;
import org.apache.hadoop.thirdparty.com.google.common.collect.ListMultimap;

/**
 * Keeps one record for each clone of a job, from the decision to make it to its end.
 *
 * <pre>
 *   WANTED -- the allocator asks --> ASKED -- a container comes --> GIVEN
 *      \_________________________________\_____________________________\____> ENDED
 * </pre>
 *
 * <p>A clone that has no container at its deadline is withdrawn. Until it has one, it is in
 * nobody's way: it is not counted as a copy or a living attempt of its task.
 *
 * <p>Two threads change a record. The allocator's thread decides, asks, assigns and withdraws. The
 * dispatcher thread makes the attempt and learns of its end. Every change is one step under this
 * object's lock, and a record that has ended never changes again. So the loser of a race sees
 * ENDED: an attempt that is made after its clone was withdrawn is killed at once, a later request
 * is not sent, and the clone gets no container.
 */
public final class CloneRecords {
  /** A clone that has no container after this time would come too late to be worth its room. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The states of a clone. */
  public enum State {
    /** It has been decided on. Its attempt is being made, or has not asked for a container yet. */
    WANTED,
    /** The ResourceManager has been asked for its container. */
    ASKED,
    /** It has been given a container. */
    GIVEN,
    /** It was withdrawn, or its attempt is ending or has ended. */
    ENDED
  }

  /** One clone. */
  public static final class Clone {
    private final TaskId task;
    private final long deadline;
    private volatile TaskAttemptId attempt;
    private volatile State state = State.WANTED;

    private Clone(TaskId task, long deadline) {
      this.task = task;
      this.deadline = deadline;
    }

    TaskId task() {
      return task;
    }

    /** Returns its attempt; null until that is made. */
    public TaskAttemptId attempt() {
      return attempt;
    }

    State state() {
      return state;
    }

    private boolean isWaiting() {
      return state == State.WANTED || state == State.ASKED;
    }
  }

  private final List<Clone> all = new ArrayList<>();
  private final ListMultimap<TaskId, Clone> byTask = ArrayListMultimap.create();
  private final Map<TaskAttemptId, Clone> byAttempt = new ConcurrentHashMap<>();
  private final Set<TaskId> cloned = ConcurrentHashMap.newKeySet();

  /**
   * Records that a clone of a task has been decided on.
   *
   * @param now milliseconds
   */
  synchronized Clone want(TaskId task, long now) {
    Clone clone = new Clone(task, now + PATIENCE.toMillis());
    all.add(clone);
    byTask.put(task, clone);
    return clone;
  }

  /**
   * Records that the attempt of a clone has been made.
   *
   * @return whether it is still wanted; if not, it must be killed
   */
  synchronized boolean made(Clone clone, TaskAttemptId attempt) {
    clone.attempt = attempt;
    byAttempt.put(attempt, clone);
    cloned.add(clone.task);
    return clone.state == State.WANTED;
  }

  /**
   * Records that the attempt of a clone could not be made.
   *
   * @param isOff whether no clones are made now; then nothing is wrong with this one, and it may be
   *     decided on again later
   */
  synchronized void notMade(Clone clone, boolean isOff) {
    if (clone.attempt == null) {
      ended(clone);
      if (isOff) {
        all.remove(clone);
        byTask.remove(clone.task, clone);
      }
    }
  }

  /**
   * Records that the attempt of a clone asks for a container.
   *
   * @return whether to send the request; false if the clone was withdrawn in the meantime
   */
  synchronized boolean asked(TaskAttemptId attempt) {
    Clone clone = byAttempt.get(attempt);
    boolean isWanted = clone != null && clone.state == State.WANTED;
    if (isWanted) {
      clone.state = State.ASKED;
    }
    return isWanted;
  }

  /** Records that a clone has been given a container. */
  synchronized void onAllocated(TaskAttemptId attempt) {
    Clone clone = byAttempt.get(attempt);
    if (clone != null && clone.state == State.ASKED) {
      clone.state = State.GIVEN;
    }
  }

  /** Records that a clone was withdrawn or its attempt has ended. */
  synchronized void ended(Clone clone) {
    clone.state = State.ENDED;
  }

  /** Records that an attempt is ending or has ended, if it is a clone. */
  synchronized void ended(TaskAttemptId attempt) {
    Clone clone = byAttempt.get(attempt);
    if (clone != null) {
      ended(clone);
    }
  }

  /** Returns whether an attempt was made as a clone. */
  boolean contains(TaskAttemptId attempt) {
    return byAttempt.containsKey(attempt);
  }

  /**
   * Returns whether an attempt is a clone that nobody may rely on: it has no container and may be
   * withdrawn at any moment, or it is ending.
   */
  boolean isProvisional(TaskAttemptId attempt) {
    Clone clone = byAttempt.get(attempt);
    return clone != null && clone.state != State.GIVEN;
  }

  /** Returns whether a clone of a task has ever been made. */
  boolean isCloned(TaskId task) {
    return cloned.contains(task);
  }

  /** Returns how many clones of a task have been decided on, including those that have ended. */
  synchronized int ever(TaskId task) {
    return byTask.get(task).size();
  }

  /**
   * Notes the ends of clones whose container is gone.
   *
   * @param hosts returns the host of an attempt's container, if it has one
   */
  void endThoseWithoutContainer(Function<TaskAttemptId, Optional<String>> hosts) {
    openNewestFirst().stream()
        .filter(clone -> clone.state() == State.GIVEN && hosts.apply(clone.attempt()).isEmpty())
        .forEach(this::ended);
  }

  /** Returns how many clones of a task have not ended. */
  synchronized int open(TaskId task) {
    return (int) byTask.get(task).stream().filter(clone -> clone.state != State.ENDED).count();
  }

  /** Returns how many clones are in a state. */
  synchronized int count(State state) {
    return (int) all.stream().filter(clone -> clone.state == state).count();
  }

  /** Returns the clones that have not ended, the newest first. */
  synchronized List<Clone> openNewestFirst() {
    List<Clone> open = new ArrayList<>();
    for (int i = all.size() - 1; i >= 0; i--) {
      if (all.get(i).state != State.ENDED) {
        open.add(all.get(i));
      }
    }
    return open;
  }

  /** Returns the clones that have no container yet. */
  synchronized List<Clone> waiting() {
    return all.stream().filter(Clone::isWaiting).toList();
  }

  /** Returns the clones that have no container yet and whose deadline has passed. */
  synchronized List<Clone> overdue(long now) {
    return all.stream().filter(clone -> clone.isWaiting() && now >= clone.deadline).toList();
  }
}
