// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.clone.CloneCeiling;
import java.util.ArrayList;
import java.util.List;

/**
 * The copies of whole jobs (Dolly section 3). Each is a job by itself, with the luck of its own
 * attempts, that gets slots after all jobs and under the ceiling of clones.
 *
 * <pre>
 *   copies that begin = min(c, (tau - U) / n)     Dolly section 3.1; n: tasks of all phases
 * </pre>
 *
 * <p>They are counted once, when the job has got its own slots.
 */
final class JobCopies {
  private final Simulation simulation;
  private final CloneCeiling ceiling;
  private final FairQueue queue = new FairQueue();
  private final List<JobRun> asked = new ArrayList<>();

  JobCopies(Simulation simulation, CloneCeiling ceiling) {
    this.simulation = simulation;
    this.ceiling = ceiling;
  }

  /** A job is to have copies. */
  void ask(JobRun job) {
    asked.add(job);
  }

  /** Copies of a job are not wished for any more: it is over, or has waited for them for long. */
  void withdraw(JobRun job) {
    asked.remove(job);
  }

  /** Begins those for which there is room. */
  void begin() {
    for (JobRun job : asked) {
      int tasks = job.spec().tasks();
      for (int copy = 1; copy < job.copies(); copy++) {
        if (!ceiling.admits(simulation.allocation().utilisation(copy * tasks))) {
          break;
        }
        simulation.jobs().begin(job.newCopy());
      }
    }
    asked.clear();
  }

  /** Those that want slots. */
  FairQueue queue() {
    return queue;
  }

  /**
   * The others of a job of which one copy has ended are given up. What they took counts as the
   * job's.
   */
  void endOthers(JobRun winner, JobBooks ledger) {
    for (JobRun other : winner.together()) {
      if (other != winner) {
        giveUp(other);
        other.begun().forEach(p -> winner.ended().get(p.index()).count().add(p.count()));
        ledger.doneInVain(other);
      }
    }
  }

  /** Ends a copy that is not to end well. */
  void giveUp(JobRun copy) {
    if (copy.isOver()) {
      return;
    }
    copy.giveUp();
    for (PhaseRun phase : copy.begun()) {
      for (TaskRun task : List.copyOf(phase.running())) {
        simulation.attempts().giveUpAll(task);
      }
    }
    simulation.allocation().jobIsOver(copy);
  }
}
