// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.Breakers;
import io.drover.speculator.UserThread;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.service.AbstractService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the messages of tasks from the threads of the RPC server and reads them on a thread of its
 * own. So a task is answered at once, and the status reports and commits of others do not wait.
 *
 * <p>The number of characters that wait is bounded, in total and for each attempt. A line that does
 * not fit is dropped: it is one measurement, and the others are enough. A line that cannot be read
 * is dropped alone; three in a row switch reading off for a minute.
 *
 * <p>The lock is held for queue operations only. The lines of one attempt are read in order.
 */
final class UmbilicalMessageQueue extends AbstractService {
  /** Reads the lines. */
  interface Reader {
    /** Reads a line. The line and the attempt's id may hold anything. */
    void read(TaskAttemptId attempt, String line);

    /** Called after lines were read: when no more wait, or once a second while more do. */
    void caughtUp();
  }

  /** The most characters that wait: 16 MB, or half of that if strings are compact. */
  static final int MOST_WAITING = 8 << 20;

  /** The most characters of one attempt that wait: more than any task sends. */
  static final int MOST_OF_AN_ATTEMPT = 1 << 20;

  private static final Duration CATCHES_UP = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(UmbilicalMessageQueue.class);

  private record Message(TaskAttemptId attempt, String text) {}

  private final Reader reader;
  private final Supplier<UserGroupInformation> user;
  private final CircuitBreaker breaker;
  private final Queue<Message> waiting = new ArrayDeque<>();
  private final Map<TaskAttemptId, Integer> waitingOf = new HashMap<>();
  private int waitingInAll;
  private long dropped;
  private boolean isStopped;
  private Thread thread;

  /**
   * Creates the queue, which reads lines from the start of this service to its stop.
   *
   * @param user in whose name lines are read; called when the service starts
   * @param breakers the job's breakers; this adds one
   */
  UmbilicalMessageQueue(Reader reader, Supplier<UserGroupInformation> user, Breakers breakers) {
    super(UmbilicalMessageQueue.class.getName());
    this.breaker = breakers.of("Reading what tasks measure", this::clear);
    this.reader = reader;
    this.user = user;
  }

  /** Adds a line from a task and returns at once. Any thread may call this. */
  void add(TaskAttemptId attempt, String text) {
    boolean isFirstDropped = false;
    synchronized (waiting) {
      int of = waitingOf.getOrDefault(attempt, 0) + text.length();
      boolean fits = waitingInAll + text.length() <= MOST_WAITING && of <= MOST_OF_AN_ATTEMPT;
      if (fits && !isStopped) {
        waiting.add(new Message(attempt, text));
        waitingOf.put(attempt, of);
        waitingInAll += text.length();
        waiting.notifyAll();
      } else if (!isStopped) {
        isFirstDropped = dropped++ == 0;
      }
    }
    if (isFirstDropped) {
      LOG.warn("Tasks send lines faster than Drover reads them; one of {} was dropped", attempt);
    }
  }

  /** Returns the number of characters that wait to be read. */
  int waiting() {
    synchronized (waiting) {
      return waitingInAll;
    }
  }

  /** Returns how many lines were dropped because too many waited. */
  long dropped() {
    synchronized (waiting) {
      return dropped;
    }
  }

  @Override
  protected void serviceStart() throws Exception {
    thread = UserThread.daemon(user.get(), this::readAll, "Drover task message reader");
    thread.start();
    super.serviceStart();
  }

  @Override
  protected void serviceStop() throws Exception {
    synchronized (waiting) {
      isStopped = true;
      clear();
      waiting.notifyAll();
    }
    super.serviceStop();
  }

  private void clear() {
    synchronized (waiting) {
      waiting.clear();
      waitingOf.clear();
      waitingInAll = 0;
    }
  }

  private void readAll() {
    long caughtUp = System.nanoTime();
    boolean isBehind = false;
    try {
      for (Message line = next(isBehind); !isStopped(); line = next(isBehind)) {
        if (line != null) {
          Message read = line;
          // After a line that cannot be read, caughtUp is not called: its success would come
          // between errors and reset the breaker.
          isBehind |= breaker.run(() -> reader.read(read.attempt(), read.text()));
        }
        if (isBehind && (line == null || System.nanoTime() - caughtUp >= CATCHES_UP.toNanos())) {
          breaker.run(reader::caughtUp);
          isBehind = false;
          caughtUp = System.nanoTime();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.debug("Stopped reading the messages of tasks", e);
    }
  }

  /** Returns the next line; null if there is none after a stop or for a caller that is behind. */
  private Message next(boolean isBehind) throws InterruptedException {
    synchronized (waiting) {
      while (waiting.isEmpty() && !isBehind && !isStopped) {
        waiting.wait();
      }
      Message line = waiting.poll();
      if (line != null) {
        waitingInAll -= line.text().length();
        waitingOf.computeIfPresent(
            line.attempt(),
            (attempt, of) -> of > line.text().length() ? of - line.text().length() : null);
      }
      return line;
    }
  }

  private boolean isStopped() {
    synchronized (waiting) {
      return isStopped;
    }
  }
}
