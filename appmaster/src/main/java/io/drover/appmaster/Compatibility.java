// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import io.drover.core.config.RestartKeys;
import io.drover.speculator.CopyableTasks;
import io.drover.speculator.DroverSpeculator;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** Finds the Hadoop settings of a job that switch off parts of Drover. */
final class Compatibility {
  private Compatibility() {}

  /**
   * Returns the notes for the user at the job's start. Each names a key, its value and its effect.
   *
   * @return empty if no setting is in the way
   */
  static List<String> notes(Configuration conf, JobSettings settings) {
    List<String> notes = new ArrayList<>();
    for (String key : List.of(MRJobConfig.MAP_SPECULATIVE, MRJobConfig.REDUCE_SPECULATIVE)) {
      if (!conf.getBoolean(key, false)) {
        String kind = key.equals(MRJobConfig.MAP_SPECULATIVE) ? "maps" : "reduces";
        notes.add(key + " is false: no clones, copies or restarts of " + kind);
      }
    }
    if (CopyableTasks.areCopiesForbidden(conf)) {
      notes.add(
          String.join(
                  ", ",
                  MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS,
                  MRJobConfig.SPECULATIVECAP_TOTAL_TASKS,
                  MRJobConfig.SPECULATIVECAP_RUNNING_TASKS)
              + " are 0: no clones and no copies, only restarts");
    }
    String speculator = conf.get(MRJobConfig.MR_AM_JOB_SPECULATOR);
    if (speculator != null && !speculator.equals(DroverSpeculator.class.getName())) {
      notes.add(
          MRJobConfig.MR_AM_JOB_SPECULATOR
              + " is "
              + speculator
              + ": that class decides about copies, and there is no decision log; leave the key"
              + " unset to let Drover decide");
    }
    int opportunistic = conf.getInt(MRJobConfig.MR_NUM_OPPORTUNISTIC_MAPS_PERCENT, 0);
    if (opportunistic > 0 && settings.antiAffinityMode() == Mode.ON) {
      notes.add(
          MRJobConfig.MR_NUM_OPPORTUNISTIC_MAPS_PERCENT
              + " is "
              + opportunistic
              + ": Hadoop runs these maps where the queue is short, despite "
              + JobSettings.ANTI_AFFINITY_MODE.key()
              + "; 0 keeps all copies apart");
    }
    if (settings.placementMode() != Mode.OFF && !areRacksKnown(conf)) {
      notes.add(
          MRJobConfig.REDUCE_NODE_LABEL_EXP
              + " is "
              + conf.get(MRJobConfig.REDUCE_NODE_LABEL_EXP, "")
              + " and "
              + MRJobConfig.MAP_NODE_LABEL_EXP
              + " is "
              + conf.get(MRJobConfig.MAP_NODE_LABEL_EXP, "")
              + ": reduces run on other nodes than maps, so no racks are chosen for them");
    }
    if (settings.restartMode() == Mode.ON
        && !conf.getBoolean(MRJobConfig.MR_AM_JOB_NODE_BLACKLISTING_ENABLE, true)) {
      notes.add(
          MRJobConfig.MR_AM_JOB_NODE_BLACKLISTING_ENABLE
              + " is false: the job does not avoid slow machines, but Drover still moves tasks"
              + " away from them");
    }
    if (settings.cloneMode() != Mode.OFF && settings.restartMode() == Mode.OFF) {
      notes.add(
          RestartKeys.MODE.key()
              + " is off: decisions about clones go to the AppMaster's log only; with observe there"
              + " is a decision log");
    }
    return notes;
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
