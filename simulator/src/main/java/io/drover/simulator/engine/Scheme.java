// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.engine.Actions.NetworkEstimate;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.world.Losses;
import io.drover.simulator.world.Slowness;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Decides what is done about outliers. The engine calls the methods; a scheme overrides those on
 * which it has an opinion. One object serves one run of one workload.
 */
public interface Scheme {
  /** Returns the name of the scheme. */
  String name();

  /** Returns whether the engine keeps core's models of the phases and feeds them with reports. */
  default boolean asksCore() {
    return false;
  }

  /** Returns whether the tasks with the most data begin first; requires {@link #asksCore}. */
  default boolean largestFirst() {
    return false;
  }

  /**
   * Returns whether an attempt avoids machines where another attempt of its task runs, was killed
   * for a restart or made an output that was lost, as long as there are others.
   */
  default boolean hasAntiAffinity() {
    return false;
  }

  /**
   * Returns how many attempts of each task of a phase start together.
   *
   * @param phase that begins
   */
  default int copiesFromTheStart(PhaseRun phase) {
    return 1;
  }

  /**
   * Returns how many copies of a whole job run, including the job itself. Each copy runs on its
   * own, if all of its tasks fit under the ceiling of clones, and gives way as a whole. The first
   * copy to end counts; the others are given up.
   *
   * @param job that is submitted
   */
  default int copiesOfWholeJob(JobSpec job) {
    return 1;
  }

  /**
   * Returns the racks in which the tasks of a phase that reads another one should run.
   *
   * @return rack of each task by its index; empty if it does not matter
   */
  default Optional<int[]> racks(PhaseRun phase, NetworkEstimate network) {
    return Optional.empty();
  }

  /**
   * Returns M, the number of its N blocks that a job may read if it needs any K of them. The blocks
   * are bound to slots as these come free. If the result is empty, the job reads the K blocks that
   * were selected at its submission.
   *
   * @param phase the job's first, with K tasks and more than K blocks
   */
  default OptionalInt upstreamTasks(PhaseSpec phase) {
    return OptionalInt.empty();
  }

  /**
   * Chooses which K outputs of a phase with {@link #upstreamTasks} the job uses, or how long to
   * wait for a better choice. It is called once K outputs are there, at each further output, and at
   * the time that it returned.
   */
  default SampleChoice choose(PhaseRun phase, NetworkEstimate network, double now) {
    throw new UnsupportedOperationException(name() + " does not choose outputs");
  }

  /**
   * Returns the seconds from a phase's beginning to the first {@link #scan}; infinite for no scans.
   */
  default double firstScan(PhaseRun phase) {
    return Double.POSITIVE_INFINITY;
  }

  /**
   * Examines a phase and acts on it.
   *
   * @return seconds until the next scan
   */
  default double scan(PhaseRun phase, Actions actions) {
    throw new UnsupportedOperationException(name() + " does not scan phases");
  }

  /**
   * Returns how many times longer than normal an attempt takes. Oracles may return any factor.
   *
   * @param slowness of attempts in the simulated cluster
   */
  default double factor(TaskRun task, int attempt, int machine, Slowness slowness) {
    return slowness.of(task.phase().key(), task.index(), attempt, machine);
  }

  /** Returns whether no reader ever misses an output, which is an ideal. */
  default boolean neverMissesOutputs() {
    return false;
  }

  /** Returns whether every map reads its block locally, wherever it runs, which is an ideal. */
  default boolean readsAllLocally() {
    return false;
  }

  /**
   * Tells the scheme that outputs may be lost in the run that begins.
   *
   * @param losses of which a scheme may only use {@link Losses#lossesPerSecond}, which was learnt
   *     "over a long period of time" (Mantri section 5.3)
   * @param machines number of machines in the cluster
   */
  default void outputsMayBeLost(Losses losses, int machines) {}

  /** Tells the scheme that a task is done, for the first time or again, and its output is kept. */
  default void kept(TaskRun task, Actions actions) {}

  /**
   * Tells the scheme that a reader has missed the output of a task, which is now made again.
   *
   * @param lost the output, with the machines that were believed to keep it
   */
  default void missed(TaskRun task, Output lost, Actions actions) {}

  /** Tells the scheme that an attempt that held a slot has ended. */
  default void ended(AttemptRun attempt) {}

  /** Tells the scheme that a job has ended. */
  default void ended(JobRun job) {}

  /**
   * A choice of K outputs, or the time for the next choice.
   *
   * @param outputs indices of the tasks that made them; empty to wait for a better choice
   * @param askAgainAt when to ask again if no output comes first, seconds; only if there are no
   *     outputs, and then later than now, or infinite
   */
  record SampleChoice(List<Integer> outputs, double askAgainAt) {
    /** Copies the list. */
    public SampleChoice {
      outputs = List.copyOf(outputs);
    }

    /** Chooses these outputs. */
    public static SampleChoice of(List<Integer> outputs) {
      return new SampleChoice(outputs, 0);
    }

    /** Chooses nothing yet; the scheme is asked again at that time, or when an output comes. */
    public static SampleChoice waitUntil(double at) {
      return new SampleChoice(List.of(), at);
    }
  }
}
