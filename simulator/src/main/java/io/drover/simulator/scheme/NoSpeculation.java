// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.simulator.engine.Scheme;

/** Nothing is done about outliers: what all others are measured against. */
public final class NoSpeculation implements Scheme {
  @Override
  public String name() {
    return "none";
  }
}
