// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.PlacementSettings;
import io.drover.core.sampling.SamplingSettings;
import java.util.function.Consumer;

/**
 * KMN, implemented by core. A job that needs any K of N blocks reads blocks that are local to free
 * slots (section 5.2), runs M tasks for K outputs (section 4), waits for more outputs if that pays
 * and passes on the best K (sections 4.2 and 4.3), and places its reduces (section 5.2.2). It does
 * not wait for outliers, and does nothing else about them. For jobs that do not sample, it only
 * places the reduces. Departure: core's solver places reduces, not round-robin.
 */
public final class Kmn extends CoreScheme {
  /** Selects the outputs that the next stage waits for. */
  public enum Patience {
    /** Waits for the first K: the paper's first baseline (section 6, figure 21). */
    FIRST,
    /** Waits as long as core's rule says that it pays. */
    RULE,
    /** Waits for all M: the paper's second baseline. */
    ALL
  }

  /** Creates KMN as published. */
  public Kmn(SamplingSettings sampling, PlacementSettings placement) {
    this(sampling, placement, Patience.RULE, stage -> {});
  }

  /**
   * Creates a variant with another patience, for comparison.
   *
   * @param whenChosen receives each stage whose outputs another stage reads
   */
  public Kmn(
      SamplingSettings sampling,
      PlacementSettings placement,
      Patience patience,
      Consumer<SampledStage> whenChosen) {
    super("kmn");
    samplesBy(new CoreSampling(sampling, patience, whenChosen));
    placesBy(new CorePlacement(placement));
  }
}
