// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

/** The ways to estimate p_m that are compared. How good each is: docs/results.md. */
enum EstimatorKind {
  /** All machines are alike: p_m is p. */
  CLUSTER {
    @Override
    OutlierEstimator unknown(MachineSettings settings) {
      return new ClusterWideEstimator();
    }
  },
  /** The mean of the last window and of what was there before: Dolly section 3.1. */
  DOLLY {
    @Override
    OutlierEstimator unknown(MachineSettings settings) {
      return new DollyEstimator();
    }
  },
  /** The machine's own share of outliers, drawn towards p. */
  BETA {
    @Override
    OutlierEstimator unknown(MachineSettings settings) {
      return new BetaEstimator(
          settings.priorOutliers(), settings.keptEachWindow(settings.memory()));
    }
  },
  /** The machine is slow, or like the others but for a factor; measured against its jobs. */
  MIXTURE {
    @Override
    OutlierEstimator unknown(MachineSettings settings) {
      return MixtureEstimator.of(settings);
    }
  };

  /** Statistics of nothing yet, by these estimates. */
  MachineStatistics statistics(MachineSettings settings) {
    return new MachineStatistics(settings, 0, () -> unknown(settings));
  }

  /** What is believed of a machine of which nothing is known. */
  abstract OutlierEstimator unknown(MachineSettings settings);
}
