// SPDX-License-Identifier: Apache-2.0
package io.drover.core;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import java.time.Duration;

/** Creates phases for tests. Delta is one second; attempts start and report immediately. */
public final class Herd {
  /** Delta = 1 s, and the defaults for everything else. */
  public static final EstimatorSettings EVERY_SECOND =
      EstimatorSettings.withPeriod(Duration.ofSeconds(1));

  private Herd() {}

  public static PhaseModel maps() {
    return new PhaseModel(TaskKind.MAP, EVERY_SECOND);
  }

  public static PhaseModel reduces() {
    return new PhaseModel(TaskKind.REDUCE, EVERY_SECOND);
  }

  /** Starts an attempt of the task, asked for and launched at {@code at} on its own machine. */
  public static AttemptModel start(TaskModel task, double at) {
    int number = task.attempts().size();
    AttemptModel attempt = task.addAttempt(number, at);
    attempt.launched(at, "machine-" + task.index() + "-" + number);
    return attempt;
  }

  /**
   * Reports each second from {@code from} to {@code to} for a main sub-phase that takes {@code
   * full} seconds and began at {@code from} with no progress.
   */
  public static void work(AttemptModel attempt, double from, double to, double full) {
    SubPhase main = attempt.task().phase().kind().main();
    for (double t = from; t <= to; t++) {
      attempt.report(t, main, (t - from) / full);
    }
  }

  /** Adds {@code count} maps that began at 0 and each took {@code full} seconds. */
  public static void done(PhaseModel phase, int count, long size, double full) {
    for (int i = 0; i < count; i++) {
      AttemptModel attempt = start(phase.addTask(size), 0);
      work(attempt, 0, full - 1, full);
      attempt.ended(AttemptState.SUCCEEDED, full);
    }
  }

  /** Adds a map that began at 0, would take {@code full} seconds, and has reported until now. */
  public static AttemptModel running(PhaseModel phase, long size, double full, double now) {
    AttemptModel attempt = start(phase.addTask(size), 0);
    work(attempt, 0, now, full);
    return attempt;
  }
}
