// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Statistics about machines, learnt from all jobs:
 *
 * <ul>
 *   <li>p, the probability that an attempt is an outlier, and p_m, that on one machine (Dolly
 *       section 3.1), by a {@link MixtureEstimator};
 *   <li>the probability that an output is lost on a machine and has to be made again, "estimated
 *       for a machine over a long period of time" (Mantri section 5.3).
 * </ul>
 *
 * <p>A machine never heard of has the cluster's probability; a cluster of which too little is known
 * answers nothing, and then nobody may invent a number. Answering is O(1); taking in an outcome is
 * O(users who have spoken against its machine), and the end of a window that of all machines. A
 * machine enters only where a container was seen to end on it ({@link ClaimLedger}), and leaves
 * when it was not heard of for {@link MachineSettings#forgetAfter}, and remembers at most {@value
 * KnownMachine#MAX_USERS} users, so memory is bounded by the number of machines.
 *
 * <p>Values in and out: time is what the caller says, in seconds, and the same calls give the same
 * answers. One thread at a time.
 */
public final class MachineStatistics {
  /**
   * p until attempts were judged, as in {@code mapreduce.drover.clone.outlier-probability}; alone
   * it weighs evidence and is never an answer.
   */
  private static final double FIRST_GUESS = 0.1;

  /** Attempts that the first guess weighs. */
  private static final double FIRST_GUESS_ATTEMPTS = 10;

  /**
   * How much the cluster's share of lost outputs weighs against a machine's own, in expected
   * losses: 0.235. Half of all recomputations happen on 5 % of the machines (Mantri section 4.2),
   * so these have 10 times the mean and the others 0.53 times; a prior of as much spread, 4.26
   * times the squared mean, is worth 1/4.26 of a loss.
   */
  private static final double PRIOR_LOSSES = 0.235;

  /** While fewer outputs were kept in the whole cluster, nothing is said of their loss. */
  private static final double LEAST_OUTPUTS = 100;

  private final MachineSettings settings;
  private final Supplier<OutlierEstimator> unknown;
  private final Map<String, KnownMachine> machines = new HashMap<>();
  private final DecayingShare attempts = new DecayingShare();
  private final DecayingShare outputs = new DecayingShare();
  private double windowStart;

  /**
   * Statistics of nothing yet.
   *
   * @param now seconds on any clock that goes on through restarts
   */
  public MachineStatistics(MachineSettings settings, double now) {
    this(settings, now, () -> MixtureEstimator.of(settings));
  }

  /** With other estimates, to compare them. */
  MachineStatistics(MachineSettings settings, double now, Supplier<OutlierEstimator> unknown) {
    this.settings = settings;
    this.unknown = unknown;
    this.windowStart = now;
  }

  /**
   * Statistics as they were when a snapshot was taken. Of another estimator's estimates nothing is
   * taken over; the rest is.
   *
   * @throws IllegalArgumentException if the estimates of its estimator are none
   */
  public static MachineStatistics restore(MachineSettings settings, MachineSnapshot snapshot) {
    MachineStatistics restored = new MachineStatistics(settings, snapshot.at());
    restored.attempts.add(snapshot.attempts(), snapshot.outliers());
    restored.outputs.add(snapshot.outputs(), snapshot.lost());
    boolean same = snapshot.estimator().equals(MixtureEstimator.NAME);
    for (MachineSnapshot.Machine machine : snapshot.machines()) {
      restored.machines.put(
          machine.name(), new KnownMachine(restored.unknown.get(), machine, same));
    }
    return restored;
  }

  /**
   * Lets time pass: ends the windows that are over, and forgets machines that were not heard of for
   * long. A time before the present window changes nothing.
   *
   * @param now seconds
   */
  public void advance(double now) {
    int ended = (int) Math.floor((now - windowStart) / settings.windowSeconds());
    if (ended < 1) {
      return;
    }
    double p = workingProbability();
    double attemptsKept = kept(settings.clusterMemory(), ended);
    double lossesKept = kept(settings.lossMemory(), ended);
    for (KnownMachine machine : machines.values()) {
      machine.windowsEnd(ended, p, attemptsKept, lossesKept, settings);
    }
    attempts.fade(attemptsKept);
    outputs.fade(lossesKept);
    windowStart += ended * settings.windowSeconds();
    double oldest = windowStart - settings.forgetAfter().toSeconds();
    machines.values().removeIf(machine -> machine.heardAt < oldest);
  }

  private double kept(Duration halfLife, int windows) {
    return Math.pow(settings.keptEachWindow(halfLife), windows);
  }

  /**
   * Takes in what a job of a user says, as far as its containers bear it out, and by what {@link
   * UserWeight} leaves to the user.
   *
   * @param user whose job it is
   * @param job the ledger of the application that says so
   * @param claims by machine, in totals since the application began
   */
  public void observe(String user, ClaimLedger job, Map<String, Claim> claims) {
    take(Optional.of(user), job.admit(claims));
  }

  /**
   * Takes in what a job says that is trusted, as far as its containers bear it out.
   *
   * @param job the ledger of the application that says so
   * @param claims by machine, in totals since the application began
   */
  public void observe(ClaimLedger job, Map<String, Claim> claims) {
    take(Optional.empty(), job.admit(claims));
  }

  /** Takes in what has been admitted. */
  void take(List<AdmittedOutcomes> admitted) {
    take(Optional.empty(), admitted);
  }

  private void take(Optional<String> user, List<AdmittedOutcomes> admitted) {
    double[] weights = new double[admitted.size()];
    for (int i = 0; i < weights.length; i++) {
      AdmittedOutcomes outcomes = admitted.get(i);
      KnownMachine machine =
          machines.computeIfAbsent(outcomes.machine(), m -> new KnownMachine(unknown.get()));
      machine.heardAt = windowStart;
      if (outcomes.attempts() > 0) {
        double p = workingProbability(machine);
        weights[i] = machine.weigh(user, outcomes, p, settings);
        machine.estimator.observe(outcomes, p, weights[i]);
      }
    }
    for (int i = 0; i < weights.length; i++) { // only now, so that their order does not matter
      AdmittedOutcomes outcomes = admitted.get(i);
      machines.get(outcomes.machine()).count(outcomes, weights[i]);
      attempts.add(weights[i] * outcomes.attempts(), weights[i] * outcomes.outliers());
      outputs.add(outcomes.outputs(), outcomes.lost());
    }
  }

  /** p, where anything has to be said: in (0,1/2], see {@link OutlierEstimator}. */
  private double workingProbability() {
    return share(attempts.all(), attempts.some());
  }

  /** p by all other machines. */
  private double workingProbability(KnownMachine machine) {
    return share(
        Math.max(0, attempts.all() - machine.attempts.all()),
        Math.max(0, attempts.some() - machine.attempts.some()));
  }

  private static double share(double all, double some) {
    double p = (some + FIRST_GUESS * FIRST_GUESS_ATTEMPTS) / (all + FIRST_GUESS_ATTEMPTS);
    return Math.min(0.5, p);
  }

  /**
   * p: how likely an attempt in this cluster is an outlier.
   *
   * @return in (0,1/2]; empty while fewer than {@link MachineSettings#leastAttempts} were judged
   */
  public OptionalDouble probability() {
    return attempts.all() < settings.leastAttempts()
        ? OptionalDouble.empty()
        : OptionalDouble.of(workingProbability());
  }

  /**
   * p_m: how likely an attempt on a machine is an outlier.
   *
   * @return in [0,1]; p for a machine never heard of; empty while p is
   */
  public OptionalDouble probability(String machine) {
    KnownMachine known = machines.get(machine);
    OptionalDouble p = probability();
    return p.isEmpty() || known == null
        ? p
        : OptionalDouble.of(known.estimator.probability(p.getAsDouble()));
  }

  /**
   * p_m for the jobs of single users, where they have said more against a machine than counts for
   * others ({@link UserWeight}).
   *
   * @return by user and machine, at least the machine's {@link #probability}; empty while p is
   */
  public Map<String, Map<String, Double>> ownProbabilities() {
    Map<String, Map<String, Double>> byUser = new HashMap<>();
    OptionalDouble p = probability();
    if (p.isEmpty()) {
      return byUser;
    }
    machines.forEach(
        (name, machine) ->
            machine.forEachOwn(
                p.getAsDouble(),
                (user, own) -> byUser.computeIfAbsent(user, u -> new HashMap<>()).put(name, own)));
    return byUser;
  }

  /**
   * How likely an output that is kept on a machine is lost before it is no longer needed.
   *
   * @return in [0,1]; the cluster's share for a machine never heard of; empty while fewer than 100
   *     outputs were kept in the whole cluster, older ones counting less
   */
  public OptionalDouble lossProbability(String machine) {
    if (outputs.all() < LEAST_OUTPUTS) {
      return OptionalDouble.empty();
    }
    double cluster = outputs.some() / outputs.all();
    KnownMachine known = machines.get(machine);
    return OptionalDouble.of(
        known == null ? cluster : known.outputs.towards(cluster, PRIOR_LOSSES));
  }

  /** The figures of each machine that is known, by name. */
  public List<MachineFigures> figures() {
    List<MachineFigures> all = new ArrayList<>();
    new TreeMap<>(machines)
        .forEach((name, m) -> all.add(m.figures(name, probability(name), lossProbability(name))));
    return all;
  }

  /** All that is to outlive a restart; of the present window's counts, what the estimates keep. */
  public MachineSnapshot snapshot() {
    List<MachineSnapshot.Machine> all = new ArrayList<>();
    new TreeMap<>(machines).forEach((name, m) -> all.add(m.snapshot(name)));
    return new MachineSnapshot(
        MachineSnapshot.VERSION,
        MixtureEstimator.NAME,
        windowStart,
        attempts.all(),
        attempts.some(),
        outputs.all(),
        outputs.some(),
        all);
  }

  /**
   * One machine, for people to look at.
   *
   * @param machine its name
   * @param attempts judged in the last whole window
   * @param outliers of those
   * @param probability p_m, if p is known
   * @param lossProbability how likely an output there is lost, if that is known
   */
  public record MachineFigures(
      String machine,
      int attempts,
      int outliers,
      OptionalDouble probability,
      OptionalDouble lossProbability) {}
}
