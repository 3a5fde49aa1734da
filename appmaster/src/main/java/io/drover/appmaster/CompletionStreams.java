// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.Breakers;
import io.drover.speculator.DecisionLogSink;
import io.drover.speculator.DroverCounter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.yarn.util.Clock;

/**
 * Gives each clone of a reduce a stream of map completion events of its own. All other attempts
 * read the job's events. Used on the threads of the RPC server.
 */
public final class CompletionStreams {
  private final Supplier<Job> jobs;
  private final ToIntFunction<TaskAttemptId> cloneNumber;
  private final MapCopies copies;
  private final Function<TaskAttemptID, Optional<String>> replicas;
  private final Clock clock;
  private final DecisionLogSink lines;
  private final CircuitBreaker breaker;
  private final Map<TaskAttemptId, Optional<CompletionStream>> streams = new ConcurrentHashMap<>();

  /**
   * Creates the streams of one job.
   *
   * @param cloneNumber returns which clone of its task an attempt is, from 1; 0 if it is none
   * @param replicas returns where an output is to be read as well, if its node does not serve it
   * @param breakers the job's breakers; while the one added here is open, all read the job's events
   */
  CompletionStreams(
      Supplier<Job> jobs,
      ToIntFunction<TaskAttemptId> cloneNumber,
      MapCopies copies,
      Function<TaskAttemptID, Optional<String>> replicas,
      Clock clock,
      DecisionLogSink lines,
      Breakers breakers) {
    this.breaker =
        breakers.of("Map outputs for clones of reduces", DroverCounter.MAP_COPIES_OFF, () -> {});
    this.jobs = jobs;
    this.cloneNumber = cloneNumber;
    this.copies = copies;
    this.replicas = replicas;
    this.clock = clock;
    this.lines = lines;
  }

  /**
   * Returns the next events for an attempt. An attempt reads one stream from beginning to end, the
   * one that it got when it first asked.
   *
   * @param from index of the first event, from 0
   * @param most the maximum number of events
   * @return empty if the attempt reads the job's own events
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
                reduce,
                number,
                jobs.get()::getMapAttemptCompletionEvents,
                copies,
                replicas,
                lines,
                breaker));
  }
}
