// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.text.Spread;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What has come of a sweep.
 *
 * @param options what was asked for
 * @param at when it began
 * @param scene the world of the first seed
 * @param size of the first seed's workload
 * @param runs of every setting, value and seed; by seed in the same order for each value
 */
record SweepResult(
    SweepOptions options,
    Instant at,
    SimulationSetup scene,
    SimulateResult.Size size,
    List<SweepRun> runs) {

  /** Copies the list. */
  SweepResult {
    runs = List.copyOf(runs);
  }

  /** Whether there is anything to be compared. */
  boolean isEmpty() {
    return size.phases() == 0;
  }

  /** Whether each figure is the median of several. */
  boolean isRepeated() {
    return options.common().repeat() > 1;
  }

  /** A figure over the repeats; empty where it is not known. */
  Optional<Spread> spread(Swept swept, String value, Figure figure) {
    return Spread.of(
        of(swept, value)
            .map(run -> run.figures().get(figure))
            .filter(known -> known != null)
            .toList());
  }

  /**
   * By how much a figure is greater than with the default, over the repeats: each is compared with
   * the default's own of the same seed, so what differs between seeds does not count. Empty where
   * the figure is not known.
   */
  Optional<Spread> gain(Swept swept, String value, Figure figure) {
    List<SweepRun> runsOfValue = of(swept, value).toList();
    List<SweepRun> usual = of(swept, swept.byDefault()).toList();
    List<Double> gains = new ArrayList<>();
    for (int i = 0; i < runsOfValue.size(); i++) {
      Double with = runsOfValue.get(i).figures().get(figure);
      Double without = usual.get(i).figures().get(figure);
      if (with != null && without != null) {
        gains.add(with - without);
      }
    }
    return Spread.of(gains);
  }

  private Stream<SweepRun> of(Swept swept, String value) {
    return runs.stream().filter(run -> run.key().equals(swept.key()) && run.value().equals(value));
  }
}
