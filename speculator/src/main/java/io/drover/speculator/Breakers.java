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
 * The circuit breakers of one job's features, and what the job's counters tell of them: how often
 * each feature was switched off, and how many of its steps failed. Safe for several threads.
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
   * The breakers of a job.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   * @param counters adds to a counter of the job, on any thread; does not wait
   */
  public Breakers(LongSupplier nanos, ObjLongConsumer<DroverCounter> counters) {
    this.nanos = nanos;
    this.counters = counters;
  }

  /** Breakers that no counter tells of. */
  public static Breakers uncounted() {
    return new Breakers(System::nanoTime, (counter, amount) -> {});
  }

  /**
   * A closed breaker.
   *
   * @param feature names the feature in the log, with a capital letter
   * @param off counts how often the feature was switched off
   * @param onOpen takes away what the feature would leave behind when it is switched off
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

  /** A closed breaker of a feature that leaves nothing behind and has no counter of its own. */
  public CircuitBreaker of(String feature) {
    return of(feature, () -> {});
  }

  /** A closed breaker of a feature that has no counter of its own. */
  public CircuitBreaker of(String feature, Runnable onOpen) {
    CircuitBreaker breaker = new CircuitBreaker(feature, nanos, onOpen);
    features.add(new Feature(feature, breaker));
    return breaker;
  }

  /**
   * Does something that is never switched off, and contains what it throws.
   *
   * @param what names it in the log, with a capital letter
   * @return whether it threw nothing
   */
  public boolean contain(String what, Runnable work) {
    Steps steps = new Steps();
    steps.run(work);
    steps.failure().ifPresent(cause -> other(what).failed(cause));
    return steps.failure().isEmpty();
  }

  /** Only counts and logs: as each failure is followed by a success, it never opens. */
  private CircuitBreaker other(String what) {
    CircuitBreaker breaker = others.computeIfAbsent(what, this::of);
    breaker.succeeded();
    return breaker;
  }

  /** Adds the steps that have failed since the last time to the job's counter. */
  public synchronized void count() {
    long failures = failures();
    if (failures > counted) {
      counters.accept(DroverCounter.STEPS_FAILED, failures - counted);
      counted = failures;
    }
  }

  /** How many steps have failed so far. */
  public long failures() {
    return features.stream().mapToLong(feature -> feature.breaker.failures()).sum();
  }

  /** Writes what has failed, if anything has, into the AppMaster's log. */
  public void logFailures() {
    summary().ifPresent(byFeature -> LOG.warn("Steps of Drover that failed: {}", byFeature));
  }

  /**
   * What has failed, for the decision log: each feature's failures by the kind of error; empty if
   * nothing has.
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
