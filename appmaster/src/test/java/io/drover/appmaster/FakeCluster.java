// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import io.drover.core.model.TaskKind;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Where containers come from if not from MRApp, and what Drover does with them. */
record FakeCluster(
    FakeScheduler scheduler,
    Duration patience,
    CloneSettings clones,
    Mode placement,
    ClusterChannel cluster,
    Set<TaskKind> kinds) {
  /** Longer than any test takes: nobody takes a node that it avoids because a machine is busy. */
  static final Duration PATIENT = Duration.ofMinutes(10);

  FakeCluster(
      FakeScheduler scheduler,
      Duration patience,
      CloneSettings clones,
      Mode placement,
      ClusterChannel cluster) {
    this(scheduler, patience, clones, placement, cluster, EnumSet.allOf(TaskKind.class));
  }

  /** One that tells nothing of itself. */
  FakeCluster(FakeScheduler scheduler, Duration patience, CloneSettings clones, Mode placement) {
    this(scheduler, patience, clones, placement, new ClusterChannel());
  }

  static FakeScheduler scheduler(long seed) {
    return new FakeScheduler(
        ApplicationAttemptId.newInstance(ApplicationId.newInstance(0, 0), 1), seed);
  }
}
