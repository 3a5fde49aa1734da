// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import io.drover.core.containment.CircuitBreaker;
import io.drover.core.predict.JobArrival;
import io.drover.core.predict.JobOutcome;
import io.drover.core.predict.MaskedName;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;

/**
 * Notes what becomes of applications. The ResourceManager's dispatcher calls it after the
 * application itself has handled an event. An exception here would end the ResourceManager, and a
 * delay would hold all applications up. So it looks at the application's state, puts it into a
 * queue, and contains what goes wrong.
 */
final class ApplicationEvents implements EventHandler<RMAppEvent> {
  /** If more wait, the newest are dropped; the predictor then asks what has become of its jobs. */
  private static final int MOST = 100_000;

  /** Events that come often, and after which an application is as it was. */
  private static final Set<RMAppEventType> IGNORED =
      EnumSet.of(RMAppEventType.APP_RUNNING_ON_NODE, RMAppEventType.NODE_UPDATE);

  private final RMContext context;
  private final CircuitBreaker breaker;
  private final DoubleSupplier clock;
  private final Queue<Seen> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final LongAdder dropped = new LongAdder();
  private volatile boolean isOn;

  /**
   * The state of an application after an event.
   *
   * @param submittedAt seconds
   * @param at when it came to this state, or was seen in it, seconds
   */
  record Seen(RMApp app, Stage stage, double submittedAt, double at) {
    /** Returns what is known of the application before it runs. */
    JobArrival arrival() {
      Priority priority = app.getApplicationPriority();
      return new JobArrival(
          app.getApplicationId().toString(),
          submittedAt,
          app.getUser(),
          app.getQueue() == null ? "" : app.getQueue(),
          MaskedName.of(app.getName() == null ? "" : app.getName()),
          priority == null ? 0 : priority.getPriority());
    }
  }

  /** How far an application is. */
  enum Stage {
    SUBMITTED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    KILLED;

    /** Returns how an application has ended; empty if it has not. */
    Optional<JobOutcome> outcome() {
      return switch (this) {
        case SUCCEEDED -> Optional.of(JobOutcome.SUCCEEDED);
        case FAILED -> Optional.of(JobOutcome.FAILED);
        case KILLED -> Optional.of(JobOutcome.KILLED);
        default -> Optional.empty();
      };
    }
  }

  /**
   * Creates a listener that does not listen yet.
   *
   * @param clock never jumps, seconds since about 1970
   */
  ApplicationEvents(RMContext context, CircuitBreaker breaker, DoubleSupplier clock) {
    this.context = context;
    this.breaker = breaker;
    this.clock = clock;
  }

  /** Listens from now on. */
  void start() {
    clear(); // an event may have come in while this stopped
    isOn = true;
  }

  /**
   * Stops listening. The dispatcher does not forget its handlers, and a further one must not be
   * registered while it runs, so this one may be started again.
   */
  void stop() {
    isOn = false;
    clear();
  }

  private void clear() {
    Seen seen;
    do {
      seen = next();
    } while (seen != null);
  }

  @Override
  public void handle(RMAppEvent event) {
    if (isOn && !IGNORED.contains(event.getType())) {
      try {
        note(event.getApplicationId());
      } catch (Throwable e) {
        breaker.failed(e);
      }
    }
  }

  private void note(ApplicationId id) {
    RMApp app = context.getRMApps().get(id);
    if (app == null) {
      return;
    }
    if (size.incrementAndGet() > MOST) {
      size.decrementAndGet();
      dropped.increment();
      return;
    }
    queue.add(see(app));
  }

  /** Returns the state of an application now. */
  Seen see(RMApp app) {
    Stage stage = stage(app);
    long known =
        switch (stage) {
          case SUBMITTED -> app.getSubmitTime();
          case RUNNING -> app.getLaunchTime();
          default -> app.getFinishTime();
        };
    return new Seen(app, stage, steady(app.getSubmitTime()), steady(known));
  }

  /**
   * Returns a time of the machine's clock by the clock that does not jump: as long ago as it is by
   * the machine's. Otherwise a clock that is set forward would end grace periods.
   *
   * @param millis 0 if it is not known, which counts as now
   */
  private double steady(long millis) {
    double ago = millis > 0 ? (System.currentTimeMillis() - millis) / 1e3 : 0;
    return clock.getAsDouble() - Math.max(0, ago);
  }

  private static Stage stage(RMApp app) {
    RMAppState state = app.getState();
    return switch (state) {
      case RUNNING -> Stage.RUNNING;
      case FAILED -> Stage.FAILED;
      case KILLED -> Stage.KILLED;
      case FINISHED ->
          switch (app.getFinalApplicationStatus()) {
            case FAILED -> Stage.FAILED;
            case KILLED -> Stage.KILLED;
            default -> Stage.SUCCEEDED;
          };
      default -> Stage.SUBMITTED; // or it is about to end, of which another event will tell
    };
  }

  /** Returns how many states wait; the last of them may not be there yet. */
  int size() {
    return size.get();
  }

  /** Returns the next state; null if there is none. */
  Seen next() {
    Seen next = queue.poll();
    if (next != null) {
      size.decrementAndGet();
    }
    return next;
  }

  /** Returns how many states were dropped because too many were waiting. */
  long dropped() {
    return dropped.sum();
  }
}
