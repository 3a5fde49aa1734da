// SPDX-License-Identifier: Apache-2.0
package io.drover.core.containment;

import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Contains the errors of one feature: a unit of work that throws fails alone, and a feature whose
 * units fail several times in a row is switched off for a while.
 *
 * <p>The rule is the circuit breaker of M. Nygard, "Release It!" (2nd edition, 2018, section 5.2).
 * <em>Closed</em>: every unit runs. After {@value #FAILURES} failures in a row, without a success
 * between them, the breaker <em>opens</em>: units are refused, the stock behaviour goes on. After
 * {@link #PAUSE} it is <em>half open</em>: one unit runs as a trial. If it succeeds the breaker
 * closes, if it fails the breaker opens again.
 *
 * <p>A failure is any {@link Throwable} but a {@link VirtualMachineError}, after which a JVM cannot
 * go on; of those only a {@link StackOverflowError} is contained, since the stack is free again
 * when it is caught. What is not contained counts as a failure, and is thrown on.
 *
 * <p>A unit must leave consistent state behind when it throws: choose the smallest one for which
 * that holds (a message, a partition, a task, a round). Safe for several threads; units run outside
 * its lock. It is written here, and not taken from a library, because libraries read the clock
 * themselves, which nothing in {@code core} may.
 */
public final class CircuitBreaker {
  /** Failures in a row after which a feature is switched off. */
  public static final int FAILURES = 3;

  /** How long a feature stays off before one unit is tried again. */
  public static final Duration PAUSE = Duration.ofMinutes(1);

  /** Kinds of failure that are counted apart; the rest is counted as {@value #OTHER_KINDS}. */
  private static final int MAX_KINDS = 20;

  private static final String OTHER_KINDS = "other";
  private static final Logger LOG = LoggerFactory.getLogger(CircuitBreaker.class);

  private enum State {
    CLOSED,
    OPEN,
    /** A trial runs. */
    HALF_OPEN
  }

  private final String feature;
  private final LongSupplier nanos;
  private final Runnable onOpen;
  private final SortedMap<String, Long> failuresByKind = new TreeMap<>();
  private State state = State.CLOSED;
  private int failuresInARow;
  private long failures;
  private long openedAt;

  /**
   * A closed breaker.
   *
   * @param feature names the feature in the log, with a capital letter: "Cloning"
   * @param nanos a clock that never goes back, in nanoseconds; {@code System::nanoTime}
   * @param onOpen called each time the breaker opens, on the thread whose unit failed: removes what
   *     the feature would otherwise leave behind. What it throws is logged.
   */
  public CircuitBreaker(String feature, LongSupplier nanos, Runnable onOpen) {
    this.feature = feature;
    this.nanos = nanos;
    this.onOpen = onOpen;
  }

  /**
   * Runs a unit of work, if the breaker permits it, and contains what it throws.
   *
   * @return whether it ran and threw nothing
   */
  public boolean run(Runnable unit) {
    return call(
        () -> {
          unit.run();
          return true;
        },
        false);
  }

  /**
   * Runs a unit of work that has a result, if the breaker permits it, and contains what it throws.
   *
   * @param otherwise the result of a unit that was refused or has thrown
   */
  public <T> T call(Supplier<? extends T> unit, T otherwise) {
    if (!tryAcquire()) {
      return otherwise;
    }
    T result;
    try {
      result = unit.get();
    } catch (Throwable cause) {
      failed(cause);
      return otherwise;
    }
    succeeded();
    return result;
  }

  /**
   * Whether a unit of work may run now. A caller that is told so must call {@link #succeeded} or
   * {@link #failed} afterwards; {@link #run} does all three.
   */
  public synchronized boolean tryAcquire() {
    if (state == State.OPEN && nanos.getAsLong() - openedAt >= PAUSE.toNanos()) {
      state = State.HALF_OPEN;
      return true;
    }
    return state == State.CLOSED;
  }

  /** A unit of work that was permitted has ended well. */
  public void succeeded() {
    boolean closes;
    synchronized (this) {
      closes = state == State.HALF_OPEN;
      if (closes) {
        state = State.CLOSED;
      }
      failuresInARow = 0;
    }
    if (closes) {
      LOG.info("{} works again", feature);
    }
  }

  /**
   * A unit of work that was permitted has failed.
   *
   * @throws VirtualMachineError the cause, if the JVM cannot go on after it
   */
  public void failed(Throwable cause) {
    boolean isFirstOfItsKind;
    boolean wasClosed;
    boolean opens;
    synchronized (this) {
      isFirstOfItsKind = count(cause);
      failuresInARow++;
      wasClosed = state == State.CLOSED;
      opens = state == State.HALF_OPEN || (wasClosed && failuresInARow >= FAILURES);
      if (opens) {
        state = State.OPEN;
        openedAt = nanos.getAsLong();
      }
    }
    if (opens && wasClosed) {
      LOG.warn(
          "{} is off for {} s after {} failures in a row, and is then tried again; what Hadoop does"
              + " without it goes on",
          feature,
          PAUSE.toSeconds(),
          FAILURES,
          cause);
    } else if (isFirstOfItsKind) {
      LOG.warn("{}: one step failed and is left out", feature, cause);
    } else {
      LOG.debug("{}: one step failed and is left out", feature, cause);
    }
    if (opens) {
      cleanUp();
    }
    if (isFatal(cause)) {
      throw (VirtualMachineError) cause;
    }
  }

  /**
   * Counts a failure of a part that has a breaker of its own: it is among this one's failures, and
   * brings this one no nearer to opening.
   *
   * @return whether it is the first one of its kind
   */
  public synchronized boolean count(Throwable cause) {
    failures++;
    String kind = cause.getClass().getSimpleName();
    boolean isFirst = !failuresByKind.containsKey(kind) && failuresByKind.size() < MAX_KINDS;
    boolean isCountedApart = isFirst || failuresByKind.containsKey(kind);
    failuresByKind.merge(isCountedApart ? kind : OTHER_KINDS, 1L, Long::sum);
    return isFirst;
  }

  /** The feature was switched off otherwise: nothing is left to try, and errors count anew. */
  public synchronized void reset() {
    state = State.CLOSED;
    failuresInARow = 0;
  }

  private void cleanUp() {
    try {
      onOpen.run();
    } catch (Throwable cause) {
      LOG.warn("{} could not be switched off cleanly", feature, cause);
      if (isFatal(cause)) {
        throw (VirtualMachineError) cause;
      }
    }
  }

  /** Whether a JVM cannot go on after an error, so that nobody must contain it. */
  public static boolean isFatal(Throwable cause) {
    return cause instanceof VirtualMachineError && !(cause instanceof StackOverflowError);
  }

  /** Whether the feature is off: from the last of several failures to the next success. */
  public synchronized boolean isOpen() {
    return state != State.CLOSED;
  }

  /** How many units have failed. */
  public synchronized long failures() {
    return failures;
  }

  /** How many units have failed, by the simple name of what they threw. */
  public synchronized Map<String, Long> failuresByKind() {
    return Map.copyOf(failuresByKind);
  }
}
