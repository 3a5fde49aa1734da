// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import io.drover.core.estimate.NewAttemptEstimator;
import io.drover.core.estimate.NewAttemptTime;
import io.drover.core.estimate.RemainingTimeEstimator;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Demand;
import io.drover.core.model.Evidence;
import io.drover.core.model.Evidence.Basis;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.PhaseStall;
import io.drover.core.model.Rule;
import io.drover.core.model.TaskModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Resource-aware restart: kills and restarts a task, or duplicates it, only if that pays.
 *
 * <pre>
 *   tasks wait for slots:   kill and restart   if t_rem &gt; E[t_new] + max(Delta, work/2), gamma times at most
 *                           duplicate          if P(t_new &lt; c/(c+1) t_rem) &gt; delta
 *   every task has begun:   duplicate          if E[t_rem - t_new] &gt; rho Delta
 * </pre>
 *
 * <p>t_rem is that of the attempt that will end first. A task that is slow because it has more to
 * do is left alone without a special rule if its size shows that, because t_new grows with the same
 * d. If its size does not, see {@link MoreToDo}.
 *
 * <p>Source: Mantri section 5.1 and pseudocode 1. Departures:
 *
 * <ul>
 *   <li>Line 10 prints {@code E[t_new - t_rem] > rho Delta}; the sign is reversed here.
 *   <li>A kill requires that only one attempt runs; with several, pruning ends the slow ones. That
 *       attempt must also be reporting. A silent one may be on a dead machine, where it takes
 *       minutes to confirm a kill; the copy of the next rule does not wait for that.
 *   <li>It also requires {@value #ENOUGH_FOR_A_KILL} observed attempts behind t_new. One peer is
 *       enough for a copy, which costs a slot if the peer was just lucky. A kill costs the work
 *       that was done.
 *   <li>A kill must save at least half of what the work usually takes: an outlier takes {@value
 *       MoreToDo#SLOW} times as long as others (Mantri section 2), and tasks of one size differ by
 *       less than that by what is in their data.
 *   <li>A kill requires that the attempt is as slow by its mean pace in the main sub-phase. One
 *       that was held up for a while, or waits for another host in the shuffle, has not been slow
 *       in what it has done. Where reports say nothing, only others tell that it is late. A copy
 *       does not lose its work.
 *   <li>While tasks wait, t_new is that of attempts at the present pace of their peers ({@link
 *       NewAttemptEstimator#slowdown}). What makes all of them slower is not cured by restarts.
 *   <li>A copy of a task that has more to do costs a slot and no time: t_new counts with at most
 *       t_rem for that chance, unless it is greater than {@value #EVEN}.
 *   <li>A task that may have more to do than its size says is not killed: the work would be lost. A
 *       copy shows whether it has, and the rule that ends the slower attempt ends the copy then.
 *   <li>A task with a copy that has not started or reported yet is left alone ("Mantri does not
 *       re-duplicate a task for which it launched a copy recently"). Recently means until the copy
 *       can be judged, and at least Delta.
 *   <li>A task that commits is left alone.
 *   <li>While a phase stands still as a whole ({@link PhaseStall}), attempts that make no progress
 *       are left alone for a while.
 *   <li>Mantri limits how many copies run at once, not how many follow each other. Here a task gets
 *       at most {@link RestartSettings#mostSecondAttempts} copies and restarts in all, so that
 *       wrong estimates cost a bounded number of attempts.
 *   <li>When every task has begun, a copy only saves time, and costs a slot. So rho Delta is
 *       divided by what time is worth in the job ({@link Demand#worth}): the probability that it
 *       does not fail. The other rules save slots as well, which pays in any job.
 * </ul>
 *
 * <p>The policy never acts on a guess: if t_rem or t_new is not known, its decision is to leave the
 * task, with that reason.
 */
public final class MantriRestart implements RestartPolicy {
  /** The number of observed attempts behind t_new that a kill requires. */
  static final int ENOUGH_FOR_A_KILL = 3;

  /** A task that has more to do with at least this chance gets a copy, and is not killed. */
  static final double LEAST_CHANCE_AGAINST_A_KILL = 0.1;

  /** A copy is not expected to save time for a task that has more to do with a greater chance. */
  static final double EVEN = 0.5;

  /** An attempt that was never heard of is late when it has stopped with this chance. */
  static final double LATE = 0.25;

  private static final Comparator<Decision> MOST_SAVING_FIRST =
      Comparator.comparingDouble((Decision d) -> -d.evidence().saving().orElse(0));

  private final RestartSettings settings;
  private final RemainingTimeEstimator remaining = new RemainingTimeEstimator();
  private SlowTasks earlier = SlowTasks.NONE;

  /** Creates the policy with the given constants. */
  public MantriRestart(RestartSettings settings) {
    this.settings = settings;
  }

  /** Notes what became of the slow tasks of earlier jobs of the program. */
  public void earlierJobs(SlowTasks known) {
    earlier = known;
  }

  /** Returns what has become of the slow tasks of a phase that had a second attempt. */
  public static SlowTasks slowTasks(PhaseModel phase, double now) {
    return MoreToDo.slowTasks(phase, phase.usualSecondsOrNaN(phase.kind().main(), 1), now);
  }

  /** Returns whether a task may get a further copy, by the settings and as far as is known. */
  public boolean mayBeCopied(TaskModel task) {
    return task.mayBeCopied() && task.copies() < settings.maxCopies() && mayHaveAnother(task);
  }

  private boolean mayHaveAnother(TaskModel task) {
    return task.copiesMade() + task.kills() < settings.mostSecondAttempts();
  }

  /** Returns one decision for each running task: behind those that act, those to leave a task. */
  @Override
  public List<Decision> decide(PhaseModel phase, Demand demand, double now) {
    Judgement judgement = new Judgement(phase, demand, now);
    List<Decision> left = new ArrayList<>(phase.running().size());
    List<Decision> acting = new ArrayList<>();
    for (TaskModel task : phase.running()) {
      Decision decision = judgement.decide(task);
      (decision.action() == Action.LEAVE ? left : acting).add(decision);
    }
    acting.sort(MOST_SAVING_FIRST);
    List<Decision> all = withinSlots(acting, demand);
    all.addAll(left);
    return all;
  }

  /** Limits the copies to the free slots. A kill frees the slot that its restart takes. */
  private static List<Decision> withinSlots(List<Decision> acting, Demand demand) {
    List<Decision> granted = new ArrayList<>(acting.size());
    int free = demand.freeSlots().orElse(Integer.MAX_VALUE);
    for (Decision d : acting) {
      boolean needsSlot = d.action() == Action.DUPLICATE;
      if (needsSlot && free <= 0) {
        granted.add(d.because(Rule.NO_SLOT));
      } else {
        granted.add(d);
        free -= needsSlot ? 1 : 0;
      }
    }
    return granted;
  }

  /** The intermediate results about one task after the other. */
  private final class Judgement {
    private final PhaseModel phase;
    private final boolean tasksWait;
    private final double worth;
    private final double now;
    private final double delta;
    private final NewAttemptEstimator fresh;
    private MoreToDo moreToDo;
    private double slowdown;

    private TaskModel task;
    private AttemptModel best;
    private double tRem;
    private double tNew;
    private double probability;
    private int observations;
    private double patience = Double.NaN;
    private double stalledFor;

    Judgement(PhaseModel phase, Demand demand, double now) {
      this.phase = phase;
      this.tasksWait = demand.tasksWait();
      this.worth = demand.worth();
      this.now = now;
      this.delta = phase.delta();
      this.fresh = new NewAttemptEstimator(phase, tasksWait);
    }

    Decision decide(TaskModel next) {
      task = next;
      best = null;
      tRem = Double.NaN;
      tNew = Double.NaN;
      probability = Double.NaN;
      observations = fresh.observations();
      if (task.isCommitting()) {
        return because(Rule.COMMITTING, Double.NaN);
      }
      if (task.copies() > task.runningCopies()) {
        return because(Rule.COPY_PENDING, Double.NaN);
      }
      if (now - task.copiedAt() < delta) {
        return because(Rule.COPIED_LATELY, Double.NaN);
      }
      if (!findBest()) {
        return because(whyNoEstimate(), Double.NaN);
      }
      Optional<NewAttemptTime> known = fresh.estimate(task);
      if (known.isEmpty()) {
        return because(Rule.TOO_FEW_OBSERVATIONS, Double.NaN);
      }
      observations = known.get().observations();
      Decision judged = judge(known.get(), 0);
      if (judged.action() != Action.LEAVE) {
        judged = judgeWithDoubts(known.get());
      }
      if (judged.action() == Action.LEAVE) {
        return judged;
      }
      if (hasRunBriefly()) {
        return because(Rule.RAN_BRIEFLY, settings.leastRunSeconds());
      }
      return isHeldWithOthers() ? because(Rule.CORRELATED_STALL, patience) : judged;
    }

    /** An attempt on a dead machine runs no longer, however long it is waited for. */
    private boolean hasRunBriefly() {
      return now - best.launchedAt() < settings.leastRunSeconds()
          && !phase.liveness().isOnDeadMachine(best);
    }

    private Decision judge(NewAttemptTime distribution, double more) {
      tNew = distribution.mean();
      return tasksWait ? whileTasksWait(distribution, more) : whenAllHaveBegun(distribution, more);
    }

    /** Asks for what makes new attempts slower, once per pass and only if one like others pays. */
    private Decision judgeWithDoubts(NewAttemptTime usual) {
      if (moreToDo == null) {
        moreToDo = new MoreToDo(phase, settings.moreToDo(), earlier, fresh, now);
        slowdown = tasksWait ? fresh.slowdown(now) : 1;
      }
      MoreToDo.Verdict more = moreToDo.of(task, slowdown * usual.meanRate(), now);
      NewAttemptTime slower = usual.slowed(slowdown, more.chance(), more.factor());
      return judge(slower, more.chance());
    }

    /** Checks the whole phase, once per pass and only if a decision is about to act. */
    private boolean isHeldWithOthers() {
      if (settings.correlatedStallWindows() == 0 || PhaseStall.isSeenToGetOn(best, now)) {
        return false;
      }
      if (Double.isNaN(patience)) {
        patience = settings.correlatedStallWindows() * phase.windowSeconds();
        stalledFor = phase.liveness().stall().stalledFor(now);
      }
      return Double.isNaN(stalledFor)
          ? phase.liveness().stall().wasStalledJustNow(best, now)
          : stalledFor < patience;
    }

    private boolean findBest() {
      List<AttemptModel> attempts = task.attempts();
      for (int i = 0; i < attempts.size(); i++) {
        AttemptModel attempt = attempts.get(i);
        if (attempt.state() == AttemptState.RUNNING) {
          double seconds = remaining.seconds(attempt, now);
          if (Double.isNaN(seconds) || isOnlyExpected(attempt, seconds)) {
            best = attempt;
            tRem = Double.NaN;
            return false;
          }
          if (!(tRem <= seconds)) {
            best = attempt;
            tRem = seconds;
          }
        }
      }
      return best != null;
    }

    /**
     * Returns whether t_rem is just that of the peers, because nothing was heard of the attempt
     * yet, and neither is it late nor are others slow there. Nothing has gone wrong then. While
     * tasks wait, it must even have stopped: where times differ much, many new attempts take half
     * of their mean, so the tasks would wait for copies of those that have just begun.
     */
    private boolean isOnlyExpected(AttemptModel attempt, double seconds) {
      if (attempt.isHeardOf() || seconds == Double.POSITIVE_INFINITY) {
        return false;
      }
      return tasksWait
          || (phase.liveness().stopped(attempt, now) < LATE
              && phase.liveness().slowness(attempt, now) < MoreToDo.SLOW);
    }

    private Rule whyNoEstimate() {
      if (task.runningCopies() > 1) {
        return Rule.COPY_TOO_YOUNG;
      }
      return phase.mayWait(best) ? Rule.INPUTS_MISSING : Rule.TOO_FEW_REPORTS;
    }

    private Decision whileTasksWait(NewAttemptTime distribution, double more) {
      int c = task.copies();
      probability = distribution.probabilityBelow(tRem * c / (c + 1));
      boolean mayKill =
          c == 1
              && best.silence(now) == 0
              && tRem < Double.POSITIVE_INFINITY // it may be dead or stand still
              && observations >= ENOUGH_FOR_A_KILL
              && more <= LEAST_CHANCE_AGAINST_A_KILL;
      double most = tNew + leastToSave(distribution.usualWork());
      boolean restartPays = mayKill && tRem > most && remainingByMeanPace() > most;
      if (restartPays && task.kills() < settings.maxRestarts() && mayHaveAnother(task)) {
        return because(Rule.RESTART_PAYS, most);
      }
      boolean copyPays = probability > settings.delta();
      if (copyPays && mayBeCopied(task)) {
        return because(Rule.COPY_SAVES_RESOURCES, settings.delta());
      }
      Rule capped = restartPays ? Rule.ENOUGH_RESTARTS : Rule.ON_COURSE;
      return because(copyPays ? Rule.ENOUGH_COPIES : capped, settings.delta());
    }

    /** Returns t_rem by the mean pace of the main work; NaN in other work, or if not known. */
    private double remainingByMeanPace() {
      return best.isAtMainWork()
          ? (1 - best.work()) * best.pace().mainSecondsOrNaN(now)
          : Double.NaN;
    }

    /** Returns how much sooner a task must be done after a kill, seconds. */
    private double leastToSave(double work) {
      return settings.moreToDo() == 0 ? delta : Math.max(delta, (MoreToDo.SLOW - 1) * work);
    }

    private Decision whenAllHaveBegun(NewAttemptTime distribution, double more) {
      if (more <= EVEN) {
        tNew = distribution.meanBeside(tRem);
      }
      double threshold = settings.rho() * delta / worth;
      if (tRem - tNew <= threshold) {
        return because(Rule.ON_COURSE, threshold);
      }
      return because(mayBeCopied(task) ? Rule.COPY_SAVES_TIME : Rule.ENOUGH_COPIES, threshold);
    }

    private Decision because(Rule rule, double threshold) {
      Basis basis = Double.isNaN(tRem) ? null : remaining.basis(best);
      double work = best == null ? 0 : best.work();
      Evidence evidence =
          new Evidence(
              task, tasksWait, work, tRem, basis, tNew, probability, threshold, observations);
      return new Decision(now, task, Optional.ofNullable(best), rule, evidence);
    }
  }
}
