// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import java.util.Map;

/**
 * What came of one value of one setting, with one seed.
 *
 * @param key of the setting
 * @param value that it had
 * @param seed of the workload and of all chance
 * @param figures those that are known
 */
record SweepRun(String key, String value, long seed, Map<Figure, Double> figures) {
  /** Copies the figures. */
  SweepRun {
    figures = Map.copyOf(figures);
  }
}
