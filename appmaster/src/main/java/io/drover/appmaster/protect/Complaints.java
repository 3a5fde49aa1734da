// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.appmaster.protect.OutputsByHost.Output;
import io.drover.core.containment.CircuitBreaker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;

/**
 * Finds out whether outputs can be read of which a reduce says that it could not fetch them: the
 * node is asked for them, twice, in case it could not read them for a passing reason. While an
 * output is being asked for, further complaints about it are dropped.
 *
 * <p>If enough reduces complain for Hadoop to count the output as lost, that waits for the node's
 * answer ({@link #hold}). Then it counts, as in Hadoop: the AppMaster may reach the node while
 * reduces do not. It does not count if another output of the node explains the complaints ({@link
 * #areExplained}). No answer explains nothing.
 *
 * <p>Used on the dispatcher thread; what waits for the network runs on threads of the watch.
 */
final class Complaints {
  private static final Duration SECOND_LOOK = Duration.ofSeconds(1);

  /** The complaints about one request of each reduce come together, with their next reports. */
  private static final Duration EXPLAINS = Duration.ofSeconds(30);

  /** An output that its node could not read, and when that was, in nanoseconds. */
  private record Unreadable(String host, long at) {}

  private final HostWatch watch;
  private final Surroundings around;
  private final CircuitBreaker breaker;
  private final Consumer<List<Output>> unreadable;
  private final LongSupplier nanos;

  /** What is being asked for, and the loss that waits for the answer, if there is one. */
  private final Map<TaskAttemptId, Optional<TaskAttemptEvent>> asking = new HashMap<>();

  private final Map<TaskAttemptId, Unreadable> found = new HashMap<>();

  /**
   * Creates a state without complaints.
   *
   * @param unreadable takes the outputs of a node that it could not read twice; may be empty
   * @param nanos a clock in nanoseconds
   */
  Complaints(
      HostWatch watch,
      Surroundings around,
      CircuitBreaker breaker,
      Consumer<List<Output>> unreadable,
      LongSupplier nanos) {
    this.watch = watch;
    this.around = around;
    this.breaker = breaker;
    this.unreadable = unreadable;
    this.nanos = nanos;
  }

  /** Takes in which outputs a reduce could not fetch. */
  void take(List<Output> outputs, int reduce) {
    Map<String, List<Output>> byHost = new HashMap<>();
    for (Output output : outputs) {
      if (asking.putIfAbsent(output.id(), Optional.empty()) == null) {
        byHost.computeIfAbsent(output.host(), host -> new ArrayList<>()).add(output);
      }
    }
    byHost.forEach(
        (host, there) -> {
          watch.doubt(host);
          ask(
              there,
              reduce,
              Duration.ZERO,
              first -> ask(first, reduce, SECOND_LOOK, this::unreadable));
        });
  }

  /**
   * Keeps the loss of an output by complaints while its node is asked for the output. Afterwards
   * the attempt gets the event again, if its output still counts.
   *
   * @return whether the event is kept
   */
  boolean hold(TaskAttemptEvent loss) {
    return asking.replace(loss.getTaskAttemptID(), Optional.of(loss)) != null;
  }

  /**
   * Returns whether the node could not read another output just now, but was not found to be unable
   * to read this one. It refuses all of a request with an output that it cannot read.
   */
  boolean areExplained(Output output) {
    found.values().removeIf(one -> nanos.getAsLong() - one.at() >= EXPLAINS.toNanos());
    return !found.containsKey(output.id())
        && found.values().stream().anyMatch(one -> one.host().equals(output.host()));
  }

  private void unreadable(List<Output> outputs) {
    unreadable.accept(outputs);
    asked(outputs);
  }

  /** Ends the asking for outputs. Calling it again for the same ones does nothing. */
  private void asked(List<Output> outputs) {
    for (Output output : outputs) {
      Optional<TaskAttemptEvent> loss =
          Objects.requireNonNullElse(asking.remove(output.id()), Optional.empty());
      loss.filter(event -> output.attempt().getState() == TaskAttemptState.SUCCEEDED)
          .ifPresent(event -> HadoopAttempts.handle(output.attempt(), event));
    }
  }

  /** Asks a node for outputs after a pause, and goes on with those that it cannot read. */
  private void ask(List<Output> some, int reduce, Duration pause, Consumer<List<Output>> goOnWith) {
    if (some.isEmpty()) {
      return;
    }
    String where = some.get(0).address();
    watch.later(
        pause,
        () -> {
          List<Output> unread = unreadable(where, some, reduce);
          around
              .dispatcher()
              .accept(
                  () -> {
                    unread.forEach(this::found);
                    asked(some.stream().filter(output -> !unread.contains(output)).toList());
                    if (!breaker.run(() -> goOnWith.accept(unread))) {
                      asked(unread);
                    }
                  });
        },
        () -> around.dispatcher().accept(() -> asked(some)));
  }

  private void found(Output output) {
    found.put(output.id(), new Unreadable(output.host(), nanos.getAsLong()));
  }

  /** Runs on a thread that may wait. */
  private List<Output> unreadable(String where, List<Output> some, int reduce) {
    Map<TaskAttemptID, Output> byId = new LinkedHashMap<>();
    some.forEach(output -> byId.put(TypeConverter.fromYarn(output.id()), output));
    return around.probe().get().unreadable(where, reduce, List.copyOf(byId.keySet())).stream()
        .map(byId::get)
        .toList();
  }
}
