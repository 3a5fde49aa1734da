// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** Finds the settings that keep attempts from the nodes where they should run, or let them wait. */
final class PlaceChecks {
  /** How long an AppMaster waits for a clone's container: {@code CloneRecords.PATIENCE}. */
  private static final long CLONE_PATIENCE_MILLIS = 5_000;

  private final CheckedJob job;

  PlaceChecks(CheckedJob job) {
    this.job = job;
  }

  Checks all() {
    return new Checks()
        .add("job.opportunistic", this::opportunistic)
        .add("job.labels", this::labels)
        .add("job.heartbeat", this::heartbeat)
        .add("job.slow-start", this::slowStart);
  }

  private void opportunistic(Consumer<Finding> found) {
    String key = MRJobConfig.MR_NUM_OPPORTUNISTIC_MAPS_PERCENT;
    if (job.conf().getInt(key, 0) > 0 && job.mode(JobSettings::antiAffinityMode) == Mode.ON) {
      found.accept(
          Finding.warn(
              "job.opportunistic",
              job.is(key)
                  + ": Hadoop runs these maps where the queue is short, despite "
                  + JobSettings.ANTI_AFFINITY_MODE.key(),
              "0 keeps all copies apart",
              key));
    }
  }

  private void labels(Consumer<Finding> found) {
    if (job.has(JobSettings::placementMode) && !areRacksKnown(job.conf())) {
      found.accept(
          Finding.warn(
              "job.labels",
              MRJobConfig.REDUCE_NODE_LABEL_EXP
                  + " is "
                  + job.conf().get(MRJobConfig.REDUCE_NODE_LABEL_EXP, "")
                  + " and "
                  + MRJobConfig.MAP_NODE_LABEL_EXP
                  + " is "
                  + job.conf().get(MRJobConfig.MAP_NODE_LABEL_EXP, "")
                  + ": reduces run on other nodes than maps, so no racks are chosen for them",
              "Give both the same label if their nodes need not differ",
              MRJobConfig.REDUCE_NODE_LABEL_EXP,
              MRJobConfig.MAP_NODE_LABEL_EXP));
    }
  }

  private void heartbeat(Consumer<Finding> found) {
    String key = MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS;
    long interval = job.conf().getLong(key, MRJobConfig.DEFAULT_MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS);
    if (interval >= CLONE_PATIENCE_MILLIS && job.has(JobSettings::cloneMode)) {
      found.accept(
          Finding.warn(
              "job.heartbeat",
              job.is(key)
                  + ": clones are asked for and given in that heartbeat, and withdrawn after "
                  + CLONE_PATIENCE_MILLIS
                  + " ms without a container",
              "Set it to 1000, Hadoop's default",
              key));
    }
  }

  private void slowStart(Consumer<Finding> found) {
    String key = MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART;
    if (job.conf().getFloat(key, 0) > 1) {
      found.accept(
          Finding.wrong(
              "job.slow-start",
              job.is(key)
                  + ": it is a share, and no reduce starts before more maps are done than"
                  + " the job has",
              "Set it to 0 to 1; Hadoop's default is 0.05",
              key));
    }
  }

  /**
   * Returns whether reduces may run in the racks where maps run. Only those racks are known, so no
   * rack can be chosen for reduces that are bound to nodes with another label.
   */
  static boolean areRacksKnown(Configuration conf) {
    return label(conf, MRJobConfig.REDUCE_NODE_LABEL_EXP)
        .equals(label(conf, MRJobConfig.MAP_NODE_LABEL_EXP));
  }

  /** Returns the label of a kind of task, or else the one of the whole job. */
  private static String label(Configuration conf, String key) {
    String own = conf.get(key, "").trim();
    return own.isEmpty() ? conf.get(MRJobConfig.JOB_NODE_LABEL_EXP, "").trim() : own;
  }
}
