// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.protect.OutputsByHost.Output;
import io.drover.core.containment.CircuitBreaker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/**
 * Finds out whether outputs can be read of which a reduce says that it could not fetch them: the
 * node is asked for them, twice, in case it could not read them for a passing reason. While an
 * output is being asked for, further complaints about it are dropped.
 *
 * <p>For a while after the first complaint about an output, the node's own answer counts, and not
 * how many reduces complain. Afterwards their number counts, as in Hadoop: the AppMaster may reach
 * the node while reduces do not.
 *
 * <p>Used on the dispatcher thread; what waits for the network runs on threads of the watch.
 */
final class Complaints {
  private static final Duration SECOND_LOOK = Duration.ofSeconds(1);

  /** The complaints about one request of each reduce come together, with their next reports. */
  private static final Duration REVIEW = Duration.ofSeconds(30);

  private final HostWatch watch;
  private final Surroundings around;
  private final CircuitBreaker breaker;
  private final Consumer<List<Output>> unreadable;
  private final LongSupplier nanos;
  private final Set<TaskAttemptId> asking = new HashSet<>();

  /** Since when reduces complain about outputs; empty if the node's answer does not help. */
  private final Map<TaskAttemptId, OptionalLong> since = new HashMap<>();

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
      since.putIfAbsent(output.id(), OptionalLong.of(nanos.getAsLong()));
      if (asking.add(output.id())) {
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
   * Returns whether the first complaint about an output came just now, and its node is still being
   * asked for it or can read it, as far as is known.
   */
  boolean isUnderReview(TaskAttemptId output) {
    OptionalLong first = since.getOrDefault(output, OptionalLong.empty());
    return first.isPresent() && nanos.getAsLong() - first.getAsLong() < REVIEW.toNanos();
  }

  /** Forgets the complaints about an output that is lost. */
  void forget(TaskAttemptId output) {
    since.remove(output);
  }

  private void unreadable(List<Output> outputs) {
    failed(outputs);
    unreadable.accept(outputs);
  }

  private void done(List<Output> outputs) {
    outputs.forEach(output -> asking.remove(output.id()));
  }

  private void failed(List<Output> outputs) {
    done(outputs);
    outputs.forEach(output -> since.replace(output.id(), OptionalLong.empty()));
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
                    done(some.stream().filter(output -> !unread.contains(output)).toList());
                    breaker.run(() -> goOnWith.accept(unread));
                  });
        },
        () -> around.dispatcher().accept(() -> failed(some)));
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
