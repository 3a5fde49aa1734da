// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.protect.ProtectSettings;
import io.drover.simulator.scheme.Schemes.IdealRecompute;

/**
 * Mantri's protection of outputs by core and nothing else, so that what it gains can be set beside
 * {@link IdealRecompute} (Mantri section 6.5).
 */
public final class ProtectOnly extends CoreScheme {
  /** With the constants of protection. */
  public ProtectOnly(ProtectSettings settings) {
    super("protect-only");
    protectsBy(new CoreProtection(settings));
    keepsCopiesApart(); // an output that is lost is made again elsewhere
  }
}
