// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import io.drover.core.containment.CircuitBreaker;
import io.drover.core.predict.KeptJob;
import io.drover.scheduler.containment.FatalErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the jobs that earlier ResourceManagers have seen, and writes those that this one sees, on a
 * thread of its own, because a file system may take minutes to answer. What cannot be written
 * waits; if it becomes too much, the oldest is given up.
 */
final class EndedJobKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(EndedJobKeeper.class);
  private static final long PERIOD_SECONDS = 60;
  private static final long STOP_SECONDS = 5;
  private static final int MOST_WAITING = 200_000;

  private final String dir;
  private final double windowSeconds;
  private final Configuration conf;
  private final long writer;
  private final CircuitBreaker breaker;
  private final ScheduledExecutorService thread;
  private final List<KeptJob> waiting = new ArrayList<>();
  private Optional<EndedJobStore> store = Optional.empty();

  /**
   * Creates a keeper.
   *
   * @param windowSeconds how long jobs are kept
   * @param writer a number that no other ResourceManager has
   * @param thread used by this alone
   */
  EndedJobKeeper(
      String dir,
      double windowSeconds,
      Configuration conf,
      long writer,
      LongSupplier nanos,
      ScheduledExecutorService thread) {
    this.dir = dir;
    this.windowSeconds = windowSeconds;
    this.conf = conf;
    this.writer = writer;
    this.thread = thread;
    this.breaker = new CircuitBreaker("Keeping jobs that have ended", nanos, () -> {});
  }

  private static double now() {
    return System.currentTimeMillis() / 1e3;
  }

  /**
   * Starts.
   *
   * @param reader gets what was kept, once, on this keeper's thread; nothing if it cannot be read
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the breaker contains exceptions
  void start(Consumer<List<KeptJob>> reader) {
    thread.execute(FatalErrors.toHandler(() -> reader.accept(read())));
    thread.scheduleWithFixedDelay(
        FatalErrors.toHandler(() -> breaker.run(this::write)),
        PERIOD_SECONDS,
        PERIOD_SECONDS,
        TimeUnit.SECONDS);
  }

  private List<KeptJob> read() {
    List<KeptJob> kept = new ArrayList<>();
    breaker.run(
        () -> {
          try {
            kept.addAll(store().read(now() - windowSeconds));
          } catch (IOException e) {
            throw new UncheckedIOException(dir + " cannot be read", e);
          }
        });
    LOG.info("{} jobs that have ended were read from {}", kept.size(), dir);
    return kept;
  }

  private EndedJobStore store() throws IOException {
    if (store.isEmpty()) {
      store = Optional.of(new EndedJobStore(dir, writer, conf));
    }
    return store.get();
  }

  /** Keeps a job. Any thread may call it; it does not wait for the file system. */
  void add(KeptJob job) {
    synchronized (waiting) {
      waiting.add(job);
      if (waiting.size() > MOST_WAITING) {
        waiting.subList(0, MOST_WAITING / 2).clear();
      }
    }
  }

  private void write() {
    List<KeptJob> due;
    synchronized (waiting) {
      due = List.copyOf(waiting);
      waiting.clear();
    }
    boolean isWritten = due.isEmpty();
    try {
      if (!due.isEmpty()) {
        store().add(due);
        store().forget(now() - windowSeconds);
        isWritten = true;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(dir + " cannot be written", e);
    } finally {
      if (!isWritten) {
        synchronized (waiting) {
          waiting.addAll(0, due);
        }
      }
    }
  }

  /** Writes what waits, and stops. */
  void stop() {
    thread.execute(() -> breaker.run(this::write));
    thread.shutdown();
    try {
      if (!thread.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("Jobs that have ended may not have been written to {}", dir);
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  CircuitBreaker breaker() {
    return breaker;
  }
}
