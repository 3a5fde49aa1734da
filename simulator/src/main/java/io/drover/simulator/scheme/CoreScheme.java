// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.Actions.NetworkEstimate;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.Output;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.TaskRun;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.world.Losses;
import java.util.Optional;
import java.util.OptionalInt;

/** Combines core's policies into a scheme. Each policy is optional. */
abstract class CoreScheme implements Scheme {
  private final String name;
  private Optional<CoreRestart> restart = Optional.empty();
  private Optional<CorePlacement> placement = Optional.empty();
  private Optional<CoreProtection> protection = Optional.empty();
  private Optional<CoreSampling> sampling = Optional.empty();
  private boolean asksCore;
  private boolean largestFirst;
  private boolean hasAntiAffinity;

  CoreScheme(String name) {
    this.name = name;
  }

  /** Makes the engine keep core's models of the phases. */
  final void keepsModels() {
    asksCore = true;
  }

  /** Restarts and copies attempts, based on their reports. */
  final void restartsBy(CoreRestart policy) {
    restart = Optional.of(policy);
    keepsModels();
  }

  /** Chooses the racks of reduces. */
  final void placesBy(CorePlacement policy) {
    placement = Optional.of(policy);
  }

  /** Replicates outputs, and computes them again before they are missed. */
  final void protectsBy(CoreProtection policy) {
    protection = Optional.of(policy);
  }

  /** Binds the blocks of jobs that sample late, and chooses the outputs that they use. */
  final void samplesBy(CoreSampling policy) {
    sampling = Optional.of(policy);
  }

  /** Starts the tasks with the most data first. */
  final void ordersLargestFirst() {
    largestFirst = true;
    keepsModels();
  }

  final void keepsCopiesApart() {
    hasAntiAffinity = true;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final boolean asksCore() {
    return asksCore;
  }

  @Override
  public final boolean largestFirst() {
    return largestFirst;
  }

  @Override
  public final boolean hasAntiAffinity() {
    return hasAntiAffinity;
  }

  @Override
  public final Optional<int[]> racks(PhaseRun phase, NetworkEstimate network) {
    return placement.map(policy -> policy.racks(phase, network));
  }

  @Override
  public final OptionalInt upstreamTasks(PhaseSpec phase) {
    return sampling.isPresent() ? sampling.get().upstreamTasks(phase) : OptionalInt.empty();
  }

  @Override
  public final SampleChoice choose(PhaseRun phase, NetworkEstimate network, double now) {
    return sampling.orElseThrow().choose(phase, network, now);
  }

  @Override
  public double firstScan(PhaseRun phase) {
    return restart.isPresent() ? phase.period() : Double.POSITIVE_INFINITY;
  }

  @Override
  public double scan(PhaseRun phase, Actions actions) {
    restart.orElseThrow().scan(phase, actions);
    return phase.period();
  }

  @Override
  public final void outputsMayBeLost(Losses losses, int machines) {
    protection.ifPresent(policy -> policy.outputsMayBeLost(losses, machines));
  }

  @Override
  public final void kept(TaskRun task, Actions actions) {
    protection.ifPresent(policy -> policy.kept(task, actions));
  }

  @Override
  public final void missed(TaskRun task, Output lost, Actions actions) {
    protection.ifPresent(policy -> policy.missed(task, lost, actions));
  }

  @Override
  public void ended(AttemptRun attempt) {
    protection.ifPresent(policy -> policy.ended(attempt));
    sampling.ifPresent(policy -> policy.ended(attempt));
  }

  @Override
  public void ended(JobRun job) {
    protection.ifPresent(policy -> policy.ended(job));
    sampling.ifPresent(policy -> policy.ended(job));
  }
}
