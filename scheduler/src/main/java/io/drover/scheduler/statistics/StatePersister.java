// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.core.containment.CircuitBreaker;
import io.drover.scheduler.containment.DaemonExecutors;
import io.drover.scheduler.containment.FatalErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what an earlier ResourceManager has learnt, and writes what this one learns. It uses its
 * own thread, because a file system may take minutes to answer. If reading fails at the start (HDFS
 * is in safe mode or lacks blocks), it tries again. It writes nothing before that. Who takes in
 * what was read {@link #dropWhatWaits drops} what was to be written until then, so that it does not
 * replace what is there by less. While errors have switched writing off, the newest state waits.
 *
 * <p>The tries to read do not wait for the breaker, which only counts and logs their failures:
 * until one succeeds nothing is kept, not even what operators have ordered. What they order
 * meanwhile holds in this ResourceManager, and goes into the first state that is written. It is
 * lost only if this ResourceManager ends before.
 */
final class StatePersister {
  /** Time between two tries to read, or to write what waits. */
  private static final long RETRY_MILLIS = 5_000;

  /**
   * How long it tries to read after the first read that has failed. Then what is there counts as
   * damaged for good. A cluster that starts needs a part of this until all of its blocks are there.
   */
  static final Duration PATIENCE = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(StatePersister.class);

  private final LongSupplier nanos;
  private final CircuitBreaker breaker;
  private final long retryMillis;
  private final AtomicReference<PersistedState> waiting = new AtomicReference<>();
  private volatile StateStore store;
  private ScheduledExecutorService thread;
  private OptionalLong unreadableSince = OptionalLong.empty();

  StatePersister(LongSupplier nanos) {
    this(nanos, RETRY_MILLIS);
  }

  /** Creates a persister with another time between two tries. */
  StatePersister(LongSupplier nanos, long retryMillis) {
    this.nanos = nanos;
    this.retryMillis = retryMillis;
    breaker = new CircuitBreaker("Storing machine statistics", nanos, () -> {});
  }

  /**
   * Starts the thread.
   *
   * @param reader receives what was learnt earlier, on the persister's thread
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the breaker contains exceptions
  synchronized void start(String dir, long epoch, Configuration conf, StateStore.Reader reader) {
    thread = DaemonExecutors.single("Drover statistics store");
    thread.scheduleWithFixedDelay(
        FatalErrors.toHandler(
            () -> {
              if (store == null) {
                tryToOpen(dir, epoch, conf, reader);
              }
              writeWhatWaits();
            }),
        0,
        retryMillis,
        TimeUnit.MILLISECONDS);
  }

  /**
   * Opens the store and reads. A directory that cannot be used at all is tried for ever, and says
   * nothing of what is in it.
   */
  private void tryToOpen(String dir, long epoch, Configuration conf, StateStore.Reader reader) {
    try {
      StateStore opened = new StateStore(dir, epoch, conf);
      read(opened, dir, reader);
      breaker.reset(); // the file system answers
      store = opened;
    } catch (IOException e) {
      breaker.failed(new IOException(dir + " cannot be used", e));
    } catch (Throwable e) {
      breaker.failed(e);
    }
  }

  private void read(StateStore opened, String dir, StateStore.Reader reader) throws IOException {
    try {
      opened.read(reader);
    } catch (IOException e) {
      long now = nanos.getAsLong();
      unreadableSince = OptionalLong.of(unreadableSince.orElse(now));
      if (now - unreadableSince.getAsLong() < PATIENCE.toNanos()) {
        throw e;
      }
      LOG.warn("The earlier machine statistics are lost: they cannot be read from {}", dir, e);
    }
  }

  /**
   * Drops the state that waits, because it lacks what has just been read. The next one has both.
   */
  void dropWhatWaits() {
    waiting.set(null);
  }

  /** Writes a state soon. If several wait, only the newest is written. Never blocks. */
  @SuppressWarnings("FutureReturnValueIgnored") // the breaker contains exceptions
  synchronized void write(PersistedState state) {
    if (thread != null) {
      waiting.set(state);
      thread.execute(FatalErrors.toHandler(this::writeWhatWaits));
    }
  }

  /** If there is nothing to try, neither a success nor a failure is counted. */
  private void writeWhatWaits() {
    StateStore open = store;
    if (open != null && waiting.get() != null) {
      breaker.run(() -> write(open));
    }
  }

  /** Writes what waits. If that fails, it waits for the next try, unless a newer state does. */
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

  /** Writes what waits, and stops the thread. */
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
        LOG.warn("Drover's machine statistics may not have been written");
        ending.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether what is learnt outlives the ResourceManager. */
  boolean isKept() {
    return store != null && !breaker.isOpen();
  }

  CircuitBreaker breaker() {
    return breaker;
  }
}
