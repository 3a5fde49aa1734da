// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.channel.ClusterState.EndOrder;
import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.Breakers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the job when the scheduler orders it, because it is expected to fail.
 *
 * <p>An order holds only as long as the scheduler repeats it: one that is withdrawn, or a scheduler
 * that has been silent for a while, ends nothing. The user reads the reason among the job's
 * diagnostics, and the job ends as killed, with its history.
 *
 * <p>A job that is committing is never ended: half of its output might stay. Only a job whose own
 * state is RUNNING is killed, and that is looked at on the dispatcher thread, in the same call in
 * which the job handles the kill. Between the two its state cannot change, because the same thread
 * changes it.
 */
final class EndOrders implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(EndOrders.class);

  private final Supplier<Optional<DueOrder>> orders;
  private final Supplier<Job> job;
  private final Consumer<Runnable> dispatcher;
  private final BiConsumer<String, Map<String, Object>> log;
  private final CircuitBreaker breaker;
  private boolean isOrdered;
  private boolean isEnding;

  /**
   * An order, and how long ago it was received.
   *
   * @param age since it was received
   */
  record DueOrder(EndOrder order, Duration age) {
    Duration left() {
      Duration left = order.grace().minus(age);
      return left.isNegative() ? Duration.ZERO : left;
    }
  }

  /**
   * Creates what handles orders.
   *
   * @param orders returns the order that is in force
   * @param dispatcher runs work on the dispatcher thread
   * @param log writes an entry of the decision log
   */
  EndOrders(
      Supplier<Optional<DueOrder>> orders,
      Supplier<Job> job,
      Consumer<Runnable> dispatcher,
      BiConsumer<String, Map<String, Object>> log,
      Breakers breakers) {
    this.orders = orders;
    this.job = job;
    this.dispatcher = dispatcher;
    this.log = log;
    this.breaker = breakers.of("Orders to end the job");
  }

  /** Looks at the order. Called after each heartbeat. */
  @Override
  public void run() {
    breaker.run(this::look);
  }

  private void look() {
    Optional<DueOrder> order = orders.get();
    if (order.isPresent() != isOrdered) {
      isOrdered = order.isPresent();
      note(order);
    }
    if (order.isPresent() && order.get().left().isZero()) {
      String reason = order.get().order().reason();
      dispatcher.accept(() -> breaker.run(() -> end(reason)));
    }
  }

  private void note(Optional<DueOrder> order) {
    long seconds = order.map(due -> due.left().toSeconds()).orElse(0L);
    String reason = order.map(due -> due.order().reason()).orElse("");
    if (order.isPresent()) {
      LOG.warn("The scheduler lets this job run for {} s more. {}", seconds, reason);
    } else {
      LOG.info("The scheduler lets this job run on");
    }
    log.accept(
        order.isPresent() ? "endOrdered" : "endWithdrawn",
        Map.of("secondsLeft", seconds, "reason", reason));
  }

  /** Runs on the dispatcher thread. */
  private void end(String reason) {
    if (isEnding || !(job.get() instanceof JobImpl running)) {
      return;
    }
    JobStateInternal state = running.getInternalState();
    if (state != JobStateInternal.RUNNING) {
      LOG.debug("The job is not ended, because it is {}", state);
      return;
    }
    isEnding = true;
    LOG.warn("The job is ended. {}", reason);
    running.handle(new JobDiagnosticsUpdateEvent(running.getID(), reason));
    running.handle(new JobEvent(running.getID(), JobEventType.JOB_KILL));
  }
}
