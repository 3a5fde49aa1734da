// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Forecasts when the running tasks of a stage will finish, in ascending order.
 *
 * <p>Source: KMN section 4.3: by the history of the job, otherwise by a distribution fitted to the
 * first tasks that finish ({@link TaskDurations}). Departure: if a task's own reports say when it
 * ends, they are used, because they are the best source and the paper's system had none.
 *
 * <p>Of m tasks without such reports, the i-th gets the quantile {@code (i - 3/8) / (m + 1/4)}
 * (Blom 1958: near the expected order statistics) of the durations above its running time, starting
 * with the task that has run longest. With the same quantile for all, tasks that started together
 * would finish together, and there would be no choice left.
 */
public final class FinishForecast {
  /** What a forecast is based on. */
  public enum Basis {
    /** The task's own progress. */
    PROGRESS,
    /** An earlier run of the job. */
    HISTORY,
    /** A distribution fitted to this stage. */
    FITTED
  }

  /**
   * A task that has not finished.
   *
   * @param task any number that the caller chooses
   * @param startedAt seconds
   * @param endsAt the end by its own progress, seconds, if known
   */
  public record Running(int task, double startedAt, OptionalDouble endsAt) {}

  /**
   * A forecast.
   *
   * @param at seconds, not before the time of the request
   */
  public record Finish(int task, double at, Basis basis) {}

  private FinishForecast() {}

  /**
   * Returns the forecasts in ascending order; none for a task about which nothing is known.
   *
   * @param running tasks that have started and not finished
   * @param now seconds
   */
  public static List<Finish> of(List<Running> running, TaskDurations durations, double now) {
    List<Finish> forecasts = new ArrayList<>(byProgress(running, now));
    List<Running> others =
        running.stream()
            .filter(task -> task.endsAt().isEmpty())
            .sorted(Comparator.comparingDouble(Running::startedAt))
            .toList();
    Basis basis =
        switch (durations.basis()) {
          case HISTORY -> Basis.HISTORY;
          case FITTED -> Basis.FITTED;
        };
    for (int i = 0; i < others.size(); i++) {
      Running task = others.get(i);
      double p = (i + 1 - 0.375) / (others.size() + 0.25);
      durations
          .quantile(p, Math.max(0, now - task.startedAt()))
          .ifPresent(
              takes ->
                  forecasts.add(
                      new Finish(task.task(), Math.max(now, task.startedAt() + takes), basis)));
    }
    forecasts.sort(Comparator.comparingDouble(Finish::at));
    return forecasts;
  }

  /**
   * Returns the forecasts of the tasks whose own progress says when they end, in ascending order.
   *
   * @param now seconds
   */
  public static List<Finish> byProgress(List<Running> running, double now) {
    return running.stream()
        .filter(task -> task.endsAt().isPresent())
        .map(
            task ->
                new Finish(task.task(), Math.max(now, task.endsAt().getAsDouble()), Basis.PROGRESS))
        .sorted(Comparator.comparingDouble(Finish::at))
        .toList();
  }
}
