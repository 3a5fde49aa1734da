// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.simulator.scheme.Schemes;
import java.util.List;

/**
 * What is to be swept.
 *
 * @param common the jobs, the cluster and what else is the same for all values; its schemes are the
 *     baseline and the one that is swept
 * @param swept the settings, in the order in which they are told of
 */
record SweepOptions(SimulateOptions common, List<Swept> swept) {
  /** Copies the list. */
  SweepOptions {
    swept = List.copyOf(swept);
  }

  /** The scheme that is swept. */
  String scheme() {
    return common.schemes().stream()
        .filter(name -> !name.equals(Schemes.BASELINE))
        .findFirst()
        .orElseThrow();
  }
}
