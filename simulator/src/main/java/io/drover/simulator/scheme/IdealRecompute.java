// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.simulator.engine.Scheme;

/**
 * The ideal that "uses future knowledge of which tasks will wait for their inputs to be recomputed
 * and acts to ensure that they do not happen" (Mantri section 6.1), and "has perfect future
 * knowledge of loss" (section 6.5): no reader ever misses an output, at no cost. In all else
 * nothing is done about outliers, so what it gains over the baseline is what losses cost.
 */
public final class IdealRecompute implements Scheme {
  @Override
  public String name() {
    return "ideal-recompute";
  }

  @Override
  public boolean neverMissesOutputs() {
    return true;
  }
}
