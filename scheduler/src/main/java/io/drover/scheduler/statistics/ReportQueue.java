// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.channel.AttemptOutcome;
import io.drover.channel.RackBandwidth;
import io.drover.channel.Report;
import io.drover.channel.Report.LostOutputs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/**
 * The reports that wait to be learnt from. Each attempt has a box of its own, from which letters
 * are taken in turns: one that writes without end fills its own box, and what it writes then is
 * lost, to it alone.
 *
 * <p>Bounded by letters and by bytes, for each attempt and for all. Where all together are full, an
 * attempt whose box is empty may still put one letter in, so that those who write without end do
 * not keep out those who write seldom; beyond twice the bound nobody may. Ends of containers are
 * counted and not kept, so they take no room.
 *
 * <p>Any thread puts in, one takes out. A box's lock is held for a few operations, also by the
 * scheduler when a container ends; nobody waits for the learning.
 */
final class ReportQueue {
  /** Letters of one attempt; it may send three in a period, and the learning takes all in 0.5 s. */
  static final int MAX_LETTERS = 8;

  /** Bytes of one attempt: two of the largest letters. */
  static final long MAX_BYTES_OF_ONE = 512 << 10;

  /** Bytes of all. */
  static final long MAX_BYTES = 16 << 20;

  /** What a value of a report takes besides its name, in a JVM with 64-bit references. */
  private static final int BYTES_OF_A_VALUE = 120;

  /**
   * A report.
   *
   * @param at seconds, when it came
   * @param bytes that it takes, about
   */
  record QueuedReport(Report report, double at, long bytes) {}

  /** What is taken out of a box at once. */
  record Post(
      ApplicationAttemptId attempt, Optional<QueuedReport> letter, Map<String, Integer> ended) {}

  private static final class Box {
    private final Deque<QueuedReport> letters = new ArrayDeque<>();
    private Map<String, Integer> ended = new HashMap<>();
    private long bytes;

    private synchronized boolean put(QueuedReport letter, AtomicLong all) {
      boolean isFull = letters.size() >= MAX_LETTERS || bytes + letter.bytes() > MAX_BYTES_OF_ONE;
      long most = letters.isEmpty() ? 2 * MAX_BYTES : MAX_BYTES;
      if (isFull || all.get() + letter.bytes() > most) {
        return false;
      }
      letters.addLast(letter);
      bytes += letter.bytes();
      all.addAndGet(letter.bytes());
      return true;
    }

    private synchronized void end(String host) {
      ended.merge(host, 1, Integer::sum);
    }

    private synchronized Optional<Post> take(ApplicationAttemptId attempt, AtomicLong all) {
      QueuedReport first = letters.pollFirst();
      if (first == null && ended.isEmpty()) {
        return Optional.empty();
      }
      if (first != null) {
        bytes -= first.bytes();
        all.addAndGet(-first.bytes());
      }
      Map<String, Integer> ends = ended;
      ended = new HashMap<>();
      return Optional.of(new Post(attempt, Optional.ofNullable(first), ends));
    }

    private synchronized int clear(AtomicLong all) {
      int cleared = letters.size();
      letters.clear();
      all.addAndGet(-bytes);
      bytes = 0;
      return cleared;
    }
  }

  private final ConcurrentMap<ApplicationAttemptId, Box> boxes = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();
  private final LongAdder dropped = new LongAdder();

  /** A report has come; whether there was room for it. */
  boolean put(ApplicationAttemptId attempt, Report report, double at) {
    QueuedReport letter = new QueuedReport(report, at, bytes(report));
    boolean taken = boxes.computeIfAbsent(attempt, a -> new Box()).put(letter, bytes);
    if (!taken) {
      dropped.increment();
    }
    return taken;
  }

  private static long bytes(Report report) {
    long bytes = BYTES_OF_A_VALUE;
    for (AttemptOutcome outcome : report.outcomes()) {
      bytes += BYTES_OF_A_VALUE + outcome.machine().length();
    }
    for (LostOutputs lost : report.lostOutputs()) {
      bytes += BYTES_OF_A_VALUE + lost.machine().length();
    }
    for (RackBandwidth link : report.bandwidths()) {
      bytes += BYTES_OF_A_VALUE + link.rack().length();
    }
    for (String machine : report.machines()) {
      bytes += BYTES_OF_A_VALUE + machine.length();
    }
    return bytes;
  }

  /** A container has ended; of attempts that have never reported nobody keeps anything. */
  void ended(ApplicationAttemptId attempt, String host) {
    Box box = boxes.get(attempt);
    if (box != null) {
      box.end(host);
    }
  }

  /** Whether an attempt has reported. */
  boolean knows(ApplicationAttemptId attempt) {
    return boxes.containsKey(attempt);
  }

  boolean isEmpty() {
    return boxes.isEmpty();
  }

  /** How many attempts have reported. */
  int speakers() {
    return boxes.size();
  }

  /** Takes something out of each box that has something, in an order by chance. */
  List<Post> take() {
    List<ApplicationAttemptId> order = new ArrayList<>(boxes.keySet());
    Collections.shuffle(order);
    List<Post> taken = new ArrayList<>();
    for (Iterator<ApplicationAttemptId> it = order.iterator(); it.hasNext(); ) {
      ApplicationAttemptId attempt = it.next();
      Box box = boxes.get(attempt);
      if (box != null) {
        box.take(attempt, bytes).ifPresent(taken::add);
      }
    }
    return taken;
  }

  /** Forgets attempts that are over. Only the thread that takes out may do so. */
  void retain(Predicate<ApplicationAttemptId> runs) {
    for (ApplicationAttemptId attempt : boxes.keySet()) {
      if (!runs.test(attempt)) {
        boxes.computeIfPresent(
            attempt,
            (a, box) -> {
              box.clear(bytes);
              return null;
            });
      }
    }
  }

  /** Throws all letters away; what has ended stays counted. */
  void clear() {
    boxes.values().forEach(box -> dropped.add(box.clear(bytes)));
  }

  /** A letter is not learnt from, whether it was put in or not. */
  void drop() {
    dropped.increment();
  }

  /** How many letters there was no room for, or were thrown away. */
  long dropped() {
    return dropped.sum();
  }

  /** How many bytes wait, about. */
  long bytes() {
    return bytes.get();
  }

  /** Those who have reported. */
  Set<ApplicationAttemptId> attempts() {
    return Set.copyOf(boxes.keySet());
  }
}
