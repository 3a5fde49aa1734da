// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.protect.LongestRecomputation;
import io.drover.core.protect.PrecomputeBudget;
import io.drover.core.protect.PrecomputePolicy;
import io.drover.core.protect.ProtectSettings;
import io.drover.core.protect.Protection;
import io.drover.core.protect.ProtectionRule.Action;
import io.drover.core.protect.RecomputationTime;
import io.drover.core.protect.ReplicationBudget;
import io.drover.core.protect.ReplicationPolicy;
import io.drover.core.protect.ReplicationPolicy.KeptOutput;
import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.Output;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.TaskRun;
import io.drover.simulator.world.Losses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Lets core protect the outputs of tasks. It replicates an output when it is made, and computes
 * outputs again before they are missed, once machines are suspect (Mantri section 5.3). It does
 * nothing if no outputs can be lost.
 *
 * <p>Modelled: all jobs learn at once which machine caused a recomputation, as Cosmos' job managers
 * might through the cluster. The paper does not say how they learn it.
 */
final class CoreProtection {
  private final ProtectSettings settings;
  private final PrecomputePolicy precompute;
  private final Map<JobRun, Job> jobs = new LinkedHashMap<>();
  private LossLearning learning;
  private ReplicationPolicy replication;

  CoreProtection(ProtectSettings settings) {
    this.settings = settings;
    this.precompute = new PrecomputePolicy(settings);
  }

  /** The outputs that one job keeps, and its budgets. */
  private final class Job {
    private final ReplicationBudget replicated = new ReplicationBudget(settings);
    private final PrecomputeBudget precomputed = new PrecomputeBudget(settings);
    private final Map<TaskRun, RecomputationTime> redo = new HashMap<>();
    private final Map<Integer, Set<TaskRun>> madeOn = new HashMap<>();
    private final Map<PhaseRun, Double> waits = new HashMap<>();
  }

  void outputsMayBeLost(Losses losses, int machines) {
    learning = new LossLearning(losses, machines);
    replication = new ReplicationPolicy(learning::loss);
  }

  /** Grants budgets when an attempt that held a slot has ended. */
  void ended(AttemptRun attempt) {
    if (learning == null) {
      return;
    }
    Job job = jobs.computeIfAbsent(attempt.phase().job(), j -> new Job());
    job.precomputed.grant(attempt.slotSeconds());
    if (attempt.hasSucceeded() && attempt.task().timesDone() == 1) {
      job.replicated.grant(attempt.task().bytes());
    }
  }

  /** Handles an output that has been made, for the first time or again. */
  void kept(TaskRun task, Actions actions) {
    JobRun of = task.phase().job();
    Job job = jobs.get(of);
    AttemptRun attempt = task.winner().orElseThrow();
    learning.kept(of, attempt.machine());
    double wait = job.waits.computeIfAbsent(task.phase(), phase -> expectedWait(job, phase));
    job.redo.put(task, new RecomputationTime(attempt.slotSeconds(), wait));
    job.madeOn.computeIfAbsent(attempt.machine(), m -> new LinkedHashSet<>()).add(task);
    Protection decision =
        replication.decide(
            output(job, task, true),
            OptionalDouble.of(actions.inRackBytesPerSecond()),
            job.replicated,
            actions.now());
    boolean toBeMade = decision.action() == Action.REPLICATE;
    if (toBeMade && !actions.replicate(task, suspects(actions.now()))) {
      job.replicated.giveBack(task.output().bytes());
    }
  }

  /** Returns how long a task that runs again is expected to wait for inputs that are also lost. */
  private double expectedWait(Job job, PhaseRun phase) {
    Optional<PhaseRun> source = phase.readFrom();
    if (source.isEmpty()) {
      return 0;
    }
    Map<Integer, Integer> numbers = new HashMap<>();
    List<Double> losses = new ArrayList<>();
    List<TaskRun> inputs = source.get().tasks().stream().filter(job.redo::containsKey).toList();
    int[] machines = new int[inputs.size()];
    double[] seconds = new double[inputs.size()];
    for (int i = 0; i < machines.length; i++) {
      TaskRun input = inputs.get(i);
      seconds[i] = job.redo.get(input).seconds();
      machines[i] =
          numbers.computeIfAbsent(
              input.output().machines().get(0),
              machine -> {
                losses.add(learning.loss(LossLearning.name(machine)).orElse(0));
                return losses.size() - 1;
              });
    }
    double[] loss = losses.stream().mapToDouble(Double::doubleValue).toArray();
    return LongestRecomputation.expectedSecondsByMachine(loss, machines, seconds);
  }

  private static KeptOutput output(Job job, TaskRun task, boolean unread) {
    return new KeptOutput(
        task.toString(),
        task.output().machines().stream().map(LossLearning::name).toList(),
        task.output().bytes(),
        unread,
        job.redo.get(task));
  }

  private Set<Integer> suspects(double now) {
    return precompute.suspects(now).stream()
        .map(LossLearning::machine)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Handles an output that a reader has missed. Its machines may be losing others, too. */
  void missed(TaskRun task, Output lost, Actions actions) {
    double now = actions.now();
    JobRun of = task.phase().job();
    for (int machine : lost.machines()) {
      learning.lost(of, machine);
      precompute.recomputed(LossLearning.name(machine), now);
    }
    Set<Integer> suspects = suspects(now);
    if (!suspects.isEmpty()) {
      jobs.values().forEach(job -> precompute(job, suspects, actions));
    }
  }

  private void precompute(Job job, Set<Integer> suspects, Actions actions) {
    Map<String, TaskRun> byName = new LinkedHashMap<>();
    List<KeptOutput> outputs = new ArrayList<>();
    Map<PhaseRun, Boolean> unread = new HashMap<>();
    // Core would decide nothing about the outputs of other machines, and there are many.
    Set<TaskRun> candidates = new LinkedHashSet<>();
    for (int machine : suspects) {
      candidates.addAll(job.madeOn.getOrDefault(machine, Set.of()));
    }
    for (TaskRun task : candidates) {
      boolean isSuspected = task.isDone() && task.output().isKeptOnlyBy(suspects);
      if (isSuspected && unread.computeIfAbsent(task.phase(), PhaseRun::isUnread)) {
        KeptOutput output = output(job, task, true);
        outputs.add(output);
        byName.put(output.task(), task);
      }
    }
    for (Protection decision : precompute.decide(outputs, job.precomputed, actions.now())) {
      if (decision.action() == Action.RECOMPUTE) {
        actions.precompute(byName.get(decision.output().task()));
      }
    }
  }

  void ended(JobRun job) {
    if (learning != null) {
      learning.ended(job);
      jobs.remove(job);
    }
  }
}
