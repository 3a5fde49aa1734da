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
 * What is done about outliers. The engine asks; a scheme that has no opinion on something leaves
 * the method as it is. One object serves one run of one workload.
 */
public interface Scheme {
  /** What people call it. */
  String name();

  /** Whether the engine is to keep core's models of the phases, and to feed them with reports. */
  default boolean asksCore() {
    return false;
  }

  /** Whether the tasks with the most data begin first; only where {@link #asksCore}. */
  default boolean largestFirst() {
    return false;
  }

  /**
   * Whether an attempt keeps away from machines where another of its task runs, or was taken away,
   * while there are others.
   */
  default boolean hasAntiAffinity() {
    return false;
  }

  /**
   * How many attempts of each task of the job's present phase are to start together.
   *
   * @param phase that begins
   */
  default int copiesFromTheStart(PhaseRun phase) {
    return 1;
  }

  /**
   * How many copies of a whole job are to run, the job itself included. They run each by itself, as
   * far as there is room for all of their tasks under the ceiling of clones, and give way each as a
   * whole. The first to end counts; the others are given up.
   *
   * @param job that is submitted
   */
  default int copiesOfWholeJob(JobSpec job) {
    return 1;
  }

  /**
   * The racks in which the tasks of a phase that reads from others should run.
   *
   * @return of each task by its index; empty if it does not matter
   */
  default Optional<int[]> racks(PhaseRun phase, NetworkEstimate network) {
    return Optional.empty();
  }

  /**
   * M: how many of its N blocks a job that needs any K of them may read, which are then bound to
   * slots as these come free. Empty: the job reads the K that were selected at its submission. Not
   * to be answered by schemes that {@link #asksCore ask core}, whose models have the tasks of a
   * phase from its start.
   *
   * @param phase the job's first, with K tasks and more blocks
   */
  default OptionalInt upstreamTasks(PhaseSpec phase) {
    return OptionalInt.empty();
  }

  /**
   * K outputs or more of a phase with {@link #upstreamTasks} are there: which K go on, or until
   * when to wait for a better choice. It is asked at each output, and when it says.
   */
  default SampleChoice choose(PhaseRun phase, NetworkEstimate network, double now) {
    throw new UnsupportedOperationException(name() + " does not choose outputs");
  }

  /** Seconds from a phase's beginning until the first {@link #scan}; infinite if there is none. */
  default double firstScan(PhaseRun phase) {
    return Double.POSITIVE_INFINITY;
  }

  /**
   * Looks at a phase, and acts.
   *
   * @return seconds until it is to look again
   */
  default double scan(PhaseRun phase, Actions actions) {
    throw new UnsupportedOperationException(name() + " does not look at phases");
  }

  /**
   * How much longer than usual an attempt is to take. What does not belong to this world, an
   * oracle, may make it what it likes.
   *
   * @param slowness what happens in this world
   */
  default double factor(TaskRun task, int attempt, int machine, Slowness slowness) {
    return slowness.of(task.phase().key(), task.index(), attempt, machine);
  }

  /** Whether no reader ever misses an output: an ideal. */
  default boolean neverMissesOutputs() {
    return false;
  }

  /**
   * Outputs may be lost in the run that begins.
   *
   * @param losses of which a scheme may know what was learnt "over a long period of time" (Mantri
   *     section 5.3), {@link Losses#lossesPerSecond}, and no more
   * @param machines of the cluster
   */
  default void outputsMayBeLost(Losses losses, int machines) {}

  /** A task is done, for the first time or again, and its output is kept for readers. */
  default void kept(TaskRun task, Actions actions) {}

  /**
   * A reader misses the output of a task, which is made again.
   *
   * @param lost with the machines that were thought to keep it
   */
  default void missed(TaskRun task, Output lost, Actions actions) {}

  /** An attempt that held a slot has ended. */
  default void ended(AttemptRun attempt) {}

  /** A job has ended. */
  default void ended(JobRun job) {}

  /**
   * Which K outputs go on, or when to ask again.
   *
   * @param outputs the tasks that made them, by index; none if a better choice is waited for
   * @param askAgainAt seconds, if no output comes before; only if there are none, and then later
   *     than now, or infinite
   */
  record SampleChoice(List<Integer> outputs, double askAgainAt) {
    /** Copies. */
    public SampleChoice {
      outputs = List.copyOf(outputs);
    }

    /** These outputs go on. */
    public static SampleChoice of(List<Integer> outputs) {
      return new SampleChoice(outputs, 0);
    }

    /** None yet; the scheme is asked again at that time, or when an output comes. */
    public static SampleChoice waitUntil(double at) {
      return new SampleChoice(List.of(), at);
    }
  }
}
