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
 * Holds the reports that wait to be learnt from. Each attempt has its own box, and reports are
 * taken from the boxes in turn. An attempt that sends without end fills its own box and loses only
 * its own further reports.
 *
 * <p>The reports of an attempt are bounded in number and in bytes, and those of all attempts in
 * bytes. If the bound of all is reached, an attempt whose box is empty may still add one report, so
 * that attempts that send without end do not keep out those that send seldom. Beyond twice this
 * bound no attempt may. Ends of containers are only counted, so they take no room.
 *
 * <p>Any thread adds reports, one thread takes them. A box's lock is held for a few operations,
 * also by the scheduler when a container ends. No thread waits for the learning.
 */
final class ReportQueue {
  /** Waiting reports per attempt. It may send three in a period; a round (0.5 s) takes all. */
  static final int MAX_LETTERS = 8;

  /** Bytes of waiting reports per attempt: two of the largest reports. */
  static final long MAX_BYTES_OF_ONE = 512 << 10;

  /** Bytes of all waiting reports. */
  static final long MAX_BYTES = 16 << 20;

  /** What a value of a report takes besides its name, in bytes, in a JVM with 64-bit references. */
  private static final int BYTES_OF_A_VALUE = 120;

  /**
   * A report that waits.
   *
   * @param at when it arrived, in seconds
   * @param bytes its approximate size
   */
  record QueuedReport(Report report, double at, long bytes) {}

  /** What is taken from a box at once: a report, and how many containers have ended by host. */
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

  /** Adds a report. Returns whether there was room for it. */
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
    bytes += (long) BYTES_OF_A_VALUE * report.actions().size();
    return bytes;
  }

  /** Notes that a container has ended. Nothing is kept for attempts that have never reported. */
  void ended(ApplicationAttemptId attempt, String host) {
    Box box = boxes.get(attempt);
    if (box != null) {
      box.end(host);
    }
  }

  /** Returns whether an attempt has reported. */
  boolean knows(ApplicationAttemptId attempt) {
    return boxes.containsKey(attempt);
  }

  boolean isEmpty() {
    return boxes.isEmpty();
  }

  /** Takes something out of each box that is not empty, in random order. */
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

  /** Forgets attempts that have ended. Only the thread that takes reports may call this. */
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

  /** Drops all reports. The counts of ended containers stay. */
  void clear() {
    boxes.values().forEach(box -> dropped.add(box.clear(bytes)));
  }

  /** Counts a report as dropped, whether it was added or not. */
  void drop() {
    dropped.increment();
  }

  /** Returns how many reports were dropped. */
  long dropped() {
    return dropped.sum();
  }

  /** Returns how many bytes wait, approximately. */
  long bytes() {
    return bytes.get();
  }

  /** Returns the attempts that have reported. */
  Set<ApplicationAttemptId> attempts() {
    return Set.copyOf(boxes.keySet());
  }
}
