// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.model.TaskKind;
import io.drover.speculator.Breakers;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * How many more attempts fit into what the ResourceManager says is free for the job. It is written
 * in heartbeats, and any thread may read it.
 */
final class Headroom implements Consumer<Cloner.Room> {
  private static final Duration FRESH = Duration.ofSeconds(5);

  private final Map<TaskKind, Integer> free = new ConcurrentHashMap<>();
  private final Breakers breakers;
  private volatile long heartbeat = Long.MIN_VALUE;

  /** Creates a headroom that is not known yet. Its errors are contained. */
  Headroom(Breakers breakers) {
    this.breakers = breakers;
  }

  @Override
  public void accept(Cloner.Room room) {
    breakers.contain("Reading the headroom", () -> read(room));
  }

  private void read(Cloner.Room room) {
    heartbeat = System.nanoTime();
    for (TaskKind kind : TaskKind.values()) {
      free.put(kind, Math.max(0, room.free(kind)));
    }
  }

  /** Returns whether a heartbeat has reached the ResourceManager in the last seconds. */
  boolean isFresh() {
    return heartbeat != Long.MIN_VALUE && System.nanoTime() - heartbeat < FRESH.toNanos();
  }

  /** Returns how many more attempts of a kind fit, at least 0; empty before the first heartbeat. */
  OptionalInt slots(TaskKind kind) {
    Integer known = free.get(kind);
    return known == null ? OptionalInt.empty() : OptionalInt.of(known);
  }
}
