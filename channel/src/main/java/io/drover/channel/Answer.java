// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.ReportHandler.ReportStatus;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The answer to one call.
 *
 * @param status what became of the report
 * @param why in words; empty where the report was taken
 * @param pause until the next call, at most 1 hour
 * @param wantsJob whether the next report is to say of what job it is
 * @param state of the cluster, where the report is taken or was
 */
record Answer(
    ReportStatus status,
    String why,
    Duration pause,
    boolean wantsJob,
    Optional<ClusterState> state) {
  private static final Duration LONGEST = Duration.ofHours(1);

  Answer {
    Objects.requireNonNull(status);
    Validation.text("why", why);
    Validation.within("pause", pause, LONGEST);
    Objects.requireNonNull(state);
  }

  static Answer without(ReportStatus status, String why, Duration pause) {
    return new Answer(status, why, pause, false, Optional.empty());
  }
}
