// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.clone.CloneCount;
import io.drover.core.clone.CloneSettings;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.PhaseRun;

/** How many copies a small job starts with, by core, and by what jobs before it have taught. */
final class Cloning {
  private final CloneSettings settings;
  private final CloneCount count;
  private final OutlierLearning learning = new OutlierLearning();

  Cloning(CloneSettings settings) {
    this.settings = settings;
    this.count = new CloneCount(settings.eps(), settings.maxCopies());
  }

  boolean isSmall(PhaseRun phase) {
    return phase.job().spec().tasks() <= settings.maxTasks();
  }

  int copies(PhaseRun phase) {
    double p = learning.probability().orElse(settings.outlierProbability());
    return isSmall(phase) ? count.ofEachTask(phase.job().spec().tasks(), p) : 1;
  }

  void ended(AttemptRun attempt) {
    learning.ended(attempt);
  }

  void ended(JobRun job) {
    learning.ended(job);
  }
}
