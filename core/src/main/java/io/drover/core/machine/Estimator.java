// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

/** The ways to estimate p_m. How good each is: docs/machine-statistics.md. */
public enum Estimator {
  /** All machines are alike: p_m is p. */
  CLUSTER {
    @Override
    OutlierBelief unknown(MachineSettings settings) {
      return new ClusterBelief();
    }
  },
  /** The mean of the last window and of what was there before: Dolly section 3.1. */
  DOLLY {
    @Override
    OutlierBelief unknown(MachineSettings settings) {
      return new DollyBelief();
    }
  },
  /** The machine's own share of outliers, drawn towards p. */
  BETA {
    @Override
    OutlierBelief unknown(MachineSettings settings) {
      return new BetaBelief(settings.priorOutliers(), settings.keptEachWindow(settings.memory()));
    }
  },
  /** The machine is slow, or like the others but for a factor; measured against its jobs. */
  MIXTURE {
    @Override
    OutlierBelief unknown(MachineSettings settings) {
      return new MixtureBelief(
          settings.slowShare(),
          settings.priorOutliers(),
          settings.keptEachWindow(settings.memory()));
    }
  };

  /** What is believed of a machine of which nothing is known. */
  abstract OutlierBelief unknown(MachineSettings settings);
}
