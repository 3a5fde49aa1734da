// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.ChannelClient.TimestampedState;
import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends reports to the ResourceManagers, one call at a time, and chooses the pause between two
 * calls. It belongs to the channel's thread; only the latest state may be read by any thread.
 *
 * <p>A report that got no answer is kept unchanged and sent to the next ResourceManager. It may
 * have been taken already, but its number shows that. Only the active ResourceManager listens and
 * the others refuse the connection, so after each failure the loop goes on to the next one. After a
 * round of failures it pauses, each time longer. A client that has never received an answer gives
 * up soon, because there is probably no Drover. Any other client keeps trying for as long as a
 * failover may take. A client that gives up logs one warning and then makes one round of calls
 * every few minutes.
 */
final class ReportLoop implements AutoCloseable {
  /** The pause while there is nothing to report yet. */
  static final Duration NOTHING_TO_SAY = Duration.ofMinutes(10);

  /** The shortest pause after an answer, even if the answer asks for less. */
  static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

  /** The pause after the first round of failures. The next ones double, up to the longest. */
  static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  /** Rounds of failures after which a client gives up that has never received an answer. */
  static final int ROUNDS_OF_A_STRANGER = 4;

  /** Rounds of failures after which any other client gives up: about 10 minutes. */
  static final int ROUNDS_OF_AN_ACQUAINTANCE = 80;

  /** The pause between rounds after giving up. */
  static final Duration RARELY = Duration.ofMinutes(5);

  /** A state is forgotten after five report periods, but not sooner than after this time. */
  static final Duration SHORTEST_MEMORY = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(ReportLoop.class);

  private record Received(ClusterState state, long at, Duration memory) {}

  private final String attempt;
  private final List<? extends Transport> transports;
  private final Outbox outbox;
  private final LongSupplier nanos;
  private final DoubleSupplier chance;
  private volatile Optional<Received> received = Optional.empty();
  private ClusterTable table = ClusterTable.EMPTY;
  private Report report;
  private long sequence;
  private boolean wantsJob;
  private int current;
  private int failures;
  private int patience = ROUNDS_OF_A_STRANGER;
  private boolean hasComplained;

  /**
   * Creates a loop that has sent no report yet.
   *
   * @param attempt the application attempt that reports
   * @param transports the connections to the ResourceManagers, at least one
   * @param nanos a clock in nanoseconds that never goes back
   * @param chance random numbers in [0,1), which keep AppMasters from all calling at once after a
   *     failover
   */
  ReportLoop(
      String attempt,
      List<? extends Transport> transports,
      Outbox outbox,
      LongSupplier nanos,
      DoubleSupplier chance) {
    this.attempt = attempt;
    this.transports = List.copyOf(transports);
    this.outbox = outbox;
    this.nanos = nanos;
    this.chance = chance;
  }

  /**
   * Makes one call.
   *
   * @return the pause until the next call
   */
  Duration speak() {
    if (report == null && !outbox.knowsJob()) {
      return NOTHING_TO_SAY;
    }
    if (report == null) {
      report = outbox.take(++sequence, wantsJob, table.tag());
    }
    try {
      Transport open = transports.get(current);
      return onAnswer(AnswerCodec.read(open.send(ReportCodec.write(attempt, report)), table));
    } catch (IOException | BadMessageException e) {
      return hearNothing(e.toString());
    }
  }

  /** Drops the current report, because an error occurred while it was being sent. */
  void dropReport() {
    report = null;
    wantsJob = true; // the dropped report may have described the job
  }

  private Duration onAnswer(Answer answer) {
    return switch (answer.status()) {
      case TAKEN, REPLAYED -> {
        report = null;
        wantsJob = answer.wantsJob();
        answer.state().ifPresent(state -> remember(state, answer.pause()));
        yield answered(answer);
      }
      case WAIT -> answered(answer);
      case BAD -> {
        report = null;
        complain(answer.why());
        yield answered(answer);
      }
      case REFUSED -> hearNothing(answer.why()); // it may not know the attempt yet
      case TROUBLE -> {
        report = null;
        yield hearNothing(answer.why());
      }
    };
  }

  private void remember(ClusterState state, Duration period) {
    Duration memory = longer(period.multipliedBy(5), SHORTEST_MEMORY);
    table = state.table();
    received = Optional.of(new Received(state, nanos.getAsLong(), memory));
  }

  private Duration answered(Answer answer) {
    if (patience == ROUNDS_OF_A_STRANGER || isGivenUp()) {
      LOG.info("Drover's scheduler answers at {}", transports.get(current));
    }
    patience = ROUNDS_OF_AN_ACQUAINTANCE;
    failures = 0;
    return longer(answer.pause(), SHORTEST_PAUSE);
  }

  private Duration hearNothing(String why) {
    LOG.debug("no answer from {}: {}", transports.get(current), why);
    boolean wasGivenUp = isGivenUp();
    failures++;
    current = (current + 1) % transports.size();
    if (failures % transports.size() != 0) {
      return Duration.ZERO;
    }
    if (isGivenUp()) {
      if (!wasGivenUp) {
        LOG.warn(
            "Drover's scheduler does not answer at {} ({})."
                + " The job uses its own settings and measurements; Drover tries again every {}",
            transports,
            why,
            RARELY);
      }
      return atRandom(RARELY);
    }
    int doublings = Math.min(failures / transports.size() - 1, 10);
    Duration pause = FIRST_PAUSE.multipliedBy(1L << doublings);
    return atRandom(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
  }

  private boolean isGivenUp() {
    return failures / transports.size() >= patience;
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  /** Returns a random duration between half of the pause and all of it. */
  private Duration atRandom(Duration pause) {
    return Duration.ofMillis((long) (pause.toMillis() * (0.5 + 0.5 * chance.getAsDouble())));
  }

  private void complain(String why) {
    if (!hasComplained) {
      hasComplained = true;
      LOG.warn("Drover's scheduler rejected a report as malformed; it is dropped: {}", why);
    }
  }

  /** Returns the latest state of the cluster; empty if there is none or it is too old. */
  Optional<TimestampedState> latestState() {
    return received.flatMap(
        last -> {
          Duration age = Duration.ofNanos(Math.max(0, nanos.getAsLong() - last.at()));
          return age.compareTo(last.memory()) <= 0
              ? Optional.of(new TimestampedState(last.state(), age))
              : Optional.empty();
        });
  }

  @Override
  public void close() {
    transports.forEach(Transport::close);
  }

  /** The connection to one ResourceManager. Belongs to the channel's thread. */
  interface Transport extends AutoCloseable {
    /**
     * Makes one call within a bounded time, without retrying.
     *
     * @throws IOException if there was no answer
     */
    AnswerProto send(ReportProto report) throws IOException;

    @Override
    void close();
  }
}
