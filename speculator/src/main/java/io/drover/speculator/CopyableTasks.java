// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.config.OutputSettings;
import io.drover.core.model.TaskKind;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides which of a job's tasks may have several attempts at once. */
public final class CopyableTasks {
  private static final Logger LOG = LoggerFactory.getLogger(CopyableTasks.class);

  private CopyableTasks() {}

  /**
   * Returns the kinds of task for which the job allows speculation, except those that write an
   * output that must not see two attempts. Of the keys that allow speculation, Hadoop's current
   * ones count, and the deprecated ones that Hadoop maps to them, no matter how they were set.
   *
   * @param hasReduces whether the job's reduces write its output; if not, its maps do
   * @param outputs the settings that say which outputs must not see two attempts
   * @param classes the job's class loader
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
   * Returns the kinds of task that may start with clones: those of {@link #kinds}, but none if the
   * job forbids all copies. If it allows some copies, clones have limits of their own.
   */
  public static Set<TaskKind> clonable(
      Configuration conf, boolean hasReduces, OutputSettings outputs, ClassLoader classes) {
    return areCopiesForbidden(conf) ? Set.of() : kinds(conf, hasReduces, outputs, classes);
  }

  /**
   * Returns whether more maps may run than the result needs: what a map writes counts only if it is
   * committed, and the committer waits for the AppMaster's word. With reduces, maps only write for
   * the reduces, unless the output says otherwise.
   *
   * @param committer the job's
   */
  public static boolean areSpareMapsSafe(
      Configuration conf, OutputCommitter committer, OutputSettings outputs, ClassLoader classes) {
    Optional<OutputSafety.Objection> objection = objection(conf, outputs, classes);
    boolean isGuarded =
        conf.get(FileOutputFormat.OUTDIR) != null
            && (committer instanceof PathOutputCommitter
                || committer instanceof org.apache.hadoop.mapred.FileOutputCommitter);
    return conf.getInt(MRJobConfig.NUM_REDUCES, 1) > 0
        ? objection.filter(OutputSafety.Objection::alsoBesides).isEmpty()
        : objection.isEmpty() && isGuarded;
  }

  /**
   * Returns whether the job forbids two attempts of a task at once: {@code minimum-allowed-tasks}
   * and both caps of {@code mapreduce.job.speculative} are 0.
   */
  public static boolean areCopiesForbidden(Configuration conf) {
    return SpeculationCap.of(conf).isZero();
  }

  /**
   * Returns why tasks that write the job's output must be left alone. Besides unsafe outputs, the
   * reason may be that the job fails as soon as an attempt exceeds a quota. Hadoop then fails the
   * whole task with its healthy attempts, and a second attempt's output may exceed the quota.
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

  /** Returns a task type whose speculator events Hadoop's AppMaster passes on, preferably maps. */
  static TaskType heardOf(Configuration conf) {
    return conf.getBoolean(MRJobConfig.MAP_SPECULATIVE, false) ? TaskType.MAP : TaskType.REDUCE;
  }
}
