// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator;

import io.drover.simulator.world.Losses;
import io.drover.simulator.world.PhaseKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Losses that a test specifies for one run: outputs, failures of machines, evictions. */
public class GivenLosses implements Losses {
  private record Attempt(long phase, int task, int attempt) {}

  private final Map<Attempt, Double> lost = new HashMap<>();
  private final Map<Integer, double[]> failures = new HashMap<>();
  private final Map<Attempt, Double> evicted = new HashMap<>();
  private final Map<Attempt, Integer> madeOn = new HashMap<>();
  private double perSecond;

  /** Loses the output of an attempt on the machine where it was made, but not its copies. */
  public GivenLosses output(int job, int phase, int task, int attempt, double at) {
    lost.put(new Attempt(PhaseKey.of(job, phase), task, attempt), at);
    return this;
  }

  /** Lets a machine fail once. */
  public GivenLosses failure(int machine, double at, double back) {
    failures.put(machine, new double[] {at, back});
    return this;
  }

  /** Evicts an attempt of the first job. */
  public GivenLosses eviction(int phase, int task, int attempt, double share) {
    evicted.put(new Attempt(PhaseKey.of(0, phase), task, attempt), share);
    return this;
  }

  /** Sets the known loss rate of each machine. */
  public GivenLosses known(double lossesPerSecond) {
    perSecond = lossesPerSecond;
    return this;
  }

  @Override
  public boolean concernOutputs() {
    return true;
  }

  @Override
  public double lostAt(long phase, int task, int attempt, int machine, double keptSince) {
    Attempt by = new Attempt(phase, task, attempt);
    boolean made = madeOn.computeIfAbsent(by, first -> machine) == machine;
    double at = made ? lost.getOrDefault(by, Double.POSITIVE_INFINITY) : Double.POSITIVE_INFINITY;
    return Math.max(keptSince, Math.min(at, failsAfter(machine, keptSince)));
  }

  @Override
  public double failsAfter(int machine, double after) {
    double[] failure = failures.get(machine);
    return failure == null || failure[0] <= after ? Double.POSITIVE_INFINITY : failure[0];
  }

  @Override
  public double isBackAt(int machine, double failedAt) {
    return failures.get(machine)[1];
  }

  @Override
  public double evictedAfter(long phase, int task, int attempt) {
    return evicted.getOrDefault(new Attempt(phase, task, attempt), Double.POSITIVE_INFINITY);
  }

  @Override
  public double lossesPerSecond(int machine) {
    return perSecond;
  }

  @Override
  public List<String> provenance() {
    return List.of("made up");
  }
}
