// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.Breakers;
import io.drover.speculator.DroverCounter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.yarn.util.Clock;

/**
 * The map completion events that each clone of a reduce receives: a stream of its own, where all
 * other attempts read the job's. On the threads of the RPC server.
 */
public final class CompletionStreams {
  private final Supplier<Job> jobs;
  private final ToIntFunction<TaskAttemptId> cloneNumber;
  private final MapCopies copies;
  private final Clock clock;
  private final DecisionLogSink lines;
  private final CircuitBreaker breaker;
  private final Map<TaskAttemptId, Optional<CompletionStream>> streams = new ConcurrentHashMap<>();

  /**
   * The streams of one job.
   *
   * @param cloneNumber which clone of its task an attempt is, from 1; 0 for one that is no clone
   * @param breakers get one more: while it is open, all are told what the job tells
   */
  CompletionStreams(
      Supplier<Job> jobs,
      ToIntFunction<TaskAttemptId> cloneNumber,
      MapCopies copies,
      Clock clock,
      DecisionLogSink lines,
      Breakers breakers) {
    this.breaker =
        breakers.of("Other copies for clones of reduces", DroverCounter.MAP_COPIES_OFF, () -> {});
    this.jobs = jobs;
    this.cloneNumber = cloneNumber;
    this.copies = copies;
    this.clock = clock;
    this.lines = lines;
  }

  /**
   * The next events for an attempt. An attempt reads one stream from its beginning to its end,
   * whichever it was when it asked first.
   *
   * @param from index of the first, from 0
   * @param most of them
   * @return empty if the attempt reads the job's own
   */
  public Optional<TaskCompletionEvent[]> next(TaskAttemptId reduce, int from, int most) {
    return streams
        .computeIfAbsent(reduce, this::stream)
        .map(stream -> stream.next(from, most, clock.getTime()));
  }

  private Optional<CompletionStream> stream(TaskAttemptId reduce) {
    return breaker.call(() -> make(reduce), Optional.empty());
  }

  private Optional<CompletionStream> make(TaskAttemptId reduce) {
    int number = copies.isOn() ? cloneNumber.applyAsInt(reduce) : 0;
    return number == 0
        ? Optional.empty()
        : Optional.of(
            new CompletionStream(
                reduce, number, jobs.get()::getMapAttemptCompletionEvents, copies, lines, breaker));
  }
}
