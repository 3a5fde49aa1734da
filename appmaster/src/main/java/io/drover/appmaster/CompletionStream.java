// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.MapCopies.Copy;
import io.drover.appmaster.attempts.ReduceEvents;
import io.drover.appmaster.protect.OutputEvents;
import io.drover.core.clone.DelayAssignment;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.DecisionLogSink;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskCompletionEvent.Status;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The map completion events that one clone of a reduce receives. They are the job's events, but a
 * success may come later or name another copy ({@link DelayAssignment}).
 *
 * <p><b>What a reduce does with events.</b> Once a second, it asks for the events from an index on,
 * and advances the index by as many as it got (EventFetcher). It lists each SUCCEEDED attempt under
 * its host. The first copy of a map's output that it fetches counts, and other copies of the same
 * map are skipped (ShuffleSchedulerImpl, {@code finishedMaps}). OBSOLETE, FAILED and KILLED bar the
 * named attempt for ever, and no other attempt of the map.
 *
 * <p><b>Why no reduce hangs or fetches from a dead attempt because of it.</b> Events are only ever
 * appended, so an index always means the same. All events except successes are passed on at once. A
 * success is withheld only while {@link MapCopies#isExpected} says so. The clock bounds that time,
 * and it is checked when the reduce asks, not by a timer. Before a withheld success is sent, it is
 * looked up again. If it has become obsolete, it is not sent, and the job's later events, which all
 * come through here, name its replacement. If the clone's own copy dies, it is sent as OBSOLETE (a
 * dead attempt never comes back), and then the first copy is sent. If something goes wrong here,
 * all of the job's events are appended from the beginning, because an event that a reduce gets
 * twice changes nothing. If a replica of an output is to be read, the reduce is told of it too.
 */
final class CompletionStream {
  private static final Logger LOG = LoggerFactory.getLogger(CompletionStream.class);

  /** What is known about one map's output. */
  private static final class Source {
    /** Index of the job's last success event of the map. */
    private int first;

    /** When that event was seen. */
    private long since;

    /** The attempt that was sent to the reduce; null if it is lost. */
    private TaskAttemptID reading;

    /** The copy that was sent to the reduce; null if that is the first one. */
    private Copy own;

    /** Where the reduce was told to find the output as well; null if nowhere. */
    private String alsoAt;
  }

  private final TaskAttemptId reduce;
  private final int reader;
  private final ReduceEvents events;
  private final MapCopies copies;
  private final Function<TaskAttemptID, Optional<String>> replicas;
  private final DecisionLogSink lines;
  private final Map<TaskId, Source> sources = new LinkedHashMap<>();
  private boolean isOwn = true;

  /**
   * Creates a stream that is at its beginning.
   *
   * @param reader number of the attempt among those that were started together; the first is 0
   * @param replicas returns where an output is to be read as well, if its node does not serve it
   * @param breaker of all streams of the job
   */
  CompletionStream(
      TaskAttemptId reduce,
      int reader,
      ReduceEvents.Source events,
      MapCopies copies,
      Function<TaskAttemptID, Optional<String>> replicas,
      DecisionLogSink lines,
      CircuitBreaker breaker) {
    this.reduce = reduce;
    this.reader = reader;
    this.events = new ReduceEvents(events, breaker);
    this.copies = copies;
    this.replicas = replicas;
    this.lines = lines.in(Mode.ON);
  }

  /** Returns at most a number of events from an index on, as far as there are any now. */
  synchronized TaskCompletionEvent[] next(int from, int most, long now) {
    boolean wasOwn = isOwn;
    isOwn = events.run(() -> advance(now));
    if (wasOwn && !isOwn) {
      LOG.info("{} now gets the job's own events from the beginning", reduce);
    }
    return events.from(from, most);
  }

  private void advance(long now) {
    events.forEachNew((event, index) -> take(event, index, now));
    sources.forEach((map, source) -> update(map, source, now));
  }

  private void take(TaskCompletionEvent event, int index, long now) {
    TaskId map = TypeConverter.toYarn(event.getTaskAttemptId()).getTaskId();
    if (event.getTaskStatus() == Status.SUCCEEDED) {
      Source source = sources.computeIfAbsent(map, id -> new Source());
      source.first = index;
      source.since = now;
      if (event.getTaskAttemptId().equals(source.reading)) {
        source.own = null; // the job knows it now and will report its end
      }
      return;
    }
    events.add(event);
    Source source = sources.get(map);
    if (source != null && event.getTaskAttemptId().equals(source.reading)) {
      source.reading = null;
      source.own = null;
    }
  }

  private void update(TaskId map, Source source, long now) {
    if (source.reading != null && source.own == null) { // most of the time, so it must be quick
      tellReplica(source);
      return;
    }
    boolean isLost = source.own != null && !source.own.lives();
    if (isLost) {
      events.add(ReduceEvents.obsolete(source.own.completion()));
      source.reading = null;
      source.own = null;
    }
    TaskCompletionEvent first = events.ofJob(source.first);
    if (source.reading != null || first.getTaskStatus() != Status.SUCCEEDED) {
      return;
    }
    List<Copy> others =
        copies.living(map).stream()
            .filter(copy -> !copy.completion().getTaskAttemptId().equals(first.getTaskAttemptId()))
            .toList();
    OptionalInt number =
        DelayAssignment.copyFor(reader, 1 + others.size(), copies.isExpected(map, now));
    if (number.isPresent()) {
      source.own = number.getAsInt() == 0 ? null : others.get(number.getAsInt() - 1);
      TaskCompletionEvent chosen = source.own == null ? first : source.own.completion();
      source.reading = chosen.getTaskAttemptId();
      source.alsoAt = null;
      events.add(chosen);
      boolean isAlone = number.getAsInt() == reader;
      line(map, chosen, first, (now - source.since) / 1e3, isAlone, isLost);
    }
  }

  /**
   * Tells the reduce of the replica of the first copy, which it reads, if there is one. It tries
   * both places, and the first answer counts.
   */
  private void tellReplica(Source source) {
    Optional<String> address =
        replicas.apply(source.reading).filter(there -> !there.equals(source.alsoAt));
    if (address.isEmpty()) {
      return;
    }
    TaskCompletionEvent first = events.ofJob(source.first);
    if (first.getTaskAttemptId().equals(source.reading)) {
      source.alsoAt = address.get();
      events.add(OutputEvents.at(first, source.alsoAt));
    }
  }

  private void line(
      TaskId map,
      TaskCompletionEvent chosen,
      TaskCompletionEvent first,
      double waited,
      boolean isAlone,
      boolean isLost) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("task", map);
    fields.put("attempt", reduce);
    fields.put("copy", chosen.getTaskAttemptId().toString());
    fields.put("from", chosen.getTaskTrackerHttp());
    fields.put("first", first.getTaskAttemptId().toString());
    fields.put("firstFrom", first.getTaskTrackerHttp());
    fields.put("own", isAlone);
    fields.put("waited", waited);
    fields.put(
        "reason",
        isAlone
            ? "the attempt reads its own copy"
            : (isLost ? "its copy was lost" : "no further copy was ready in time") + ": shared");
    lines.write("fetch", fields);
  }
}
