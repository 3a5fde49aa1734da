// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.model.TaskKind;
import io.drover.speculator.Breakers;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * How many more attempts fit into what the ResourceManager says is free for the job. It is written
 * in heartbeats, and any thread may read it.
 */
final class Headroom implements Consumer<Cloner.Room> {
  /** For how long a heartbeat is fresh at least. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  /** For how many intervals of heartbeats one is fresh: two may be late. */
  private static final int FRESH_INTERVALS = 3;

  private final Map<TaskKind, Integer> free = new ConcurrentHashMap<>();
  private final LongSupplier nanos;
  private final Breakers breakers;
  private volatile long heartbeat = Long.MIN_VALUE;

  /**
   * Creates a headroom that is not known yet. Its errors are contained.
   *
   * @param nanos a clock in nanoseconds
   */
  Headroom(LongSupplier nanos, Breakers breakers) {
    this.nanos = nanos;
    this.breakers = breakers;
  }

  @Override
  public void accept(Cloner.Room room) {
    breakers.contain("Reading the headroom", () -> read(room));
  }

  private void read(Cloner.Room room) {
    heartbeat = nanos.getAsLong();
    for (TaskKind kind : TaskKind.values()) {
      free.put(kind, Math.max(0, room.free(kind)));
    }
  }

  /**
   * Returns what tells whether a heartbeat has reached the ResourceManager lately: within {@link
   * #FRESH}, or within {@value #FRESH_INTERVALS} of the job's intervals if these are longer.
   *
   * @param conf the job's configuration
   */
  BooleanSupplier isFresh(Configuration conf) {
    long interval =
        conf.getInt(
            MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS,
            MRJobConfig.DEFAULT_MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS);
    long fresh = Math.max(FRESH.toMillis(), FRESH_INTERVALS * interval);
    return () ->
        heartbeat != Long.MIN_VALUE
            && nanos.getAsLong() - heartbeat < TimeUnit.MILLISECONDS.toNanos(fresh);
  }

  /** Returns how many more attempts of a kind fit, at least 0; empty before the first heartbeat. */
  OptionalInt slots(TaskKind kind) {
    Integer known = free.get(kind);
    return known == null ? OptionalInt.empty() : OptionalInt.of(known);
  }
}
