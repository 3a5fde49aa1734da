// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** All that is known of one machine. */
final class KnownMachine {
  final OutlierBelief belief;
  final FadingShare attempts = new FadingShare();
  final FadingShare outputs = new FadingShare();
  final Map<String, UserWeight> users = new TreeMap<>();
  double heardAt;

  private int attemptsNow;
  private int outliersNow;
  private int attemptsBefore;
  private int outliersBefore;

  KnownMachine(OutlierBelief belief) {
    this.belief = belief;
  }

  /** As it was, but for its belief if that is another estimator's. */
  KnownMachine(OutlierBelief belief, MachineSnapshot.Machine was, boolean sameEstimator) {
    this(belief);
    attempts.add(was.attempts(), was.outliers());
    outputs.add(was.outputs(), was.lost());
    heardAt = was.heardAt();
    was.users().forEach((user, figures) -> users.put(user, UserWeight.of(figures)));
    if (sameEstimator) {
      try {
        belief.restore(was.belief().stream().mapToDouble(Double::doubleValue).toArray());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(was.name() + ": " + e.getMessage(), e);
      }
    }
  }

  MachineSnapshot.Machine snapshot(String name) {
    Map<String, List<Double>> weights = new TreeMap<>();
    users.forEach((user, weight) -> weights.put(user, weight.figures()));
    return new MachineSnapshot.Machine(
        name,
        heardAt,
        attempts.all(),
        attempts.some(),
        outputs.all(),
        outputs.some(),
        Arrays.stream(belief.figures()).boxed().toList(),
        weights);
  }

  /**
   * Counts what happened in the present window.
   *
   * @param weight with which outliers count for what is believed, in [0,1]; people are shown all
   */
  void count(Outcomes outcomes, double weight) {
    attempts.add(weight * outcomes.attempts(), weight * outcomes.outliers());
    outputs.add(outcomes.outputs(), outcomes.lost());
    attemptsNow += outcomes.attempts();
    outliersNow += outcomes.outliers();
  }

  /** So many windows have ended, at least 1. */
  void windowsEnd(int windows, double p, double attemptsKept, double outputsKept) {
    belief.windowsEnd(windows, p);
    attempts.fade(attemptsKept);
    outputs.fade(outputsKept);
    attemptsBefore = windows == 1 ? attemptsNow : 0;
    outliersBefore = windows == 1 ? outliersNow : 0;
    attemptsNow = 0;
    outliersNow = 0;
  }

  MachineFigures figures(String name, OptionalDouble probability, OptionalDouble lossProbability) {
    return new MachineFigures(name, attemptsBefore, outliersBefore, probability, lossProbability);
  }
}
