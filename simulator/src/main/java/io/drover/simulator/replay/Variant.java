// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.replay;

import io.drover.simulator.scheme.Schemes;
import java.util.List;
import java.util.Map;

/**
 * One of several ways to run the same jobs.
 *
 * @param scheme what is done about outliers
 * @param settings that only this variant has, beside those of all
 * @param title for people
 */
public record Variant(String scheme, Map<String, String> settings, String title) {
  /** Copies the settings. */
  public Variant {
    settings = Map.copyOf(settings);
  }

  /** A scheme with the settings of all. */
  public static Variant of(String scheme) {
    return new Variant(scheme, Map.of(), scheme);
  }

  /** One for each scheme. */
  public static List<Variant> of(List<String> schemes) {
    return schemes.stream().map(Variant::of).toList();
  }

  /** Whether all others are compared with this one. */
  public boolean isBaseline() {
    return scheme.equals(Schemes.BASELINE);
  }
}
