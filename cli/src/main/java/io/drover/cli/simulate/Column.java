// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.text.Spread;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A column of the table, the same on a terminal and on the page.
 *
 * @param group what stands above several columns
 * @param head what stands above this one
 * @param figure what stands in it, in hundredths
 */
record Column(String group, String head, Figure figure) {
  /** All columns, from left to right; those of a group stand together. */
  static final List<Column> ALL =
      List.of(
          new Column("phases shorter, %", "p25", Figure.PHASE_P25),
          new Column("phases shorter, %", "p50", Figure.PHASE_P50),
          new Column("phases shorter, %", "p75", Figure.PHASE_P75),
          new Column("phases shorter, %", "p90", Figure.PHASE_P90),
          new Column("slot time less, %", "p50", Figure.RESOURCE_P50),
          new Column("slot time less, %", "p75", Figure.RESOURCE_P75),
          new Column("slot time less, %", "in all", Figure.RESOURCE_TOTAL),
          new Column("jobs shorter, %", "mean", Figure.JOB_MEAN),
          new Column("jobs shorter, %", "p50", Figure.JOB_P50),
          new Column("jobs shorter, %", "small", Figure.JOB_SMALL),
          new Column("slots", "busy, %", Figure.UTILISATION),
          new Column("per 100 tasks", "restarts", Figure.RESTARTS_PER_TASK),
          new Column("per 100 tasks", "clones", Figure.CLONES_PER_TASK),
          new Column("of them", "useful, %", Figure.RESTART_SUCCESS));

  /** What tells of a setting's values: those of {@link #ALL} that a reader can compare at once. */
  static final List<Column> OF_A_SWEEP =
      ALL.stream()
          .filter(
              column ->
                  Set.of(
                          Figure.PHASE_P50,
                          Figure.PHASE_P75,
                          Figure.RESOURCE_TOTAL,
                          Figure.JOB_MEAN,
                          Figure.JOB_SMALL,
                          Figure.UTILISATION,
                          Figure.RESTARTS_PER_TASK,
                          Figure.CLONES_PER_TASK,
                          Figure.RESTART_SUCCESS)
                      .contains(column.figure()))
          .toList();

  /** The median of the repeats. */
  String median(Function<Figure, Optional<Spread>> spreads) {
    return text(spreads, Spread::median);
  }

  /** Some value of the repeats. */
  String text(Function<Figure, Optional<Spread>> spreads, ToDoubleFunction<Spread> which) {
    Optional<Spread> spread = spreads.apply(figure);
    return spread.map(s -> Figures.points(which.applyAsDouble(s))).orElse(Figures.UNKNOWN);
  }
}
