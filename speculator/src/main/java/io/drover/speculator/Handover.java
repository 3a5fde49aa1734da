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
 * Decides who speculates: Drover or Hadoop's stock speculation. After three failures in a row stock
 * speculation takes over for a minute. Then Drover tries again with a new model of the job, and
 * stock speculation rests.
 *
 * <p>Steps run on two threads, and a part that works must not hide one that fails every time. So
 * failures are forgotten only when each part that has failed has worked again.
 */
final class Handover {
  /** The parts that may fail. */
  enum Part {
    /** A pass over the job, on the decision thread. */
    PASS,
    /** Carrying out a decision, on the dispatcher thread. */
    COMMAND,
    /** Handling an event, on the dispatcher thread. */
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
   * Creates a handover in which Drover works.
   *
   * @param takesTheLead whether stock speculation rests while Drover works; else it always leads
   */
  Handover(
      Breakers breakers, StockSpeculator stock, DecisionThreadQueue queue, boolean takesTheLead) {
    this.breaker = breakers.of("Speculation", DroverCounter.TURNED_OFF, this::stop);
    this.stock = stock;
    this.queue = queue;
    this.takesTheLead = takesTheLead;
  }

  /** Called whenever the breaker has opened, possibly while {@link #mayPass} runs. */
  private synchronized void stop() {
    stops++;
    works = false;
    ailing.clear();
    queue.rest();
    if (takesTheLead) {
      stock.lead();
    }
  }

  /** Ends Drover's speculation, because there will be no more passes. */
  void end(Throwable cause) {
    LOG.warn("Drover's speculation ends in this job; stock speculation takes over", cause);
    stop();
  }

  private synchronized int stops() {
    return stops;
  }

  /**
   * Returns whether a pass may be made now. If so, the caller must call {@link #ended} afterwards.
   * The answer is no if the dispatcher thread has stopped Drover since the breaker gave permission.
   * If that thread is about to stop Drover, {@link #stop} runs after this method.
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

  /** Returns whether Drover works, as far as is known. */
  boolean works() {
    return works;
  }

  /** Notes that a step has ended, with or without a failure. */
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

  /** Runs a step of a part and notes how it ended. */
  void run(Part part, Runnable step) {
    Steps steps = new Steps();
    steps.run(step);
    ended(part, steps.failure());
  }

  /**
   * Hadoop's speculator, which adds attempts only while it leads. It receives every event from the
   * beginning, so that it can lead at any time. Its thread starts when it leads for the first time,
   * and then looks for tasks to speculate on until the end. While it does not lead, what it finds
   * is ignored.
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

    /** Adds no attempts from now on, except one that is being added right now. */
    void rest() {
      leads = false;
    }

    /** Returns whether it adds attempts. */
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
