// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.testbed.job.JobProgress;
import io.drover.testbed.job.RunEvent;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunResult;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Does the runs of a plan, one after another, but for those that are planned beside another. */
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

  /** Does all runs; an error of one ends all. */
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

  /** The second run begins when the first has come to its tail, or is over. */
  private void both(PlannedRun first, PlannedRun second) throws IOException, InterruptedException {
    source.prepare(first);
    CountDownLatch tail = new CountDownLatch(1);
    AtomicBoolean over = new AtomicBoolean();
    RunListener later =
        hearing(
            job -> {
              if (over.get()) { // before, the other's progress is shown
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
      beside.cancel(); // if it still runs, something is wrong with the first; its job is killed
    }
  }

  private RunResult end(PlannedRun planned, RunResult result, Instant start) {
    progress.end(planned, result, Duration.between(start, clock.instant()));
    return result;
  }

  /** Passes a job's events on, and its progress to the one who shows it. */
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
}
