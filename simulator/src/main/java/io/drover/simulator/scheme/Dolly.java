// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.clone.CloneCount;
import io.drover.core.clone.CloneSettings;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.PhaseRun;

/**
 * Dolly, task-level, by core: small jobs start with clones, as many as p asks for (section 3.1),
 * under the ceiling; the others are left to LATE, Dolly's own baseline (section 2).
 */
public final class Dolly implements Scheme {
  private final Scheme others = new Late(false);
  private final Cloning cloning;

  /** With a job's settings. */
  public Dolly(CloneSettings settings) {
    cloning = new Cloning(settings);
  }

  /** How many copies a small job starts with. */
  static final class Cloning {
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

  @Override
  public String name() {
    return "dolly";
  }

  @Override
  public int copiesFromTheStart(PhaseRun phase) {
    return cloning.copies(phase);
  }

  @Override
  public double firstScan(PhaseRun phase) {
    return cloning.isSmall(phase) ? Double.POSITIVE_INFINITY : others.firstScan(phase);
  }

  @Override
  public double scan(PhaseRun phase, Actions actions) {
    return others.scan(phase, actions);
  }

  @Override
  public void ended(AttemptRun attempt) {
    cloning.ended(attempt);
    others.ended(attempt);
  }

  @Override
  public void ended(JobRun job) {
    cloning.ended(job);
  }
}
