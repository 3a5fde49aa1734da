// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import io.drover.core.config.OutputSettings;
import io.drover.core.config.RestartKeys;
import io.drover.core.model.TaskKind;
import io.drover.speculator.AttemptBudget;
import io.drover.speculator.CopyableTasks;
import io.drover.speculator.NodeBlacklisting;
import io.drover.speculator.ShuffleService;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** Finds the settings that keep tasks from having second attempts, or from being restarted. */
final class AttemptChecks {
  private static final Map<TaskKind, String> SPECULATION =
      new EnumMap<>(
          Map.of(
              TaskKind.MAP, MRJobConfig.MAP_SPECULATIVE,
              TaskKind.REDUCE, MRJobConfig.REDUCE_SPECULATIVE));

  private static final Map<TaskKind, String> ATTEMPTS =
      new EnumMap<>(
          Map.of(
              TaskKind.MAP, MRJobConfig.MAP_MAX_ATTEMPTS,
              TaskKind.REDUCE, MRJobConfig.REDUCE_MAX_ATTEMPTS));

  private static final List<Function<JobSettings, Mode>> FEATURES =
      List.of(
          JobSettings::restartMode,
          JobSettings::cloneMode,
          JobSettings::antiAffinityMode,
          JobSettings::placementMode,
          JobSettings::protectMode,
          JobSettings::orderMode);

  private final CheckedJob job;

  AttemptChecks(CheckedJob job) {
    this.job = job;
  }

  Checks all() {
    return new Checks()
        .add("job.modes", this::modes)
        .add("job.speculation", this::speculation)
        .add("job.copies", this::copies)
        .add("job.attempts", this::attempts)
        .add("job.quota", this::quota)
        .add("job.outputs", this::outputs)
        .add("job.uber", this::uber)
        .add("job.blacklisting", this::blacklisting)
        .add("job.decision-log", this::decisionLog);
  }

  private void modes(Consumer<Finding> found) {
    boolean areAllOff =
        job.isDroversAppMaster()
            ? FEATURES.stream().noneMatch(job::has)
            : job.restarts() == Mode.OFF;
    if (areAllOff) {
      found.accept(
          Finding.warn(
              "job.modes",
              RestartKeys.MODE.key()
                  + " is off"
                  + (job.isDroversAppMaster() ? ", and so is the mode of each other feature" : "")
                  + ": Drover runs and does nothing",
              "Set the modes to observe or on",
              RestartKeys.MODE.key()));
    }
  }

  private boolean isOff(TaskKind kind) {
    return !job.conf().getBoolean(SPECULATION.get(kind), false);
  }

  private void speculation(Consumer<Finding> found) {
    String what =
        job.isDroversAppMaster() ? "no clones, copies or restarts" : "no copies or restarts";
    if (isOff(TaskKind.MAP) && isOff(TaskKind.REDUCE)) {
      found.accept(
          Finding.wrong(
              "job.speculation",
              MRJobConfig.MAP_SPECULATIVE
                  + " and "
                  + MRJobConfig.REDUCE_SPECULATIVE
                  + " are false: "
                  + what
                  + alsoOf(TaskKind.MAP),
              "Set them to true, Hadoop's default, if tasks may run twice",
              MRJobConfig.MAP_SPECULATIVE,
              MRJobConfig.REDUCE_SPECULATIVE));
      return;
    }
    for (TaskKind kind : TaskKind.values()) {
      if (isOff(kind)) {
        String key = SPECULATION.get(kind);
        found.accept(
            Finding.warn(
                "job.speculation",
                key + " is false: " + what + " of " + tasks(kind) + alsoOf(kind),
                "Set it to true, Hadoop's default, if tasks may run twice",
                key));
      }
    }
  }

  /** A map that may not run twice does not run again for its output either. */
  private String alsoOf(TaskKind kind) {
    boolean isProtected = kind == TaskKind.MAP && job.has(JobSettings::protectMode);
    return isProtected ? ", and no protection of map outputs" : "";
  }

  private static String tasks(TaskKind kind) {
    return kind == TaskKind.MAP ? "maps" : "reduces";
  }

  private void copies(Consumer<Finding> found) {
    if (CopyableTasks.areCopiesForbidden(job.conf())) {
      String[] keys = {
        MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS,
        MRJobConfig.SPECULATIVECAP_TOTAL_TASKS,
        MRJobConfig.SPECULATIVECAP_RUNNING_TASKS
      };
      found.accept(
          Finding.warn(
              "job.copies",
              String.join(", ", keys) + " are 0: no clones and no copies, only restarts",
              "Set one of them above 0; Hadoop's defaults are 10, 0.01 and 0.1",
              keys));
    }
  }

  private void attempts(Consumer<Finding> found) {
    AttemptBudget budget = AttemptBudget.of(job.conf(), job.isDroversAppMaster());
    boolean isNumbered = !budget.mapsRestart() && !job.isDroversAppMaster(); // else its tasks fail
    if (isNumbered && job.restarts() != Mode.OFF && !isOff(TaskKind.MAP)) {
      String key = ATTEMPTS.get(TaskKind.MAP);
      found.accept(
          Finding.warn(
              "job.attempts",
              ShuffleService.UNIFFLE
                  + " fails attempts of maps whose number is above "
                  + key
                  + ": no restarts of maps, only copies",
              "Nothing to do",
              key));
    }
    for (TaskKind kind : TaskKind.values()) {
      String limited = limited(budget, kind);
      if (!isOff(kind) && !limited.isEmpty()) {
        String key = ATTEMPTS.get(kind);
        found.accept(
            Finding.warn(
                "job.attempts",
                job.is(key) + ": no " + limited + " of " + tasks(kind),
                "Allow at least 4 failures, Hadoop's default: Drover puts at most half of them at"
                    + " stake",
                key));
      }
    }
  }

  /** Returns what tasks of a kind do not get because they may fail too seldom. */
  private String limited(AttemptBudget budget, TaskKind kind) {
    boolean hasNoPartner = budget.mostAtOnce(kind) < 2;
    boolean losesClones = hasNoPartner && job.has(JobSettings::cloneMode);
    boolean losesCopies = hasNoPartner && !job.isDroversAppMaster();
    boolean mayFailOnce = budget.failures(kind) <= 1;
    boolean losesRestarts = mayFailOnce && job.restarts() != Mode.OFF;
    String second = losesClones ? "clones" : losesCopies ? "copies" : "";
    String both = second.isEmpty() ? "restarts" : second + " or restarts";
    return losesRestarts ? both : second;
  }

  private void quota(Consumer<Finding> found) {
    String key = MRJobConfig.JOB_DFS_STORAGE_CAPACITY_KILL_LIMIT_EXCEED;
    if (job.conf()
        .getBoolean(key, MRJobConfig.DEFAULT_JOB_DFS_STORAGE_CAPACITY_KILL_LIMIT_EXCEED)) {
      found.accept(
          Finding.warn(
              "job.quota",
              key + " is true: tasks that write the job's output get no second attempt",
              "Set it to false unless a full quota is to fail a task at once",
              key));
    }
  }

  private void outputs(Consumer<Finding> found) {
    String key = OutputSettings.EXCLUDED.key();
    if (job.settings().outputs().excluded().contains("*")) {
      found.accept(
          Finding.warn(
              "job.outputs",
              job.is(key)
                  + ": tasks that write the job's output get no second attempt, whatever"
                  + " they write",
              "Name only the outputs that must not be written twice",
              key));
    }
  }

  private void uber(Consumer<Finding> found) {
    if (job.conf().getBoolean(MRJobConfig.JOB_UBERTASK_ENABLE, false)) {
      found.accept(
          Finding.warn(
              "job.uber",
              MRJobConfig.JOB_UBERTASK_ENABLE
                  + " is true: small jobs run inside the AppMaster, where Drover leaves them to"
                  + " Hadoop",
              "Set it to false, Hadoop's default, to have small jobs cloned",
              MRJobConfig.JOB_UBERTASK_ENABLE));
    }
  }

  private void blacklisting(Consumer<Finding> found) {
    boolean matters = job.restarts() == Mode.ON && job.settings().slowMachineOutliers() > 0;
    int enoughNodes = 1000;
    NodeBlacklisting blacklisting = NodeBlacklisting.of(job.conf());
    if (!matters || blacklisting.allowsOneMore(0, enoughNodes)) {
      return;
    }
    String key =
        !blacklisting.isOn()
            ? MRJobConfig.MR_AM_JOB_NODE_BLACKLISTING_ENABLE
            : blacklisting.ignoredFromPercent() == 0
                ? MRJobConfig.MR_AM_IGNORE_BLACKLISTING_BLACKLISTED_NODE_PERECENT
                : MRJobConfig.MAX_TASK_FAILURES_PER_TRACKER;
    found.accept(
        Finding.warn(
            "job.blacklisting",
            job.is(key)
                + ": the job does not avoid slow machines, but Drover still moves tasks away from"
                + " them",
            "Hadoop's defaults are true, 3 failures and 33 percent; Drover wants 1 to 20 failures",
            key));
  }

  private void decisionLog(Consumer<Finding> found) {
    if (job.has(JobSettings::cloneMode) && job.restarts() == Mode.OFF) {
      found.accept(
          Finding.warn(
              "job.decision-log",
              RestartKeys.MODE.key()
                  + " is off: decisions about clones go to the AppMaster's log only",
              "Set it to observe to have a decision log",
              RestartKeys.MODE.key()));
    }
  }
}
