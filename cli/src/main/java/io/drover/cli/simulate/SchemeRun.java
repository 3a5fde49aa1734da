// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.simulator.result.Comparison;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What is kept of one workload under one scheme.
 *
 * @param scheme its name
 * @param seed of the workload and of all chance
 * @param seconds that the simulation took, in this world
 * @param figures those that are known
 * @param curves of {@link Curve#points}; empty arrays where there is nothing to be reduced
 */
record SchemeRun(
    String scheme,
    long seed,
    double seconds,
    Map<Figure, Double> figures,
    Map<Curve, double[]> curves) {

  /** Takes out of a comparison what is shown. */
  static SchemeRun of(Comparison comparison, long seed, double seconds) {
    Map<Curve, double[]> curves = new EnumMap<>(Curve.class);
    for (Curve curve : Curve.values()) {
      curves.put(curve, curve.in(comparison));
    }
    return new SchemeRun(
        comparison.scheme(),
        seed,
        seconds,
        Figure.of(comparison),
        Collections.unmodifiableMap(curves));
  }
}
