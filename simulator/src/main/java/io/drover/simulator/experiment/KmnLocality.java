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
            "Chance: %,d trials a point have a standard error of %.2f points at most. The text"
                + " prints formulas, and hardly a figure of the curves, so the formulas' stand as"
                + " the paper's.",
            trials,
            100 * Math.sqrt(0.25 / trials)),
        String.format(
            Locale.ROOT,
            "'A slot each': the formula counts a block as local if its machine has any free slot;"
                + " here blocks lie on %,d machines, may meet on one, and take a slot each. Most of"
                + " them is lost where nearly all blocks must be local.",
            MACHINES));
  }

  List<String> provenance() {
    return List.of(
        "Formulas: core's Locality, one replica (the paper has blocks in memory).",
        String.format(
            Locale.ROOT,
            "Placements: modelled; slots are busy by themselves, blocks lie anywhere, %d slots a"
                + " machine by the paper. The utilisations, and the blocks for each task, are"
                + " chosen: the text does not print those of the figure.",
            SLOTS));
  }
}
