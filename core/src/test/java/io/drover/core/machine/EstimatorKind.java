// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

/** The compared ways to estimate p_m. docs/results.md says how good each one is. */
enum EstimatorKind {
  /** Assumes that all machines are alike: p_m is p. */
  CLUSTER {
    @Override
    OutlierEstimator unknown(MachineSettings settings) {
      return new ClusterWideEstimator();
    }
  },
  /** Takes the mean of the last window and the previous estimate: Dolly section 3.1. */
  DOLLY {
    @Override
    OutlierEstimator unknown(MachineSettings settings) {
      return new DollyEstimator();
    }
  },
  /** Takes the machine's own share of outliers, drawn towards p. */
  BETA {
    @Override
    OutlierEstimator unknown(MachineSettings settings) {
      return new BetaEstimator(
          settings.priorOutliers(), settings.keptEachWindow(settings.memory()));
    }
  },
  /** Models a machine as slow, or as like the others up to a factor, relative to its jobs. */
  MIXTURE {
    @Override
    OutlierEstimator unknown(MachineSettings settings) {
      return MixtureEstimator.of(settings);
    }
  };

  /** Creates empty statistics that use these estimates. */
  MachineStatistics statistics(MachineSettings settings) {
    return new MachineStatistics(settings, 0, () -> unknown(settings));
  }

  /** Creates the estimator of a machine of which nothing is known. */
  abstract OutlierEstimator unknown(MachineSettings settings);
}
