// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.config.JobSettings;
import io.drover.core.model.TaskKind;
import io.drover.speculator.CopyableTasks;
import io.drover.speculator.SecondAttempts;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells which tasks of a job Drover may run a second time though they have run well: those that may
 * have copies ({@link CopyableTasks#kinds}), until {@link SecondAttempts} end for the job, and not
 * before it is known whether they have ended in an earlier AppMaster. It makes no difference to
 * what a task does outside its output whether its attempts run at once or one after the other.
 *
 * <p>Any thread may call this.
 */
final class RepeatableTasks implements Predicate<TaskKind> {
  private static final Logger LOG = LoggerFactory.getLogger(RepeatableTasks.class);

  private final Set<TaskKind> kinds;
  private final SecondAttempts second;

  /**
   * Creates the rule for one job.
   *
   * @param settings the job's; null if they are bad, and then no task may run a second time
   * @param classes the job's class loader
   */
  RepeatableTasks(
      Configuration conf, JobSettings settings, ClassLoader classes, SecondAttempts second) {
    this.kinds = settings == null ? Set.of() : kinds(conf, settings, classes);
    this.second = second;
  }

  private static Set<TaskKind> kinds(
      Configuration conf, JobSettings settings, ClassLoader classes) {
    boolean hasReduces = conf.getInt(MRJobConfig.NUM_REDUCES, 0) > 0;
    try {
      return CopyableTasks.kinds(conf, hasReduces, settings.outputs(), classes);
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Drover runs no task again: it could not find out where the job's tasks write", e);
      return Set.of();
    }
  }

  @Override
  public boolean test(TaskKind kind) {
    return kinds.contains(kind) && !second.isAwaited() && second.objection().isEmpty();
  }
}
