// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.protect.ProtectSettings;
import io.drover.simulator.scheme.Schemes.IdealRecompute;

/**
 * Only Mantri's protection of outputs, implemented by core, so that its gain can be compared with
 * that of {@link IdealRecompute} (Mantri section 6.5).
 */
public final class ProtectOnly extends CoreScheme {
  /** Creates the scheme with the given constants of protection. */
  public ProtectOnly(ProtectSettings settings) {
    super("protect-only");
    protectsBy(new CoreProtection(settings));
    keepsCopiesApart(); // a lost output is made again on another machine
  }
}
