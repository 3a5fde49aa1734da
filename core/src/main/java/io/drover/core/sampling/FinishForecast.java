// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Forecasts when the running tasks of a stage will finish, in that order.
 *
 * <p>Source: KMN section 4.3: by the history of the job, else by a distribution fitted to the first
 * finishers ({@link TaskDurations}). Departure: a task whose own reports say when it ends is
 * believed, since that is the best there is, and the paper's system had none.
 *
 * <p>Of m tasks about which nothing else is known the i-th gets the quantile {@code (i - 3/8) / (m
 * + 1/4)} (Blom 1958: near the expected order statistics) of the durations above the time it has
 * been running, the longest running one being first. All at the same quantile would have those that
 * started together finish together, and there would be nothing left to choose.
 */
public final class FinishForecast {
  /** What a forecast rests on. */
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
   * @param task any number of the caller's
   * @param startedAt seconds
   * @param endsAt by its own progress, seconds, if that is known
   */
  public record Running(int task, double startedAt, OptionalDouble endsAt) {}

  /**
   * A forecast.
   *
   * @param at seconds, not before the time of asking
   */
  public record Finish(int task, double at, Basis basis) {}

  private FinishForecast() {}

  /**
   * The forecasts, ascending; none for a task of which nothing is known.
   *
   * @param running tasks that have started and not finished
   * @param now seconds
   */
  public static List<Finish> of(List<Running> running, TaskDurations durations, double now) {
    List<Finish> forecasts = new ArrayList<>();
    List<Running> others = new ArrayList<>();
    for (Running task : running) {
      if (task.endsAt().isPresent()) {
        double at = Math.max(now, task.endsAt().getAsDouble());
        forecasts.add(new Finish(task.task(), at, Basis.PROGRESS));
      } else {
        others.add(task);
      }
    }
    others.sort(Comparator.comparingDouble(Running::startedAt));
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
}
