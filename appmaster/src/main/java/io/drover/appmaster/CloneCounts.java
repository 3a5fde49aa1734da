// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.core.clone.CloneCount;
import io.drover.core.clone.CloneSettings;
import io.drover.core.config.OutputSettings;
import io.drover.core.model.TaskKind;
import io.drover.speculator.AttemptBudget;
import io.drover.speculator.CopyableTasks;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes how many attempts of each task of a job start together, including the first one: by
 * Dolly's rule ({@link CloneCount}), limited by the failures that the job allows ({@link
 * AttemptBudget}).
 *
 * @param jobs returns the job, once it is made
 * @param cluster tells how likely outliers are, and if it does not, the setting is used; and how
 *     likely the job is to succeed
 */
record CloneCounts(
    Supplier<Job> jobs, CloneSettings settings, AttemptBudget budget, ClusterChannel cluster) {
  private static final Logger LOG = LoggerFactory.getLogger(CloneCounts.class);

  int tasks() {
    Job job = jobs.get();
    return job.getTotalMaps() + job.getTotalReduces();
  }

  /** Returns whether the job is small enough to be cloned. */
  boolean isSmall() {
    int tasks = tasks();
    return tasks > 0 && tasks <= settings.maxTasks();
  }

  private int tasksOfItsKind(TaskId task) {
    Job job = jobs.get();
    return TaskType.MAP == task.getTaskType() ? job.getTotalMaps() : job.getTotalReduces();
  }

  /** Returns how many attempts of a task should start together, regardless of machines. */
  int of(TaskId task) {
    int wanted = count().ofEachTask(tasks(), tasksOfItsKind(task), outlierProbability());
    return budget.mostAtOnce(TaskKindMapping.of(task), wanted);
  }

  /**
   * Returns how many attempts of a task should start together, given their machines so far. In a
   * job that is expected to fail the machines do not count: that would start clones that end at
   * once, because the job needs fewer.
   *
   * @param hosts returns the host of an attempt's container, if it has one
   */
  int of(Task task, Function<TaskAttemptId, Optional<String>> hosts) {
    if (cluster.successProbability() < 1) {
      return of(task.getID());
    }
    double p = outlierProbability();
    double[] placed =
        task.getAttempts().values().stream()
            .filter(HadoopAttempts::isLiving)
            .flatMap(attempt -> hosts.apply(attempt.getID()).stream())
            .mapToDouble(host -> cluster.outlierProbability(host).orElse(p))
            .toArray();
    int wanted = count().ofTask(tasks(), tasksOfItsKind(task.getID()), p, placed);
    return budget.mostAtOnce(TaskKindMapping.of(task.getID()), wanted);
  }

  /** Returns whether the living attempts of a task, as far as they count, use up its budget. */
  boolean isBudgetSpent(Task task, Predicate<TaskAttempt> counts) {
    long living =
        task.getAttempts().values().stream()
            .filter(attempt -> HadoopAttempts.isLiving(attempt) && counts.test(attempt))
            .count();
    return living >= budget.mostAtOnce(TaskKindMapping.of(task.getID()));
  }

  private CloneCount count() {
    return settings.forSuccess(cluster.successProbability()).count();
  }

  private double outlierProbability() {
    return cluster.outlierProbability().orElse(settings.outlierProbability());
  }

  /** Adds what a task's count rests on to the fields of a decision log line. */
  void explain(TaskId task, Map<String, Object> fields) {
    fields.put("tasks", tasks());
    fields.put("outlierProbability", outlierProbability());
    fields.put("eps", settings.eps());
    if (cluster.successProbability() < 1) {
      fields.put("successProbability", cluster.successProbability());
    }
    if (tasksOfItsKind(task) == 1) {
      fields.put("singleTaskEps", settings.singleTaskEps());
    }
  }

  /** Returns the kinds of tasks that may be cloned; none if that cannot be found out. */
  static Set<TaskKind> kinds(Configuration conf, OutputSettings outputs, ClassLoader classes) {
    boolean hasReduces = conf.getInt(MRJobConfig.NUM_REDUCES, 0) > 0;
    try {
      return CopyableTasks.clonable(conf, hasReduces, outputs, classes);
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Drover makes no clones: it could not find out where the job's tasks write", e);
      return Set.of();
    }
  }
}
