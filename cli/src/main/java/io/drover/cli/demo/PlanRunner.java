// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.demo.DemoCommand.RunSource;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.RunListener.RunEvent;
import io.drover.testbed.job.RunResult;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Does the runs of a plan one after another, except those that run beside another one. */
final class PlanRunner {
  private final RunSource source;
  private final DemoProgress progress;
  private final InstantSource clock;
  private final Map<PlannedRun, RunResult> done = new LinkedHashMap<>();

  PlanRunner(RunSource source, DemoProgress progress, InstantSource clock) {
    this.source = source;
    this.progress = progress;
    this.clock = clock;
  }

  /** Does all runs. An error in one run ends them all. */
  Map<PlannedRun, RunResult> run(List<PlannedRun> plan) throws IOException, InterruptedException {
    for (int i = 0; i < plan.size(); i++) {
      PlannedRun planned = plan.get(i);
      if (i + 1 < plan.size() && plan.get(i + 1).beside()) {
        i++;
        both(planned, plan.get(i));
      } else {
        alone(planned);
      }
    }
    return done;
  }

  private void alone(PlannedRun planned) throws IOException, InterruptedException {
    source.prepare(planned);
    Instant start = clock.instant();
    progress.begin(planned);
    done.put(planned, end(planned, source.run(planned, hearing(progress::job)), start));
  }

  /** Does two runs. The second one begins when the first has reached its tail or is over. */
  private void both(PlannedRun first, PlannedRun second) throws IOException, InterruptedException {
    source.prepare(first);
    CountDownLatch tail = new CountDownLatch(1);
    AtomicBoolean over = new AtomicBoolean();
    RunListener later =
        hearing(
            job -> {
              if (over.get()) { // until then, the first run's progress is shown
                progress.job(job);
              }
            });
    Background<RunResult> beside =
        Background.start(
            "beside",
            () -> {
              tail.await();
              return source.run(second, later);
            });
    IdleTail idle = new IdleTail(first.spec());
    RunListener watching =
        hearing(
            job -> {
              progress.job(job);
              if (idle.isReached(job)) {
                tail.countDown();
              }
            });
    try {
      Instant start = clock.instant();
      progress.begin(first);
      RunResult slow = end(first, source.run(first, watching), start);
      Instant rest = clock.instant();
      progress.begin(second);
      over.set(true);
      tail.countDown();
      done.put(second, end(second, beside.get(), rest));
      done.put(first, slow);
    } finally {
      beside.cancel(); // if it still runs, something went wrong; this kills its job
    }
  }

  private RunResult end(PlannedRun planned, RunResult result, Instant start) {
    progress.end(planned, result, Duration.between(start, clock.instant()));
    return result;
  }

  /** Returns a listener that shows a job's events and passes its progress to {@code job}. */
  private RunListener hearing(Consumer<JobProgress> job) {
    return new RunListener() {
      @Override
      public void progress(JobProgress far) {
        job.accept(far);
      }

      @Override
      public void event(RunEvent event) {
        progress.event(event);
      }
    };
  }

  /**
   * Detects from a job's progress that it has reached its tail: most of its maps are done, and the
   * rest together progress less than half as fast as a single map at its normal pace. Compares
   * progress over a few seconds, because tasks report once a second. Not thread-safe.
   */
  static final class IdleTail {
    private static final double MOST = 0.75;
    private static final Duration WINDOW = Duration.ofSeconds(4);

    private final double leastGain;
    private final Deque<JobProgress> seen = new ArrayDeque<>();

    /** Creates the detector for a job that has not begun. */
    IdleTail(DemoJobSpec spec) {
      double oneMap = (double) WINDOW.toMillis() / spec.mapTime().toMillis() / spec.maps();
      leastGain = oneMap / 2;
    }

    /** Records the job's progress and returns whether the job has reached its tail. */
    boolean isReached(JobProgress job) {
      seen.addLast(job);
      Duration begin = job.elapsed().minus(WINDOW);
      JobProgress before = null; // the last progress at or before the window's begin
      while (seen.getFirst().elapsed().compareTo(begin) <= 0) {
        before = seen.removeFirst();
      }
      if (before == null) {
        return false;
      }
      seen.addFirst(before);
      return job.maps() >= MOST && job.maps() - before.maps() < leastGain;
    }
  }

  /** Work on a daemon thread of its own, which does not keep the process alive. */
  static final class Background<T> {
    private final FutureTask<T> task;

    private Background(FutureTask<T> task) {
      this.task = task;
    }

    /** Starts the work. */
    static <T> Background<T> start(String name, Callable<T> work) {
      FutureTask<T> task = new FutureTask<>(work);
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      thread.start();
      return new Background<>(task);
    }

    /**
     * Waits for the end of the work.
     *
     * @throws IOException if the work failed
     */
    T get() throws IOException, InterruptedException {
      try {
        return task.get();
      } catch (ExecutionException e) {
        throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
      }
    }

    /** Interrupts the work, unless it is over. */
    void cancel() {
      task.cancel(true);
    }
  }
}
