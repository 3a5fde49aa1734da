// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.core.sampling.LocalityProbability;
import io.drover.simulator.experiment.BlockPlacements.Sharing;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.Row;
import io.drover.simulator.world.Draws;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The common part of KMN's figures 4 and 5: points of a formula, tested by random placements. */
final class KmnLocality {
  /** The slots of a machine: "we fix the number of slots per machine to s = 8", section 3.1. */
  static final int SLOTS = 8;

  /** "The probability of K = 10 and K = 100 tasks getting locality", sections 3.1 and 3.2. */
  static final int[] K = {10, 100};

  private static final int MACHINES = 1000;

  private final int trials;

  KmnLocality(int trials) {
    this.trials = trials;
  }

  /** A point of a figure. */
  interface Point {
    /** Returns u, in [0,1]. */
    double utilisation();

    /** Returns the label of what is selected. */
    String what();

    /** Returns the probability by core's formula. */
    double by(LocalityProbability locality);

    /** Returns the probability found by random trials. */
    double by(BlockPlacements placements, int trials);

    /** Returns the label of the point in reports. */
    default String label() {
      return String.format(Locale.ROOT, "u = %.0f %%, %s", 100 * utilisation(), what());
    }
  }

  /** Returns two rows per point: one by the paper's model, one where each block needs a slot. */
  List<Row> rows(List<? extends Point> points, ExperimentSettings settings) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      Point point = points.get(i);
      settings.progress().begin(Sharing.values().length);
      double formula = point.by(new LocalityProbability(point.utilisation(), SLOTS));
      for (Sharing sharing : Sharing.values()) {
        long seed = Draws.key(settings.seed(), i, sharing.ordinal());
        BlockPlacements placements =
            new BlockPlacements(sharing, MACHINES, SLOTS, point.utilisation(), seed);
        String how = sharing == Sharing.NONE ? "" : ", a slot each";
        rows.add(Row.ofShare(point.label() + how, formula, point.by(placements, trials)));
        settings.progress().ended(1 + sharing.ordinal());
      }
      settings.progress().end(point.label());
    }
    return rows;
  }

  List<String> why() {
    return List.of(
        String.format(
            Locale.ROOT,
            "Chance: with %,d trials per point, the standard error is at most %.2f points. The text"
                + " prints formulas and hardly any figure of the curves, so the formulas' values"
                + " stand for the paper's.",
            trials,
            100 * Math.sqrt(0.25 / trials)),
        String.format(
            Locale.ROOT,
            "'A slot each': the formula counts a block as local if its machine has any free slot."
                + " Here blocks lie on %,d machines, several may share a machine, and each takes a"
                + " slot. This costs most where nearly all blocks must be local.",
            MACHINES));
  }

  List<String> provenance() {
    return List.of(
        "Formulas: core's LocalityProbability, with one replica (the paper's blocks are in"
            + " memory).",
        String.format(
            Locale.ROOT,
            "Placements: modelled; each slot is busy independently of the others, blocks lie"
                + " anywhere, and a machine has %d slots, as in the paper. The utilisations and the"
                + " blocks per task are chosen here, because the text does not print those of the"
                + " figure.",
            SLOTS));
  }
}
