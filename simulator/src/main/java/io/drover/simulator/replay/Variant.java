// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.replay;

import io.drover.simulator.scheme.Schemes;
import java.util.List;
import java.util.Map;

/**
 * One of several ways to run the same jobs.
 *
 * @param scheme the name of the scheme
 * @param settings the settings that only this variant has, in addition to the common ones
 * @param title the name in reports
 */
public record Variant(String scheme, Map<String, String> settings, String title) {
  /** Copies the settings. */
  public Variant {
    settings = Map.copyOf(settings);
  }

  /** Creates a variant of a scheme that has only the common settings. */
  public static Variant of(String scheme) {
    return new Variant(scheme, Map.of(), scheme);
  }

  /** Creates a variant for each scheme. */
  public static List<Variant> of(List<String> schemes) {
    return schemes.stream().map(Variant::of).toList();
  }

  /** Returns whether all others are compared with this one. */
  public boolean isBaseline() {
    return scheme.equals(Schemes.BASELINE);
  }
}
