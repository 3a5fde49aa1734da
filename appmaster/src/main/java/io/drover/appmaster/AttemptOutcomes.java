// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.channel.AttemptOutcome;
import io.drover.core.machine.OutlierDetector;
import io.drover.core.machine.OutlierDetector.Judgement;
import io.drover.core.machine.OutlierRule;
import io.drover.core.model.TaskKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Judges from the ended attempts of a job which machines made outliers.
 *
 * <p>Source: Dolly section 3.1, footnote 4, by {@link OutlierRule}. The unit of an attempt's work
 * is a byte of its input, with one departure: a task of less than the median input counts as one of
 * the median's. What an attempt takes to start does not depend on its input, so by bytes alone the
 * last, short split of every file would be an outlier on the best of machines.
 *
 * <p>Not safe for several threads.
 */
final class AttemptOutcomes {
  /**
   * An attempt that has ended.
   *
   * @param container its number within the application attempt
   * @param seconds that it worked: from its launch, for a reduce from the end of the last map if
   *     that was later
   * @param duration from its launch to its end
   * @param keptOutput whether it was a map that succeeded
   */
  record Ended(
      long container, String host, double seconds, Duration duration, boolean keptOutput) {}

  /** One phase of the job. */
  private static final class Phase {
    private final OutlierDetector<Ended> judge = new OutlierDetector<>(OutlierRule.DOLLY);
    private double[] inputs = new double[0];
    private double median = 1;

    /** The work of a task, above 0. */
    double work(int task) {
      double input = task < inputs.length ? inputs[task] : 0;
      return Math.max(median, input);
    }
  }

  private final Map<TaskKind, Phase> phases = new EnumMap<>(TaskKind.class);

  AttemptOutcomes() {
    for (TaskKind kind : TaskKind.values()) {
      phases.put(kind, new Phase());
    }
  }

  /**
   * What the tasks of a phase read, from now on; before, all count alike.
   *
   * @param bytes by the tasks' numbers, at least 0
   */
  void inputs(TaskKind kind, double[] bytes) {
    Phase phase = phases.get(kind);
    double[] sorted = bytes.clone();
    Arrays.sort(sorted);
    phase.inputs = bytes.clone();
    phase.median = sorted.length == 0 ? 1 : Math.max(1, sorted[sorted.length / 2]);
  }

  /** An attempt of a task has succeeded. */
  void succeeded(TaskKind kind, int task, Ended ended) {
    Phase phase = phases.get(kind);
    phase.judge.finished(ended, ended.seconds() / phase.work(task));
  }

  /**
   * An attempt of a task was killed because another one was expected to be done sooner.
   *
   * @param remaining for how long it would have gone on, seconds; infinite if it stood still
   */
  void endedAsSlower(TaskKind kind, int task, Ended ended, double remaining) {
    Phase phase = phases.get(kind);
    phase.judge.endedAsSlower(ended, (ended.seconds() + remaining) / phase.work(task));
  }

  /**
   * An attempt of a task was killed, or has failed.
   *
   * @param progress the share of its work that it had done, in [0,1]
   * @param asOutlier whether it was given up because it was made out to be an outlier
   */
  void gaveUp(TaskKind kind, int task, Ended ended, double progress, boolean asOutlier) {
    Phase phase = phases.get(kind);
    double spent = ended.seconds() / phase.work(task);
    if (asOutlier) {
      phase.judge.gaveUpAsOutlier(ended, spent, progress);
    } else {
      phase.judge.gaveUp(ended, spent, progress);
    }
  }

  /**
   * What has come out since the last time; nothing while too few attempts of a phase have ended.
   */
  List<AttemptOutcome> judge() {
    List<AttemptOutcome> outcomes = new ArrayList<>();
    for (Phase phase : phases.values()) {
      phase.judge.judge().forEach(judgement -> outcomes.add(outcome(judgement)));
    }
    return outcomes;
  }

  private static AttemptOutcome outcome(Judgement<Ended> judgement) {
    Ended attempt = judgement.attempt();
    OptionalDouble rate = judgement.relativeRate();
    return new AttemptOutcome(
        attempt.container(),
        attempt.host(),
        judgement.outlier(),
        rate.isEmpty()
            ? rate
            : OptionalDouble.of(Math.min(AttemptOutcome.MAX_RATE, rate.getAsDouble())),
        attempt.duration(),
        attempt.keptOutput());
  }
}
