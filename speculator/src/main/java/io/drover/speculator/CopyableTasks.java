// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.model.TaskKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which of a job's tasks may have several attempts at once. */
public final class CopyableTasks {
  private static final Logger LOG = LoggerFactory.getLogger(CopyableTasks.class);

  private CopyableTasks() {}

  /**
   * The kinds of task for which the job allows speculation and more than one failure ({@link
   * AttemptBudget}), less the one whose tasks write an output that must not see two attempts.
   *
   * @param hasReduces whether the job's reduces write its output, or its maps
   * @param excludedOutputs patterns of class names of outputs that must not see two attempts
   */
  public static Set<TaskKind> kinds(
      Configuration conf, boolean hasReduces, List<String> excludedOutputs) {
    Set<TaskKind> kinds = EnumSet.noneOf(TaskKind.class);
    if (conf.getBoolean(MRJobConfig.MAP_SPECULATIVE, false)) {
      kinds.add(TaskKind.MAP);
    }
    if (conf.getBoolean(MRJobConfig.REDUCE_SPECULATIVE, false)) {
      kinds.add(TaskKind.REDUCE);
    }
    AttemptBudget budget = AttemptBudget.of(conf);
    kinds.removeIf(kind -> !budget.allowsSecond(kind));
    objection(conf, excludedOutputs)
        .ifPresent(
            why -> {
              TaskKind writer = hasReduces ? TaskKind.REDUCE : TaskKind.MAP;
              kinds.remove(writer);
              LOG.info("Drover leaves the job's {} tasks alone: {}", writer, why);
            });
    return kinds;
  }

  /**
   * Why tasks that write the job's output are to be left alone. Beside unsafe outputs it is a job
   * that is to fail as soon as an attempt goes over a quota: Hadoop then fails the whole task, its
   * healthy attempts too, and the output of a second attempt may be what the quota has no room for.
   */
  private static Optional<String> objection(Configuration conf, List<String> excludedOutputs) {
    String failsAtOnce = MRJobConfig.JOB_DFS_STORAGE_CAPACITY_KILL_LIMIT_EXCEED;
    return conf.getBoolean(
            failsAtOnce, MRJobConfig.DEFAULT_JOB_DFS_STORAGE_CAPACITY_KILL_LIMIT_EXCEED)
        ? Optional.of(failsAtOnce + " is true")
        : new OutputSafety(excludedOutputs).objection(conf);
  }
}
