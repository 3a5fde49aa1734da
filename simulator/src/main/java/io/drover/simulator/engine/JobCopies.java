// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.clone.CloneCeiling;
import java.util.ArrayList;
import java.util.List;

/**
 * Manages the copies of whole jobs (Dolly section 3). Each copy is a job of its own, whose attempts
 * are slow or fast independently. It gets slots after all jobs and under the ceiling of clones.
 *
 * <pre>
 *   copies that begin = min(c, (tau - U) / n)     Dolly section 3.1; n: tasks of all phases
 * </pre>
 *
 * <p>The number is computed once, as soon as no job waits for a slot.
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

  /** Requests copies of a job. */
  void ask(JobRun job) {
    asked.add(job);
  }

  /** Withdraws the request, because the job is over or has waited too long for its copies. */
  void withdraw(JobRun job) {
    asked.remove(job);
  }

  /** Begins the requested copies for which there is room, and drops the other requests. */
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

  /** Returns the copies that want slots. */
  FairQueue queue() {
    return queue;
  }

  /** Gives up the others once a job or a copy of it has ended, and adds their costs to its own. */
  void endOthers(JobRun winner, JobBooks ledger) {
    for (JobRun other : winner.together()) {
      if (other != winner) {
        giveUp(other);
        other.begun().forEach(p -> winner.ended().get(p.index()).count().add(p.count()));
        ledger.doneInVain(other);
      }
    }
  }

  /** Gives up a copy and ends its attempts. */
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
