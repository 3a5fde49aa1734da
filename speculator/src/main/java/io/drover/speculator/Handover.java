// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.containment.CircuitBreaker;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides who speculates: Drover or, for a minute after three failures in a row, stock speculation.
 * Then Drover tries again with a new model of the job, and stock rests.
 *
 * <p>Steps are taken on two threads, and one part that works must not hide that another one fails
 * every time: a failure is forgotten only when each part that has failed has worked again.
 */
final class Handover {
  /** What may fail. */
  enum Part {
    /** A pass over the job; on the decision thread. */
    PASS,
    /** Carrying out a decision; on the dispatcher thread. */
    COMMAND,
    /** Taking in an event; on the dispatcher thread. */
    EVENT
  }

  private static final Logger LOG = LoggerFactory.getLogger(Handover.class);

  private final CircuitBreaker breaker;
  private final StockSpeculator stock;
  private final DecisionThreadQueue queue;
  private final boolean takesTheLead;
  private final Set<Part> ailing = EnumSet.noneOf(Part.class);
  private volatile boolean works = true;

  /** How often Drover was stopped. */
  private int stops;

  /**
   * Drover works at first.
   *
   * @param takesTheLead whether stock rests while Drover works; else it leads all the time
   */
  Handover(
      Breakers breakers, StockSpeculator stock, DecisionThreadQueue queue, boolean takesTheLead) {
    this.breaker = breakers.of("Speculation", DroverCounter.TURNED_OFF, this::stop);
    this.stock = stock;
    this.queue = queue;
    this.takesTheLead = takesTheLead;
  }

  /** Called whenever the breaker has opened; it may be before {@link #mayPass} goes on. */
  private synchronized void stop() {
    stops++;
    works = false;
    ailing.clear();
    queue.rest();
    if (takesTheLead) {
      stock.lead();
    }
  }

  /** Nobody makes passes any more. */
  void end(Throwable cause) {
    LOG.warn("Drover's speculation ends in this job, stock speculation takes over", cause);
    stop();
  }

  private synchronized int stops() {
    return stops;
  }

  /**
   * Whether a pass may be made now; {@link #ended} must be told how it went. If the dispatcher
   * thread has stopped Drover since the breaker gave its permission, it may not; if it is about to,
   * {@link #stop} comes after this.
   */
  boolean mayPass() {
    int before = stops();
    return breaker.tryAcquire() && goesOn(before);
  }

  private synchronized boolean goesOn(int before) {
    if (stops != before) {
      return false;
    }
    if (!works) {
      queue.keep(); // before the model is made, so that nothing is missed
      works = true;
      if (takesTheLead) {
        stock.rest();
      }
    }
    return true;
  }

  /** Whether Drover works, as far as is known. */
  boolean works() {
    return works;
  }

  /** A step has ended, with a failure or well. */
  void ended(Part part, Optional<Throwable> failure) {
    if (failure.isPresent()) {
      synchronized (this) {
        ailing.add(part);
      }
      breaker.failed(failure.get());
      return;
    }
    boolean isWell;
    synchronized (this) {
      boolean wasAiling = ailing.remove(part);
      isWell = ailing.isEmpty() && (wasAiling || part == Part.PASS);
    }
    if (isWell) {
      breaker.succeeded();
    }
  }

  /** Takes a step of a part. */
  void run(Part part, Runnable step) {
    Steps steps = new Steps();
    steps.run(step);
    ended(part, steps.failure());
  }

  /**
   * Hadoop's speculator, which adds attempts only while it leads. It takes every event in from the
   * beginning, so that it can lead at any time. Its thread is started when it leads for the first
   * time, and then looks for tasks to speculate on until the end; what it finds while it does not
   * lead is let go.
   */
  static final class StockSpeculator extends DefaultSpeculator {
    private volatile boolean leads;

    StockSpeculator(Configuration conf, AppContext context) {
      super(conf, context);
    }

    /** Adds attempts from now on. */
    void lead() {
      leads = true;
      if (isInState(STATE.INITED)) {
        start();
      }
    }

    /** Adds no attempts from now on, but for one that is being added. */
    void rest() {
      leads = false;
    }

    /** Whether it adds attempts. */
    boolean leads() {
      return leads;
    }

    @Override
    protected void addSpeculativeAttempt(TaskId task) {
      if (leads) {
        super.addSpeculativeAttempt(task);
      }
    }
  }
}
