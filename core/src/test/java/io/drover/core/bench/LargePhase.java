// SPDX-License-Identifier: Apache-2.0
package io.drover.core.bench;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskKind;
import java.time.Duration;
import java.util.Random;

/**
 * A map phase with a given number of running tasks, a tenth as many finished ones, and different
 * input sizes. One task in fifty runs at an eighth of the usual pace; one in a thousand has
 * stopped.
 */
final class LargePhase {
  static final double PERIOD = 10;

  final PhaseModel phase =
      new PhaseModel(TaskKind.MAP, EstimatorSettings.withPeriod(Duration.ofSeconds((long) PERIOD)));
  final AttemptModel[] attempts;
  final double now = 10 * PERIOD;
  private final double[] fullSeconds;

  /**
   * Creates a phase in which ten periods have passed.
   *
   * @param usualSeconds how long a task of 96 MB takes
   */
  LargePhase(int running, double usualSeconds) {
    Random random = new Random(42);
    for (int i = 0; i < running / 10; i++) {
      AttemptModel attempt = start(random);
      attempt.ended(AttemptState.SUCCEEDED, 60 + 60 * random.nextDouble());
    }
    attempts = new AttemptModel[running];
    fullSeconds = new double[running];
    for (int i = 0; i < running; i++) {
      attempts[i] = start(random);
      double slowness = i % 50 == 0 ? 8 : 0.9 + 0.2 * random.nextDouble();
      fullSeconds[i] =
          usualSeconds * slowness * attempts[i].task().inputBytes().getAsLong() / (96 << 20);
    }
    for (double t = PERIOD; t <= now; t += PERIOD) {
      for (int i = 0; i < running; i++) {
        report(i, t);
      }
    }
  }

  private AttemptModel start(Random random) {
    int index = phase.tasks().size();
    AttemptModel attempt = phase.addTask((64 << 20) + random.nextInt(64 << 20)).addAttempt(0, 0);
    attempt.launched(random.nextDouble(), "machine-" + index % 1000);
    attempt.report(1, SubPhase.MAP, 0, 1);
    return attempt;
  }

  /** Lets attempt {@code i} report at {@code time}. */
  void report(int i, double time) {
    boolean stopped = i % 1000 == 500 && time > 2 * PERIOD;
    double done = Math.min(1, (stopped ? 2 * PERIOD : time) / fullSeconds[i]);
    AttemptModel attempt = attempts[i];
    long bytes = (long) (done * attempt.task().inputBytes().getAsLong());
    attempt.report(time, SubPhase.MAP, done, bytes);
  }
}
