// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import io.drover.core.containment.CircuitBreaker;
import io.drover.core.predict.KeptJob;
import io.drover.core.predict.TrainingSettings;
import io.drover.scheduler.containment.DaemonExecutors;
import io.drover.scheduler.containment.FatalErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

  /** Each write makes a file, so there are some 1,500 of ten days. */
  private static final long PERIOD_SECONDS = 600;

  private static final long RETRY_SECONDS = 5;
  private static final int MOST_TRIES = 24;
  private static final int MOST_WAITING = 200_000;

  private final String dir;
  private final Supplier<TrainingSettings> training;
  private final Configuration conf;

  /** When this began, and not the process: it may become active several times. */
  private final long writer = System.currentTimeMillis();

  private final CircuitBreaker breaker;
  private final ScheduledExecutorService thread = DaemonExecutors.single("Drover job store");
  private final List<KeptJob> waiting = new ArrayList<>();
  private Optional<EndedJobStore> store = Optional.empty();
  private boolean isReading = true;

  /**
   * Creates a keeper.
   *
   * @param training says how long jobs are kept, and how many of them are read; asked anew each
   *     time, on this keeper's thread
   * @param breaker contains errors of reading and writing
   */
  EndedJobKeeper(
      String dir, Supplier<TrainingSettings> training, Configuration conf, CircuitBreaker breaker) {
    this.dir = dir;
    this.training = training;
    this.conf = conf;
    this.breaker = breaker;
  }

  /**
   * Starts.
   *
   * @param reader gets what was kept, once, on this keeper's thread; nothing if it cannot be read.
   *     It must not wait for anything.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the breaker contains exceptions
  void start(Consumer<List<KeptJob>> reader) {
    thread.execute(FatalErrors.toHandler(() -> read(1, reader)));
    thread.scheduleWithFixedDelay(
        FatalErrors.toHandler(() -> breaker.run(this::write)),
        PERIOD_SECONDS,
        PERIOD_SECONDS,
        TimeUnit.SECONDS);
  }

  /** Reads what was kept. If that fails, it tries again for some minutes: HDFS may start later. */
  private void read(int tries, Consumer<List<KeptJob>> reader) {
    if (!isReading()) {
      return;
    }
    try {
      double now = System.currentTimeMillis() / 1e3;
      TrainingSettings current = training.get();
      double oldest = now - current.window().toMillis() / 1e3;
      List<KeptJob> kept = store().read(oldest, current.mostJobs());
      breaker.reset(); // the file system answers
      LOG.info("{} jobs that have ended were read from {}", kept.size(), dir);
      give(kept, reader);
    } catch (IOException | RuntimeException e) {
      breaker.failed(new IOException(dir + " cannot be read", e));
      if (tries < MOST_TRIES) {
        readLater(tries + 1, reader);
      } else {
        LOG.warn("What was kept in {} is not used, because it cannot be read", dir, e);
        give(List.of(), reader);
      }
    }
  }

  private synchronized boolean isReading() {
    return isReading;
  }

  private synchronized void give(List<KeptJob> kept, Consumer<List<KeptJob>> reader) {
    if (isReading) {
      reader.accept(kept);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the breaker contains exceptions
  private synchronized void readLater(int tries, Consumer<List<KeptJob>> reader) {
    if (isReading) {
      thread.schedule(
          FatalErrors.toHandler(() -> read(tries, reader)), RETRY_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** The reader gets nothing from now on. */
  synchronized void stopReading() {
    isReading = false;
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
    if (due.isEmpty()) {
      return;
    }
    boolean isWritten = false;
    try {
      store().add(due);
      isWritten = true;
    } catch (IOException e) {
      throw new UncheckedIOException(dir + " cannot be written", e);
    } finally {
      if (!isWritten) {
        synchronized (waiting) {
          waiting.addAll(0, due); // the store has kept none of them
        }
      }
    }
    try {
      store().forget(training.get().window());
    } catch (IOException e) {
      throw new UncheckedIOException("old jobs cannot be deleted from " + dir, e);
    }
  }

  /**
   * Writes what waits, and stops. What takes longer goes on in the background: it does no harm if
   * the next keeper has begun, because each writes files of its own.
   *
   * @param most how long this may take
   */
  void stop(Duration most) {
    stopReading();
    thread.execute(FatalErrors.toHandler(() -> breaker.run(this::write)));
    thread.shutdown();
    try {
      if (!thread.awaitTermination(most.toNanos(), TimeUnit.NANOSECONDS)) {
        LOG.warn("Jobs that have ended may not have been written to {} yet", dir);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
