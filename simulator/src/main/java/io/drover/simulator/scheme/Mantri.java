// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.JobSettings;
import io.drover.core.protect.ProtectSettings;

/**
 * Mantri, by core: restart and duplicate where it pays, prune, largest first, reduces placed, and
 * outputs replicated and made again before they are missed (sections 5.1 to 5.4).
 */
public final class Mantri extends CoreScheme {
  /** With a job's settings. */
  public Mantri(JobSettings settings) {
    super("mantri");
    restartsBy(new CoreRestart(settings.restart()));
    placesBy(new CorePlacement(settings.placement()));
    protectsBy(new CoreProtection(ProtectSettings.DEFAULT));
    ordersLargestFirst();
    keepsCopiesApart();
  }
}
