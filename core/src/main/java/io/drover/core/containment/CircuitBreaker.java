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
 * Contains the errors of one feature. A unit of work that throws fails alone. A feature whose units
 * fail several times in a row is switched off for a while.
 *
 * <p>The rule is the circuit breaker of M. Nygard, "Release It!" (2nd edition, 2018, section 5.2).
 * <em>Closed</em>: every unit runs. After {@value #FAILURES} failures in a row, without a success
 * between them, the breaker <em>opens</em>: units are refused and the stock behaviour continues.
 * After {@link #PAUSE} it is <em>half open</em>: one unit runs as a trial. If it succeeds, the
 * breaker closes. If it fails, the breaker opens again.
 *
 * <p>Every {@link Throwable} counts as a failure and is contained, except that a {@link
 * VirtualMachineError} is rethrown because the JVM cannot continue after it. A {@link
 * StackOverflowError} is contained too, because the stack is free again when it is caught.
 *
 * <p>A unit must leave consistent state behind when it throws, so choose the smallest unit for
 * which that holds (a message, a partition, a task, a round). This class is thread-safe and runs
 * units outside its lock. It is not taken from a library, because libraries read the clock
 * themselves and nothing in {@code core} may do so.
 */
public final class CircuitBreaker {
  /** The number of failures in a row after which a feature is switched off. */
  public static final int FAILURES = 3;

  /** How long a feature stays off before one unit is tried again. */
  public static final Duration PAUSE = Duration.ofMinutes(1);

  /** The number of kinds of failure counted separately; others count as {@value #OTHER_KINDS}. */
  private static final int MAX_KINDS = 20;

  private static final String OTHER_KINDS = "other";
  private static final Logger LOG = LoggerFactory.getLogger(CircuitBreaker.class);

  private enum State {
    CLOSED,
    OPEN,
    /** One unit runs as a trial. */
    HALF_OPEN
  }

  private final String feature;
  private final LongSupplier nanos;
  private final Runnable onOpen;
  private final SortedMap<String, Long> failuresByKind = new TreeMap<>();
  private State state = State.CLOSED;
  private int failuresInARow;
  private long failures;
  private long ownFailures;
  private long openedAt;

  /**
   * Creates a closed breaker.
   *
   * @param feature the feature's name in the log, with a capital letter: "Cloning"
   * @param nanos a monotonic clock in nanoseconds, normally {@code System::nanoTime}
   * @param onOpen called each time the breaker opens, on the thread whose unit failed, to remove
   *     what the feature would otherwise leave behind. What it throws is logged.
   */
  public CircuitBreaker(String feature, LongSupplier nanos, Runnable onOpen) {
    this.feature = feature;
    this.nanos = nanos;
    this.onOpen = onOpen;
  }

  /**
   * Runs a unit of work if the breaker permits it, and contains what the unit throws.
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
   * Runs a unit that has a result if the breaker permits it, and contains what the unit throws.
   *
   * @param otherwise the result if the unit is refused or throws
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
   * Returns whether a unit of work may run now. If so, the caller must call {@link #succeeded} or
   * {@link #failed} afterwards. {@link #run} does all of this.
   */
  public synchronized boolean tryAcquire() {
    if (state == State.OPEN && nanos.getAsLong() - openedAt >= PAUSE.toNanos()) {
      state = State.HALF_OPEN;
      return true;
    }
    return state == State.CLOSED;
  }

  /** Records that a permitted unit of work has succeeded. */
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
   * Records that a unit of work has failed.
   *
   * @throws VirtualMachineError the cause, if the JVM cannot continue after it
   */
  public void failed(Throwable cause) {
    boolean isFirstOfItsKind;
    boolean wasClosed;
    boolean opens;
    synchronized (this) {
      isFirstOfItsKind = count(cause);
      failuresInARow++;
      ownFailures++;
      wasClosed = state == State.CLOSED;
      opens = state == State.HALF_OPEN || (wasClosed && failuresInARow >= FAILURES);
      if (opens) {
        state = State.OPEN;
        openedAt = nanos.getAsLong();
      }
    }
    if (opens && wasClosed) {
      LOG.warn(
          "{} is off for {} s after {} failures in a row and is then tried again; meanwhile Hadoop"
              + " works without it",
          feature,
          PAUSE.toSeconds(),
          FAILURES,
          cause);
    } else if (isFirstOfItsKind) {
      LOG.warn("{}: one step failed and is skipped", feature, cause);
    } else {
      LOG.debug("{}: one step failed and is skipped", feature, cause);
    }
    if (opens) {
      cleanUp();
    }
    if (isFatal(cause)) {
      throw (VirtualMachineError) cause;
    }
  }

  /**
   * Counts a failure of a part that has its own breaker. The failure is included in this breaker's
   * failures but does not bring this breaker closer to opening.
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

  /**
   * Closes the breaker and forgets failures in a row, after the feature was switched off by other
   * means.
   */
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

  /** Returns whether the JVM cannot continue after an error, so that no code may contain it. */
  public static boolean isFatal(Throwable cause) {
    return cause instanceof VirtualMachineError && !(cause instanceof StackOverflowError);
  }

  /** Returns whether the feature is off: from the opening of the breaker until the next success. */
  public synchronized boolean isOpen() {
    return state != State.CLOSED;
  }

  /** Returns the number of failures so far. */
  public synchronized long failures() {
    return failures;
  }

  /** Returns the number of failures so far, without those that were only counted. */
  public synchronized long ownFailures() {
    return ownFailures;
  }

  /** Returns the number of failures by the simple class name of what was thrown. */
  public synchronized Map<String, Long> failuresByKind() {
    return Map.copyOf(failuresByKind);
  }
}
