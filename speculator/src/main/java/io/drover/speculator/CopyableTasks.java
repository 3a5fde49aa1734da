// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.config.OutputSettings;
import io.drover.core.model.TaskKind;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides which of a job's tasks may have several attempts at once. */
public final class CopyableTasks {
  private static final Logger LOG = LoggerFactory.getLogger(CopyableTasks.class);

  private CopyableTasks() {}

  /**
   * The kinds of task for which the job allows speculation, less those that write an output that
   * must not see two attempts. Of the keys that allow speculation only Hadoop's present ones and
   * those that it takes for them count, in whatever way they were set.
   *
   * @param hasReduces whether the job's reduces write its output, or its maps
   * @param outputs which of them must not see two attempts
   * @param classes loads the job's classes
   */
  public static Set<TaskKind> kinds(
      Configuration conf, boolean hasReduces, OutputSettings outputs, ClassLoader classes) {
    Set<TaskKind> kinds = EnumSet.noneOf(TaskKind.class);
    if (conf.getBoolean(MRJobConfig.MAP_SPECULATIVE, false)) {
      kinds.add(TaskKind.MAP);
    }
    if (conf.getBoolean(MRJobConfig.REDUCE_SPECULATIVE, false)) {
      kinds.add(TaskKind.REDUCE);
    }
    if (!kinds.isEmpty()) {
      objection(conf, outputs, classes)
          .ifPresent(
              objection -> {
                Set<TaskKind> writers =
                    objection.alsoBesides()
                        ? EnumSet.allOf(TaskKind.class)
                        : EnumSet.of(hasReduces ? TaskKind.REDUCE : TaskKind.MAP);
                kinds.removeAll(writers);
                LOG.info("Drover leaves the job's {} tasks alone: {}", writers, objection.why());
              });
    }
    return kinds;
  }

  /**
   * The kinds of task that may start with clones: as {@link #kinds}, but none where the job lets no
   * task have a copy. Where it lets some, clones have limits of their own.
   */
  public static Set<TaskKind> clonable(
      Configuration conf, boolean hasReduces, OutputSettings outputs, ClassLoader classes) {
    return areCopiesForbidden(conf) ? Set.of() : kinds(conf, hasReduces, outputs, classes);
  }

  /**
   * Whether the job lets no task have two attempts at once: {@code minimum-allowed-tasks} and both
   * caps of {@code mapreduce.job.speculative} are 0.
   */
  public static boolean areCopiesForbidden(Configuration conf) {
    return SpeculationCap.of(conf).isZero();
  }

  /**
   * Why tasks that write the job's output are to be left alone. Beside unsafe outputs it is a job
   * that is to fail as soon as an attempt goes over a quota: Hadoop then fails the whole task, its
   * healthy attempts too, and the output of a second attempt may be what the quota has no room for.
   */
  private static Optional<OutputSafety.Objection> objection(
      Configuration conf, OutputSettings outputs, ClassLoader classes) {
    String failsAtOnce = MRJobConfig.JOB_DFS_STORAGE_CAPACITY_KILL_LIMIT_EXCEED;
    boolean fails =
        conf.getBoolean(
            failsAtOnce, MRJobConfig.DEFAULT_JOB_DFS_STORAGE_CAPACITY_KILL_LIMIT_EXCEED);
    return fails
        ? Optional.of(new OutputSafety.Objection(failsAtOnce + " is true", false))
        : new OutputSafety(outputs).objection(conf, classes);
  }

  /** The type of task whose speculator events Hadoop's AppMaster passes on; maps if both. */
  static TaskType heardOf(Configuration conf) {
    return conf.getBoolean(MRJobConfig.MAP_SPECULATIVE, false) ? TaskType.MAP : TaskType.REDUCE;
  }
}
