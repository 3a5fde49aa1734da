// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.evaluate;

import io.drover.core.predict.EndedJob;
import io.drover.core.predict.FailureModel;
import io.drover.core.predict.Training;
import io.drover.core.predict.TrainingSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Judges jobs as a cluster would have: at the end of each period a model is trained on the jobs
 * that had ended by then, and judges those that arrive in the next period. No call uses anything of
 * the future.
 */
public final class WalkForward {
  private final TrainingSettings settings;
  private final double period;
  private final Runnable trained;

  /**
   * Creates a walk.
   *
   * @param period how often a model is trained (slides: every day)
   * @param trained called after each period, by several threads
   */
  public WalkForward(TrainingSettings settings, Duration period, Runnable trained) {
    this.settings = settings;
    this.period = period.toMillis() / 1e3;
    this.trained = trained;
  }

  /** Returns how many periods there are. */
  public int periods(List<EndedJob> jobs) {
    return jobs.isEmpty() ? 0 : (int) (period(jobs.get(jobs.size() - 1)) - period(jobs.get(0)) + 1);
  }

  private long period(EndedJob job) {
    return (long) Math.floor(job.submittedAt() / period);
  }

  /**
   * Judges jobs.
   *
   * @param jobs in the order of their submission
   * @return those for which there was a model, in the same order
   */
  public List<JudgedJob> judge(List<EndedJob> jobs) {
    List<List<EndedJob>> byPeriod = new ArrayList<>();
    for (int i = 0; i < periods(jobs); i++) {
      byPeriod.add(new ArrayList<>());
    }
    jobs.forEach(job -> byPeriod.get((int) (period(job) - period(jobs.get(0)))).add(job));
    long first = jobs.isEmpty() ? 0 : period(jobs.get(0));
    return IntStream.range(0, byPeriod.size())
        .parallel()
        .mapToObj(i -> judge(byPeriod.get(i), jobs, (first + i) * period))
        .flatMap(Collection::stream)
        .toList();
  }

  private List<JudgedJob> judge(List<EndedJob> arriving, List<EndedJob> all, double now) {
    Optional<FailureModel> model = new Training(settings).train(all, now);
    trained.run();
    return model
        .map(known -> arriving.stream().map(job -> judge(job, known)).toList())
        .orElse(List.of());
  }

  private static JudgedJob judge(EndedJob job, FailureModel model) {
    FailureModel.Call call = model.call(job.features());
    return new JudgedJob(job, call.score(), call.failing());
  }
}
