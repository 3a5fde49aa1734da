// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.core.containment.CircuitBreaker;
import io.drover.scheduler.containment.FatalErrors;
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
 * Reads what an earlier ResourceManager has learnt, and writes what this one learns, on a thread of
 * its own: a file system may take minutes to answer. Where it cannot be read at the start, HDFS
 * being in safe mode or without the blocks, that is tried again; nothing is written before, so that
 * what is there is not replaced by less. What could not be written because keeping is off after
 * errors waits, and is written when keeping is tried again.
 */
final class StatePersister {
  /** Between two tries to read, or to write what waits. */
  private static final long RETRY_MILLIS = 5_000;

  /** Tries to read what is there; after that it is taken to be damaged for good. */
  private static final int MOST_TRIES = 60;

  private static final Logger LOG = LoggerFactory.getLogger(StatePersister.class);

  private final CircuitBreaker breaker;
  private final long retryMillis;
  private final AtomicReference<PersistedState> waiting = new AtomicReference<>();
  private volatile StateStore store;
  private ScheduledExecutorService thread;
  private int tries;

  StatePersister(LongSupplier nanos) {
    this(nanos, RETRY_MILLIS);
  }

  /** With another time between two tries. */
  StatePersister(LongSupplier nanos, long retryMillis) {
    this.retryMillis = retryMillis;
    breaker = new CircuitBreaker("Keeping what is learnt of machines", nanos, () -> {});
  }

  /**
   * Begins.
   *
   * @param reader is given what was learnt, on the persister's thread
   */
  @SuppressWarnings("FutureReturnValueIgnored") // what is thrown ends in the breaker
  synchronized void start(String dir, long epoch, Configuration conf, StateStore.Reader reader) {
    thread =
        HadoopExecutors.newSingleThreadScheduledExecutor(
            work -> {
              Thread daemon = new Thread(work, "Drover statistics store");
              daemon.setDaemon(true);
              return daemon;
            });
    thread.scheduleWithFixedDelay(
        FatalErrors.toHandler(
            () -> {
              if (store == null) {
                breaker.run(() -> open(dir, epoch, conf, reader));
              }
              writeWhatWaits();
            }),
        0,
        retryMillis,
        TimeUnit.MILLISECONDS);
  }

  private void open(String dir, long epoch, Configuration conf, StateStore.Reader reader) {
    tries++;
    try {
      StateStore opened = new StateStore(dir, epoch, conf);
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
  synchronized void write(PersistedState state) {
    if (thread != null) {
      waiting.set(state);
      thread.execute(FatalErrors.toHandler(this::writeWhatWaits));
    }
  }

  /** Where nothing can be tried, neither a success nor a failure is counted. */
  private void writeWhatWaits() {
    StateStore open = store;
    if (open != null && waiting.get() != null) {
      breaker.run(() -> write(open));
    }
  }

  /** What cannot be written waits for the next try, unless something newer does. */
  private void write(StateStore open) {
    PersistedState state = waiting.getAndSet(null);
    boolean isWritten = false;
    try {
      open.write(state);
      isWritten = true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!isWritten) {
        waiting.compareAndSet(null, state);
      }
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
