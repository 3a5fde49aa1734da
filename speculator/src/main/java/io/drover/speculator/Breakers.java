// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.containment.CircuitBreaker;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the circuit breakers of one job's features. The job's counters say how often each feature
 * was switched off, and how many steps failed. Safe for several threads.
 */
public final class Breakers {
  private record Feature(String name, CircuitBreaker breaker) {}

  private static final Logger LOG = LoggerFactory.getLogger(Breakers.class);

  private final LongSupplier nanos;
  private final ObjLongConsumer<DroverCounter> counters;
  private final List<Feature> features = new CopyOnWriteArrayList<>();
  private final Map<String, CircuitBreaker> others = new ConcurrentHashMap<>();
  private long counted;

  /**
   * Creates the breakers of a job.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   * @param counters adds to a counter of the job; any thread calls it, and it must not wait
   */
  public Breakers(LongSupplier nanos, ObjLongConsumer<DroverCounter> counters) {
    this.nanos = nanos;
    this.counters = counters;
  }

  /** Creates breakers that change no counter. */
  public static Breakers uncounted() {
    return new Breakers(System::nanoTime, (counter, amount) -> {});
  }

  /**
   * Creates a closed breaker.
   *
   * @param feature the feature's name in the log, with a capital letter
   * @param off the counter of how often the feature was switched off
   * @param onOpen removes what the feature would leave behind when it is switched off
   */
  public CircuitBreaker of(String feature, DroverCounter off, Runnable onOpen) {
    return of(
        feature,
        () -> {
          try {
            onOpen.run();
          } finally {
            counters.accept(off, 1);
          }
        });
  }

  /** Creates a closed breaker of a feature with nothing to remove and no counter of its own. */
  public CircuitBreaker of(String feature) {
    return of(feature, () -> {});
  }

  /** Creates a closed breaker of a feature that has no counter of its own. */
  public CircuitBreaker of(String feature, Runnable onOpen) {
    CircuitBreaker breaker = new CircuitBreaker(feature, nanos, onOpen);
    features.add(new Feature(feature, breaker));
    return breaker;
  }

  /**
   * Runs work that is never switched off, and contains what it throws.
   *
   * @param what the work's name in the log, with a capital letter
   * @return whether it ended without throwing
   */
  public boolean contain(String what, Runnable work) {
    Steps steps = new Steps();
    steps.run(work);
    steps.failure().ifPresent(cause -> other(what).failed(cause));
    return steps.failure().isEmpty();
  }

  /** Returns a breaker that only counts and logs. A success before each failure keeps it closed. */
  private CircuitBreaker other(String what) {
    CircuitBreaker breaker = others.computeIfAbsent(what, this::of);
    breaker.succeeded();
    return breaker;
  }

  /** Adds to the job's counter the steps that have failed since the last call. */
  public synchronized void count() {
    long failures = failures();
    if (failures > counted) {
      counters.accept(DroverCounter.STEPS_FAILED, failures - counted);
      counted = failures;
    }
  }

  /** Returns how many steps have failed so far. */
  public long failures() {
    return features.stream().mapToLong(feature -> feature.breaker.failures()).sum();
  }

  /** Writes what has failed, if anything, to the AppMaster's log. */
  public void logFailures() {
    summary().ifPresent(byFeature -> LOG.warn("Steps of Drover that failed: {}", byFeature));
  }

  /**
   * Returns what has failed, for the decision log: each feature's failures by the kind of error;
   * empty if nothing has failed.
   */
  Optional<Map<String, String>> summary() {
    Map<String, String> failures = new LinkedHashMap<>();
    for (Feature feature : features) {
      if (feature.breaker.failures() > 0) {
        failures.put(feature.name, feature.breaker.failuresByKind().toString());
      }
    }
    return failures.isEmpty() ? Optional.empty() : Optional.of(failures);
  }
}
