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
 * <p>Source: Dolly section 3.1, footnote 4, by {@link OutlierRule}. An attempt's work is measured
 * in bytes of its input, with one departure: a task with less than the median input counts as one
 * with the median. The time that an attempt takes to start does not depend on its input. So by
 * bytes alone, the short last split of every file would be an outlier even on the best machine.
 *
 * <p>Not safe for several threads.
 */
final class AttemptOutcomes {
  /**
   * An attempt that has ended.
   *
   * @param container the container's number within the application attempt
   * @param seconds the seconds that it worked: from its launch, or for a reduce from the end of the
   *     last map if that was later
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

    /** Returns the work of a task, above 0. */
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
   * Sets what the tasks of a phase read. Until then, all tasks count alike.
   *
   * @param bytes by task number, at least 0
   */
  void inputs(TaskKind kind, double[] bytes) {
    Phase phase = phases.get(kind);
    double[] sorted = bytes.clone();
    Arrays.sort(sorted);
    phase.inputs = bytes.clone();
    phase.median = sorted.length == 0 ? 1 : Math.max(1, sorted[sorted.length / 2]);
  }

  /** Records that an attempt of a task has succeeded. */
  void succeeded(TaskKind kind, int task, Ended ended) {
    Phase phase = phases.get(kind);
    phase.judge.finished(ended, ended.seconds() / phase.work(task));
  }

  /**
   * Records that an attempt was killed because another one was expected to finish sooner.
   *
   * @param remaining how long it would have gone on, in seconds; infinite if it stood still
   */
  void endedAsSlower(TaskKind kind, int task, Ended ended, double remaining) {
    Phase phase = phases.get(kind);
    phase.judge.endedAsSlower(ended, (ended.seconds() + remaining) / phase.work(task));
  }

  /**
   * Records that an attempt was killed or has failed.
   *
   * @param progress the share of its work that it had done, in [0,1]
   * @param asOutlier whether it was ended because it was judged to be an outlier
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

  /** Returns the new outcomes. A phase has none while too few of its attempts have ended. */
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
