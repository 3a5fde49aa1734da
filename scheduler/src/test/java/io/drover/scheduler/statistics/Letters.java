// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.channel.AttemptOutcome;
import io.drover.channel.RackBandwidth;
import io.drover.channel.Report;
import io.drover.channel.Report.LostOutputs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Reports, and who sends them. */
final class Letters {
  private Letters() {}

  static ApplicationAttemptId attempt(int number) {
    return ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, number), 1);
  }

  static AttemptOutcome outcome(String machine, boolean outlier, boolean keptOutput) {
    return new AttemptOutcome(
        1, machine, outlier, OptionalDouble.empty(), Duration.ofSeconds(30), keptOutput);
  }

  static Report of(List<AttemptOutcome> outcomes) {
    return of(outcomes, List.of(), List.of());
  }

  static Report of(
      List<AttemptOutcome> outcomes, List<LostOutputs> lost, List<RackBandwidth> links) {
    return new Report(1, Optional.empty(), outcomes, lost, links, List.of(), 0);
  }

  /** As large as a report may be. */
  static Report large() {
    return of(
        IntStream.range(0, Report.MAX_OUTCOMES)
            .mapToObj(i -> outcome(("m" + i + "x".repeat(255)).substring(0, 255), true, true))
            .toList());
  }

  static RackBandwidth link(String rack, double up) {
    return new RackBandwidth(rack, OptionalDouble.of(up), OptionalDouble.empty());
  }
}
