// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.attempts.ReduceEvents;
import io.drover.appmaster.protect.OutputsByHost.Output;
import io.drover.core.containment.CircuitBreaker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskCompletionEvent.Status;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * The map completion events that all reduces of a job receive, apart from clones. They are the
 * job's events, with two differences: while an output is made again that can still be read, reduces
 * are not told of the end of the old one before they are told of the new one; and when an output is
 * to be read from a replica, they are told of that place.
 *
 * <p><b>What a reduce does with events.</b> Once a second, it asks for the events from an index on,
 * and advances the index by as many as it got (EventFetcher). It lists each SUCCEEDED attempt under
 * its host, and the first output of a map that it has fetched counts (ShuffleSchedulerImpl, {@code
 * finishedMaps}). OBSOLETE, FAILED and KILLED bar the named attempt for ever, and no other attempt
 * of the map.
 *
 * <p><b>Why no reduce hangs because of it.</b> Events are only ever appended, so an index always
 * means the same, and it means the same as in the job's own list until the first difference. Each
 * event of the job is passed on, in its order, or held back until a success of the same map comes.
 * As in the job's list, a success becomes OBSOLETE when the end of its attempt is passed on. Only
 * the end of an attempt is held back that has been announced before: a reduce that cannot read its
 * output complains, and that ends the waiting ({@link #end}). If something goes wrong here, all of
 * the job's events are appended from the beginning, because an event that a reduce gets twice
 * changes nothing.
 *
 * <p>Any thread may call this.
 */
public final class OutputEvents {
  /** An output that reduces may read until its map has another one. */
  private static final class Kept {
    private final Output output;
    private TaskCompletionEvent end;

    Kept(Output output) {
      this.output = output;
    }

    private boolean isOf(TaskAttemptId attempt) {
      return output.id().equals(attempt);
    }
  }

  /** The number of an attempt that no task has. */
  private static final int NO_ATTEMPT = Integer.MAX_VALUE;

  private final ReduceEvents events;

  /** Where the success of each attempt stands that has not ended, as far as reduces know. */
  private final Map<TaskAttemptID, Integer> successes = new HashMap<>();

  private final Map<TaskId, Kept> kept = new HashMap<>();
  private final Map<TaskAttemptID, String> replicas = new HashMap<>();

  /**
   * Creates a list at its beginning.
   *
   * @param source the job's events
   * @param breaker is open while reduces get the job's own events
   */
  OutputEvents(ReduceEvents.Source source, CircuitBreaker breaker) {
    this.events = new ReduceEvents(source, breaker);
  }

  /** Returns at most a number of events from an index on, as far as there are any now. */
  public synchronized TaskCompletionEvent[] next(int from, int most) {
    advance();
    return events.from(from, most);
  }

  private boolean advance() {
    return events.run(() -> events.forEachNew((event, index) -> take(event)));
  }

  private void take(TaskCompletionEvent event) {
    TaskAttemptId attempt = TypeConverter.toYarn(event.getTaskAttemptId());
    Kept old = kept.get(attempt.getTaskId());
    if (old == null) {
      pass(event);
    } else if (old.isOf(attempt) && event.getTaskStatus() != Status.SUCCEEDED) {
      old.end = event;
    } else {
      pass(event);
      if (event.getTaskStatus() == Status.SUCCEEDED) {
        end(old);
      }
    }
  }

  /**
   * Lets reduces read an output until its map has another one. It must be called before the job
   * hears that the attempt has ended.
   */
  synchronized void keepUntilRemade(Output output) {
    if (advance()) { // so that its success has been passed on
      Kept old = kept.put(output.id().getTaskId(), new Kept(output));
      if (old != null) {
        passEnd(old);
      }
    }
  }

  /**
   * Tells reduces that an output can be read elsewhere too. Those that know of it already learn of
   * the second place; they try both, and the first answer counts. All others learn of this place
   * only: the event of the first one means nothing from now on.
   *
   * @param address such as {@code http://host:13562}
   * @return whether they are told; not if its success has not been passed on, or after errors
   */
  synchronized boolean alsoAt(TaskAttemptId attempt, String address) {
    Integer index = advance() ? successes.get(TypeConverter.fromYarn(attempt)) : null;
    if (index == null) {
      return false;
    }
    TaskCompletionEvent first = events.get(index);
    events.set(index, nothing(first));
    successes.put(first.getTaskAttemptId(), events.size());
    events.add(at(first, address));
    replicas.put(first.getTaskAttemptId(), address);
    return true;
  }

  /**
   * Returns an event that means nothing: the end of an attempt that never was. Without it, indices
   * would change; and a reduce that got the same place twice would ask for the output twice in one
   * request, and complain (Fetcher.verifySanity).
   */
  private static TaskCompletionEvent nothing(TaskCompletionEvent success) {
    return new TaskCompletionEvent(
        success.getEventId(),
        new TaskAttemptID(success.getTaskAttemptId().getTaskID(), NO_ATTEMPT),
        success.idWithinJob(),
        success.isMapTask(),
        Status.OBSOLETE,
        success.getTaskTrackerHttp());
  }

  /** Returns where reduces were told to find an output as well. */
  public synchronized Optional<String> replica(TaskAttemptID output) {
    return Optional.ofNullable(replicas.get(output));
  }

  /** Returns the success of an attempt whose output is served at another address. */
  public static TaskCompletionEvent at(TaskCompletionEvent success, String address) {
    TaskCompletionEvent there =
        new TaskCompletionEvent(
            success.getEventId(),
            success.getTaskAttemptId(),
            success.idWithinJob(),
            success.isMapTask(),
            Status.SUCCEEDED,
            address);
    there.setTaskRunTime(success.getTaskRunTime());
    return there;
  }

  /**
   * Tells reduces of the end of an output that they may still read, because they cannot.
   *
   * @return the output; empty if it is not such a one
   */
  synchronized Optional<Output> end(TaskAttemptId attempt) {
    return isKept(attempt) ? Optional.of(end(kept.get(attempt.getTaskId()))) : Optional.empty();
  }

  /** Returns whether reduces may still read an output though its map is to run again. */
  synchronized boolean isKept(TaskAttemptId attempt) {
    Kept old = kept.get(attempt.getTaskId());
    return old != null && old.isOf(attempt);
  }

  /** Returns the hosts of the outputs that reduces may still read though these are made again. */
  synchronized Set<String> keptOn() {
    return kept.values().stream().map(old -> old.output.host()).collect(Collectors.toSet());
  }

  /** Tells reduces of the end of all such outputs on some hosts, because they are lost. */
  synchronized List<Output> endOn(Set<String> hosts) {
    return List.copyOf(kept.values()).stream()
        .filter(old -> hosts.contains(old.output.host()))
        .map(this::end)
        .toList();
  }

  private Output end(Kept old) {
    kept.remove(old.output.id().getTaskId());
    passEnd(old);
    return old.output;
  }

  private void passEnd(Kept old) {
    if (old.end != null) {
      pass(old.end);
    }
  }

  private void pass(TaskCompletionEvent event) {
    Integer success = successes.remove(event.getTaskAttemptId());
    if (success != null) {
      events.set(success, ReduceEvents.obsolete(events.get(success)));
    }
    if (event.getTaskStatus() == Status.SUCCEEDED) {
      successes.put(event.getTaskAttemptId(), events.size());
    }
    events.add(event);
  }
}
