// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/**
 * The containers that are being launched. Has those hosts asked on which that takes long; a host
 * that died when a container was given there has often no outputs for which it would be asked.
 *
 * <p>Beside those known to be silent, at most {@value #MOST} hosts are asked at once, those first
 * that keep a container waiting for longest: if many are late, it is the launcher that has much to
 * do. A host is asked until nothing waits there any more. A silent one is asked for {@link #HOLDS}
 * longer, so that it is not used again at once; and not for ever, since a NodeManager that was
 * started again listens on another port by default.
 *
 * <p>It is for one thread.
 */
final class LateLaunches {
  /** A NodeManager that works launches a container within a second or two. */
  static final Duration LONG = Duration.ofSeconds(5);

  static final Duration HOLDS = Duration.ofMinutes(1);
  static final int MOST = 100;

  private record Launch(String host, String manager, long since) {}

  private final BiConsumer<String, String> asks;
  private final Consumer<String> forgets;
  private final LongSupplier nanos;
  private final Map<TaskAttemptId, Launch> waiting = new HashMap<>();

  /** The hosts that are asked, and when a container last waited there for long. */
  private final Map<String, Long> asked = new HashMap<>();

  /**
   * Creates a state without launches.
   *
   * @param asks has a host asked from now on, at an address such as {@code http://host:45454}
   * @param forgets has a host asked no more
   * @param nanos a clock in nanoseconds
   */
  LateLaunches(BiConsumer<String, String> asks, Consumer<String> forgets, LongSupplier nanos) {
    this.asks = asks;
    this.forgets = forgets;
    this.nanos = nanos;
  }

  /**
   * Notes that a container is being launched.
   *
   * @param manager where its NodeManager takes calls, such as {@code host:45454}
   */
  void begun(TaskAttemptId attempt, String host, String manager) {
    waiting.put(attempt, new Launch(host, manager, nanos.getAsLong()));
  }

  /** Returns the attempts whose containers were being launched at the last look, or since. */
  List<TaskAttemptId> waiting() {
    return List.copyOf(waiting.keySet());
  }

  /**
   * Looks at all launches.
   *
   * @param isWaiting tells whether a launch is still neither done nor given up
   * @param silent the hosts that do not answer
   */
  void look(Predicate<TaskAttemptId> isWaiting, Set<String> silent) {
    long now = nanos.getAsLong();
    waiting.keySet().removeIf(isWaiting.negate());
    waiting.values().stream()
        .filter(launch -> now - launch.since >= LONG.toNanos())
        .sorted(Comparator.comparingLong(Launch::since))
        .forEach(launch -> late(launch, silent, now));
    asked
        .entrySet()
        .removeIf(
            host -> {
              long held = silent.contains(host.getKey()) ? HOLDS.toNanos() : 1;
              boolean isOver = now - host.getValue() >= held;
              if (isOver) {
                forgets.accept(host.getKey());
              }
              return isOver;
            });
  }

  /** Of several launches on a host, the last one says where its NodeManager listens. */
  private void late(Launch launch, Set<String> silent, long now) {
    if (asked.containsKey(launch.host) || suspects(silent) < MOST) {
      asks.accept(launch.host, "http://" + launch.manager);
      asked.put(launch.host, now);
    }
  }

  /** Returns how many of the hosts that are asked are not known to be silent. */
  private long suspects(Set<String> silent) {
    return asked.keySet().stream().filter(host -> !silent.contains(host)).count();
  }
}
