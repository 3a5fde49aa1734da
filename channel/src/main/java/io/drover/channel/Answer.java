// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The answer to one call.
 *
 * @param verdict what became of the report
 * @param why in words; empty where the report was taken
 * @param pause until the next call, at most 1 hour
 * @param wantsJob whether the next report is to say of what job it is
 * @param state of the cluster, where the report is taken or was
 */
record Answer(
    Verdict verdict, String why, Duration pause, boolean wantsJob, Optional<ClusterState> state) {
  private static final Duration LONGEST = Duration.ofHours(1);

  Answer {
    Objects.requireNonNull(verdict);
    Door.text("why", why);
    Door.within("pause", pause, LONGEST);
    Objects.requireNonNull(state);
  }

  static Answer without(Verdict verdict, String why, Duration pause) {
    return new Answer(verdict, why, pause, false, Optional.empty());
  }
}
