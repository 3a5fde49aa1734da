// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.Breakers;
import java.security.PrivilegedAction;
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
 * own: a task is answered at once, and the status reports and commits of others wait for nothing.
 *
 * <p>What waits to be read is bounded, in all and for one attempt, by the characters. A line that
 * does not fit is dropped: it is a measurement, and what it is for goes by what the others say. A
 * line that cannot be read is dropped alone; three in a row switch reading off for a minute.
 *
 * <p>The lock is held for a queue operation only. Lines of one attempt are read in their order.
 */
final class UmbilicalMessageQueue extends AbstractService {
  /** Where lines are read. */
  interface Reader {
    /** Takes in a line; it may hold anything, and so may the attempt's id. */
    void read(TaskAttemptId attempt, String line);

    /** No more lines wait, or there have been some for a second. */
    void caughtUp();
  }

  /** Of characters that wait: 16 MB, or half of it where strings are compact. */
  static final int MOST_WAITING = 8 << 20;

  /** Of characters of one attempt that wait: more than any task has to say. */
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
   * Lines that are read from the start of this service to its stop.
   *
   * @param user in whose name they are read; asked for when the service starts
   * @param breakers get one more
   */
  UmbilicalMessageQueue(Reader reader, Supplier<UserGroupInformation> user, Breakers breakers) {
    super(UmbilicalMessageQueue.class.getName());
    this.breaker = breakers.of("Reading what tasks measure", this::clear);
    this.reader = reader;
    this.user = user;
  }

  /** A task says a line; returns at once. Any thread may call this. */
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
      LOG.warn("Tasks measure more than Drover reads; some of it is left out, this of {}", attempt);
    }
  }

  /** Characters that wait to be read. */
  int waiting() {
    synchronized (waiting) {
      return waitingInAll;
    }
  }

  /** How many lines were left out since too many waited. */
  long dropped() {
    synchronized (waiting) {
      return dropped;
    }
  }

  @Override
  protected void serviceStart() throws Exception {
    UserGroupInformation reading = user.get();
    thread =
        new Thread(
            () ->
                reading.doAs(
                    (PrivilegedAction<Void>)
                        () -> {
                          readAll();
                          return null;
                        }),
            "Drover reads what tasks say");
    thread.setDaemon(true);
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
          // A line that cannot be read leaves nothing to catch up on, and no success between
          // errors.
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
      LOG.debug("What tasks say is read no more", e);
    }
  }

  /** The next line; null if there is none, for which a caller that is behind does not wait. */
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
