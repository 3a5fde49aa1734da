// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/**
 * Has the NodeManagers asked on which a container has been waiting for its launch for long, whether
 * or not outputs are there. A host that died when a container was given there has often none.
 *
 * <p>A host is asked for {@link #HOLDS} after the last such launch was over, so that it is not used
 * again at once; and not for longer, since a NodeManager that was started again listens on another
 * port by default.
 *
 * <p>It is for one thread.
 */
final class LateLaunches {
  /** A NodeManager that works launches a container within a second or two. */
  static final Duration LONG = Duration.ofSeconds(5);

  static final Duration HOLDS = Duration.ofMinutes(1);

  private record Launch(String host, String address, long since) {}

  private final BiConsumer<String, String> asks;
  private final Consumer<String> forgets;
  private final LongSupplier nanos;
  private final Map<TaskAttemptId, Launch> waiting = new HashMap<>();

  /** The hosts that are asked because of launches, and when one last waited there for long. */
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
    waiting.put(attempt, new Launch(host, "http://" + manager, nanos.getAsLong()));
  }

  /**
   * Looks at all launches.
   *
   * @param isWaiting tells whether a launch is still neither done nor given up
   * @param keeping the hosts that are asked for other reasons as well
   */
  void look(Predicate<TaskAttemptId> isWaiting, Set<String> keeping) {
    long now = nanos.getAsLong();
    waiting.keySet().removeIf(isWaiting.negate());
    for (Launch launch : waiting.values()) {
      if (now - launch.since >= LONG.toNanos()) {
        asks.accept(launch.host, launch.address);
        asked.put(launch.host, now);
      }
    }
    asked
        .entrySet()
        .removeIf(
            host -> {
              boolean isOver = now - host.getValue() >= HOLDS.toNanos();
              if (isOver && !keeping.contains(host.getKey())) {
                forgets.accept(host.getKey());
              }
              return isOver;
            });
  }

  /** Returns the hosts that are asked because of launches. */
  Set<String> hosts() {
    return Set.copyOf(asked.keySet());
  }
}
