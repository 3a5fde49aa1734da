// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.core.containment.CircuitBreaker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.concurrent.HadoopExecutors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what an earlier ResourceManager has learnt, and writes what this one does, on a thread of
 * its own: a file system may take minutes to answer. Where it cannot be read at the start, HDFS
 * being in safe mode or without the blocks, that is tried again; nothing is written before, so that
 * what is there is not replaced by less.
 */
final class MemoryKeeper {
  /** Between two tries to read. */
  private static final long RETRY_MILLIS = 5_000;

  /** Tries to read what is there; after that it is taken to be damaged for good. */
  private static final int MOST_TRIES = 60;

  private static final Logger LOG = LoggerFactory.getLogger(MemoryKeeper.class);

  private final CircuitBreaker breaker;
  private final AtomicReference<Memory> waiting = new AtomicReference<>();
  private volatile MemoryStore store;
  private ScheduledExecutorService thread;
  private int tries;

  MemoryKeeper(LongSupplier nanos) {
    breaker = new CircuitBreaker("Keeping what is learnt of machines", nanos, () -> {});
  }

  /**
   * Begins.
   *
   * @param reader is given what was learnt, on the keeper's thread
   */
  @SuppressWarnings("FutureReturnValueIgnored") // what is thrown ends in the breaker
  synchronized void start(String dir, long epoch, Configuration conf, MemoryStore.Reader reader) {
    thread =
        HadoopExecutors.newSingleThreadScheduledExecutor(
            work -> {
              Thread daemon = new Thread(work, "Drover statistics store");
              daemon.setDaemon(true);
              return daemon;
            });
    thread.scheduleWithFixedDelay(
        () -> {
          if (store == null) {
            breaker.run(() -> open(dir, epoch, conf, reader));
          }
        },
        0,
        RETRY_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  private void open(String dir, long epoch, Configuration conf, MemoryStore.Reader reader) {
    tries++;
    try {
      MemoryStore opened = new MemoryStore(dir, epoch, conf);
      try {
        opened.read(reader);
      } catch (IOException e) {
        if (tries < MOST_TRIES) {
          throw e;
        }
        LOG.warn("What was learnt before is lost: it cannot be read from {}", dir, e);
      }
      store = opened;
    } catch (IOException e) {
      throw new UncheckedIOException(dir + " cannot be used", e);
    }
  }

  /** Writes, soon; of several that wait the newest is written. Never waits. */
  @SuppressWarnings("FutureReturnValueIgnored") // what is thrown ends in the breaker
  synchronized void write(Memory memory) {
    if (thread != null && waiting.getAndSet(memory) == null) {
      thread.execute(() -> breaker.run(this::write));
    }
  }

  private void write() {
    Memory memory = waiting.getAndSet(null);
    MemoryStore open = store;
    if (memory == null || open == null) {
      return;
    }
    try {
      open.write(memory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes what waits, and ends. */
  void stop() {
    ScheduledExecutorService ending;
    synchronized (this) {
      ending = thread;
      thread = null;
    }
    if (ending == null) {
      return;
    }
    ending.shutdown();
    try {
      if (!ending.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("What Drover has learnt of machines may not have been written");
        ending.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether what is learnt outlives the ResourceManager. */
  boolean isKept() {
    return store != null && !breaker.isOpen();
  }

  CircuitBreaker breaker() {
    return breaker;
  }
}
