// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.ReportHandler.ReportStatus;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The answer to one call.
 *
 * @param status what happened to the report
 * @param why the reason in words; empty if the report was taken, now or earlier
 * @param pause the time until the next call, at most 1 hour
 * @param wantsJob whether the next report must describe the job
 * @param state the state of the cluster, if the report was taken, now or earlier
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
