// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.JobSettings;

/**
 * Mantri, implemented by core: it restarts and duplicates where that pays, prunes, starts the
 * largest tasks first, places reduces, replicates outputs, and computes outputs again before they
 * are missed (sections 5.1 to 5.4).
 */
public final class Mantri extends CoreScheme {
  /** Creates the scheme with a job's settings. */
  public Mantri(JobSettings settings) {
    super("mantri");
    restartsBy(new CoreRestart(settings.restart()));
    placesBy(new CorePlacement(settings.placement()));
    protectsBy(new CoreProtection(settings.protect()));
    ordersLargestFirst();
    keepsCopiesApart();
  }
}
