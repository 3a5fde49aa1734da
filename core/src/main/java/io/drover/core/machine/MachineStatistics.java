// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Learns statistics about machines from all jobs:
 *
 * <ul>
 *   <li>p, the probability that an attempt is an outlier, and p_m, the same on one machine (Dolly
 *       section 3.1), by a {@link MixtureEstimator};
 *   <li>the probability that an output is lost on a machine and has to be made again, "estimated
 *       for a machine over a long period of time" (Mantri section 5.3).
 * </ul>
 *
 * <p>An unknown machine has the cluster's probability. If too little is known about the cluster,
 * the answer is empty and not a guess. A query takes O(1), but one about losses takes O(users with
 * an account at the machine) if the machine has had news. An outcome takes that as well, and the
 * end of a window takes it for all machines. A machine is added only if a container was seen to end
 * on it ({@link ClaimLedger}). It is forgotten after {@link MachineSettings#forgetAfter} without
 * news, and remembers at most {@value KnownMachine#MAX_USERS} users who speak against it, and as
 * many who kept outputs there. So memory is bounded by the number of machines.
 *
 * <p>The caller tells the time, in seconds: equal calls give equal answers. Not thread-safe.
 */
public final class MachineStatistics {
  /**
   * p before attempts were judged, as in {@code mapreduce.drover.clone.outlier-probability}. Alone,
   * it weighs evidence and is never an answer.
   */
  private static final double FIRST_GUESS = 0.1;

  /** The weight of the first guess, in attempts. */
  private static final double FIRST_GUESS_ATTEMPTS = 10;

  /**
   * The weight of the cluster's share of lost outputs against a machine's own, in expected losses:
   * 0.235. Half of all recomputations happen on 5 % of the machines (Mantri section 4.2), so these
   * have 10 times the mean and the others 0.53 times: a variance of 4.26 times the squared mean. A
   * prior with this variance is worth 1/4.26 of a loss.
   */
  private static final double PRIOR_LOSSES = 0.235;

  /** The number of outputs in the whole cluster below which no probability of a loss is given. */
  private static final double LEAST_OUTPUTS = 100;

  private final MachineSettings settings;
  private final Supplier<OutlierEstimator> unknown;
  private final Map<String, KnownMachine> machines = new HashMap<>();
  private final DecayingShare attempts = new DecayingShare();

  /** The sum of all machines. */
  private OutputAccounts outputs = new OutputAccounts();

  private double windowStart;

  /**
   * Creates empty statistics.
   *
   * @param now seconds on any clock that goes on through restarts
   */
  public MachineStatistics(MachineSettings settings, double now) {
    this(settings, now, () -> MixtureEstimator.of(settings));
  }

  /** Creates statistics with other estimators, to compare them. */
  MachineStatistics(MachineSettings settings, double now, Supplier<OutlierEstimator> unknown) {
    this.settings = settings;
    this.unknown = unknown;
    this.windowStart = now;
  }

  /**
   * Restores statistics from a snapshot. Estimates of another estimator are not restored.
   *
   * @throws IllegalArgumentException if the estimates in the snapshot are not valid
   */
  public static MachineStatistics restore(MachineSettings settings, MachineSnapshot snapshot) {
    MachineStatistics restored = new MachineStatistics(settings, snapshot.at());
    restored.attempts.add(snapshot.attempts(), snapshot.outliers());
    boolean same = snapshot.estimator().equals(MixtureEstimator.NAME);
    for (MachineSnapshot.Machine machine : snapshot.machines()) {
      restored.machines.put(
          machine.name(), new KnownMachine(restored.unknown.get(), machine, same));
    }
    restored.outputs = restored.outputsOfAll();
    return restored;
  }

  /**
   * Ends the windows that are over, and forgets machines that have had no news for long. A time
   * before the current window changes nothing.
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
    windowStart += ended * settings.windowSeconds();
    double oldest = windowStart - settings.forgetAfter().toSeconds();
    machines.values().removeIf(machine -> machine.heardAt < oldest);
    outputs = outputsOfAll();
  }

  private OutputAccounts outputsOfAll() {
    OutputAccounts all = new OutputAccounts();
    machines.values().forEach(machine -> all.addAll(machine.outputs));
    return all;
  }

  private double kept(Duration halfLife, int windows) {
    return Math.pow(settings.keptEachWindow(halfLife), windows);
  }

  /**
   * Takes in the claims of a user's job, as far as its containers confirm them and with the weight
   * that {@link UserWeight} and {@link OutputAccounts} leave to the user.
   *
   * @param user the user whose job it is
   * @param job the ledger of the application that makes the claims
   * @param claims by machine, in totals since the application began
   */
  public void observe(String user, ClaimLedger job, Map<String, Claim> claims) {
    take(Optional.of(user), job.admit(claims));
  }

  /**
   * Takes in the claims of a trusted user's job, as far as its containers confirm them.
   *
   * @param job the ledger of the application that makes the claims
   * @param claims by machine, in totals since the application began
   */
  public void observe(ClaimLedger job, Map<String, Claim> claims) {
    take(Optional.empty(), job.admit(claims));
  }

  /** Takes in outcomes that have been admitted, with full weight. */
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
    for (int i = 0; i < weights.length; i++) { // second pass, so that their order does not matter
      AdmittedOutcomes outcomes = admitted.get(i);
      machines.get(outcomes.machine()).count(user, outcomes, weights[i], outputs);
      attempts.add(weights[i] * outcomes.attempts(), weights[i] * outcomes.outliers());
    }
  }

  /** Returns p with the first guess, in (0,1/2]; see {@link OutlierEstimator}. */
  private double workingProbability() {
    return share(attempts.all(), attempts.some());
  }

  /** Returns p of all other machines. */
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
   * Returns p, the probability that an attempt in this cluster is an outlier.
   *
   * @return in (0,1/2]; empty while fewer than {@link MachineSettings#leastAttempts} were judged
   */
  public OptionalDouble probability() {
    return attempts.all() < settings.leastAttempts()
        ? OptionalDouble.empty()
        : OptionalDouble.of(workingProbability());
  }

  /**
   * Returns p_m, the probability that an attempt on a machine is an outlier.
   *
   * @return in [0,1]; p for an unknown machine; empty while p is
   */
  public OptionalDouble probability(String machine) {
    KnownMachine known = machines.get(machine);
    OptionalDouble p = probability();
    return p.isEmpty() || known == null
        ? p
        : OptionalDouble.of(known.estimator.probability(p.getAsDouble()));
  }

  /**
   * Returns p_m for the own jobs of those users who have reported more against a machine than
   * counts for others ({@link UserWeight}).
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
   * Returns the probability that an output kept on a machine is lost while it is still needed.
   *
   * @return in [0,1]; the cluster's share for an unknown machine; empty while fewer than 100
   *     outputs of the whole cluster count for everybody, older ones counting less
   */
  public OptionalDouble lossProbability(String machine) {
    KnownMachine known = machines.get(machine);
    return lossProbability(
        known == null ? new DecayingShare() : known.outputs.counting(), outputs.counting());
  }

  /** Returns the share of lost outputs of a machine, drawn towards the cluster's. */
  private static OptionalDouble lossProbability(DecayingShare machine, DecayingShare cluster) {
    return cluster.all() < LEAST_OUTPUTS
        ? OptionalDouble.empty()
        : OptionalDouble.of(machine.towards(cluster.some() / cluster.all(), PRIOR_LOSSES));
  }

  /**
   * Returns the probability that an output is lost for the own jobs of those users whose lost
   * outputs on a machine do not all count for others ({@link OutputAccounts}): the share that these
   * jobs have lost there, drawn towards the one that they have lost in the whole cluster.
   *
   * @return by user and machine; without users whose jobs have kept fewer than 100 outputs in the
   *     whole cluster
   */
  public Map<String, Map<String, Double>> ownLossProbabilities() {
    Map<String, Map<String, Double>> byUser = new HashMap<>();
    machines.forEach(
        (name, machine) ->
            machine.outputs.forEachUnconfirmed(
                (user, own) ->
                    lossProbability(own, outputs.of(user))
                        .ifPresent(
                            r -> byUser.computeIfAbsent(user, u -> new HashMap<>()).put(name, r))));
    return byUser;
  }

  /** Returns the figures of each known machine, sorted by name. */
  public List<MachineFigures> figures() {
    List<MachineFigures> all = new ArrayList<>();
    DecayingShare cluster = outputs.counting();
    new TreeMap<>(machines)
        .forEach(
            (name, m) ->
                all.add(
                    m.figures(
                        name,
                        probability(name),
                        lossProbability(m.outputs.counting(), cluster),
                        windowStart - settings.windowSeconds())));
    return all;
  }

  /** Returns all that must survive a restart. The attempts counted for {@link #figures} do not. */
  public MachineSnapshot snapshot() {
    List<MachineSnapshot.Machine> all = new ArrayList<>();
    new TreeMap<>(machines).forEach((name, m) -> all.add(m.snapshot(name)));
    DecayingShare counting = outputs.counting();
    return new MachineSnapshot(
        MachineSnapshot.VERSION,
        MixtureEstimator.NAME,
        windowStart,
        attempts.all(),
        attempts.some(),
        counting.all(),
        counting.some(),
        all);
  }

  /**
   * The figures of one machine. The counts are for people; what is decided goes by the evidence.
   *
   * @param machine its name
   * @param attempts the number of attempts judged in the last complete window
   * @param outliers how many of the judged attempts were outliers
   * @param probability p_m, if p is known
   * @param lossProbability how likely an output there is lost, if that is known
   * @param evidence what the last complete window says against the machine or for it
   */
  public record MachineFigures(
      String machine,
      int attempts,
      int outliers,
      OptionalDouble probability,
      OptionalDouble lossProbability,
      WindowEvidence evidence) {}

  /**
   * What the last complete window says of a machine, with the weights of those who say it ({@link
   * UserWeight}).
   *
   * @param begin when the window began, in seconds
   * @param attempts the judged attempts, weighted
   * @param outliers the outliers among them, weighted
   * @param accusers the users whose jobs had outliers there; trusted users are {@link #TRUSTED}
   */
  public record WindowEvidence(
      double begin, double attempts, double outliers, Set<String> accusers) {
    /** Stands for all trusted users. */
    public static final String TRUSTED = "";

    /** Of a machine of which nothing was heard. */
    public static final WindowEvidence NONE = new WindowEvidence(0, 0, 0, Set.of());
  }
}
