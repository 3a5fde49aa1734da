// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.machine.Claim;
import io.drover.core.machine.ClaimLedger;
import io.drover.core.machine.MachineSettings;
import io.drover.core.machine.MachineStatistics;
import io.drover.core.machine.OutlierDetector;
import io.drover.core.machine.OutlierRule;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.PhaseRun;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Reports the attempts of each job that ends, and learns from them. It uses core's detector and
 * statistics as the AppMasters and the ResourceManager do. The attempts of a phase are judged
 * together, even if they belong to different copies of the whole job.
 */
final class OutlierLearning {
  private final MachineStatistics statistics = new MachineStatistics(MachineSettings.DEFAULT, 0);
  private final Map<Long, OutlierDetector<Integer>> judges = new HashMap<>();
  private final Map<Integer, ClaimLedger> seen = new HashMap<>();
  private final Map<AttemptRun, Double> endedAsSlower = new HashMap<>();

  /**
   * Records that an attempt is about to be ended because another one should finish sooner.
   *
   * @param seconds the time for which it would still run
   */
  void endedAsSlower(AttemptRun attempt, double seconds) {
    endedAsSlower.put(attempt, seconds);
  }

  /** Records that an attempt that held a slot has ended. */
  void ended(AttemptRun attempt) {
    PhaseRun phase = attempt.phase();
    double bytes = Math.max(1, attempt.task().bytes());
    double perByte = attempt.slotSeconds() / bytes;
    Double remaining = endedAsSlower.remove(attempt);
    OutlierDetector<Integer> judge =
        judges.computeIfAbsent(phase.key(), p -> new OutlierDetector<>(OutlierRule.DOLLY));
    if (attempt.hasSucceeded()) {
      judge.finished(attempt.machine(), perByte);
    } else if (remaining != null) {
      judge.endedAsSlower(attempt.machine(), perByte + remaining / bytes);
    } else {
      judge.gaveUp(attempt.machine(), perByte, attempt.doneAtEnd());
    }
    seen.computeIfAbsent(phase.job().number(), j -> new ClaimLedger())
        .containerEnded(name(attempt.machine()));
  }

  /** Judges the attempts of a job that has ended, and reports them to the cluster. */
  void ended(JobRun job) {
    Map<String, Claim> said = new HashMap<>();
    for (PhaseRun phase : job.ended()) {
      OutlierDetector<Integer> judge = judges.remove(phase.key());
      judge
          .judge()
          .forEach(
              verdict ->
                  said.merge(
                      name(verdict.attempt()),
                      Claim.ofAttempts(1, verdict.outlier() ? 1 : 0),
                      Claim::plus));
    }
    statistics.advance(job.lastEnd());
    statistics.observe(seen.remove(job.number()), said);
  }

  /** Returns p; empty until enough is known. */
  OptionalDouble probability() {
    return statistics.probability();
  }

  private static String name(int machine) {
    return "machine-" + machine;
  }
}
