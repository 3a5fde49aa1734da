// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.job.JobProgress;
import io.drover.cli.job.RunEvent;
import io.drover.cli.job.RunListener;
import io.drover.cli.job.RunResult;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

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
    done.put(planned, end(planned, source.run(planned, new Ear()), start));
  }

  /** The second run begins when the first has come to its tail, or is over. */
  private void both(PlannedRun first, PlannedRun second) throws IOException, InterruptedException {
    source.prepare(first);
    CountDownLatch tail = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    FutureTask<RunResult> beside =
        new FutureTask<>(
            () -> {
              tail.await();
              return source.run(second, new LaterEar(over));
            });
    Thread thread = new Thread(beside, "beside");
    thread.setDaemon(true);
    thread.start();
    try {
      Instant start = clock.instant();
      progress.begin(first);
      RunResult slow =
          end(first, source.run(first, new TailEar(new IdleTail(first.spec()), tail)), start);
      Instant rest = clock.instant();
      progress.begin(second);
      over.countDown();
      tail.countDown();
      done.put(second, end(second, beside.get(), rest));
      done.put(first, slow);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } finally {
      beside.cancel(true); // if it still runs, something is wrong with the first; its job is killed
    }
  }

  private RunResult end(PlannedRun planned, RunResult result, Instant start) {
    progress.end(planned, result, Duration.between(start, clock.instant()));
    return result;
  }

  /** Hands everything on. */
  private class Ear implements RunListener {
    @Override
    public void progress(JobProgress job) {
      progress.job(job);
    }

    @Override
    public void event(RunEvent event) {
      progress.event(event);
    }
  }

  /** Says when the tail is reached. */
  private final class TailEar extends Ear {
    private final IdleTail idle;
    private final CountDownLatch tail;

    TailEar(IdleTail idle, CountDownLatch tail) {
      this.idle = idle;
      this.tail = tail;
    }

    @Override
    public void progress(JobProgress job) {
      super.progress(job);
      if (idle.isReached(job)) {
        tail.countDown();
      }
    }
  }

  /** Keeps progress to itself as long as another run's is shown. */
  private final class LaterEar extends Ear {
    private final CountDownLatch over;

    LaterEar(CountDownLatch over) {
      this.over = over;
    }

    @Override
    public void progress(JobProgress job) {
      if (over.getCount() == 0) {
        super.progress(job);
      }
    }
  }
}
