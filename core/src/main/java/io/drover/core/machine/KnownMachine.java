// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import io.drover.core.machine.MachineStatistics.MachineFigures;
import io.drover.core.machine.MachineStatistics.WindowEvidence;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ObjDoubleConsumer;

/** Holds everything that is known about one machine. */
final class KnownMachine {
  /** The maximum number of users with an account of either kind, which bounds the memory. */
  static final int MAX_USERS = 100;

  final OutlierEstimator estimator;
  final DecayingShare attempts = new DecayingShare();
  final OutputAccounts outputs;
  private final Map<String, UserWeight> users = new TreeMap<>();
  double heardAt;

  private int attemptsNow;
  private int outliersNow;
  private int attemptsBefore;
  private int outliersBefore;

  /** The current window, with the weights of those who report. */
  private double weightedNow;

  private double weightedOutliersNow;
  private final Set<String> accusersNow = new TreeSet<>();
  private WindowEvidence before = WindowEvidence.NONE;

  KnownMachine(OutlierEstimator estimator) {
    this(estimator, new OutputAccounts());
  }

  private KnownMachine(OutlierEstimator estimator, OutputAccounts outputs) {
    this.estimator = estimator;
    this.outputs = outputs;
  }

  /** Restores a machine from a snapshot, without its estimate if another estimator made it. */
  KnownMachine(OutlierEstimator estimator, MachineSnapshot.Machine was, boolean sameEstimator) {
    this(estimator, OutputAccounts.of(was.outputsByUser()));
    attempts.add(was.attempts(), was.outliers());
    heardAt = was.heardAt();
    was.users().forEach((user, said) -> keep(user, UserWeight.of(said, was.own().get(user))));
    if (sameEstimator) {
      try {
        estimator.restore(was.estimatorState().stream().mapToDouble(Double::doubleValue).toArray());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(was.name() + ": " + e.getMessage(), e);
      }
    }
  }

  MachineSnapshot.Machine snapshot(String name) {
    Map<String, List<Double>> weights = new TreeMap<>();
    Map<String, Double> own = new TreeMap<>();
    users.forEach(
        (user, weight) -> {
          weights.put(user, weight.figures());
          own.put(user, weight.unbounded());
        });
    DecayingShare counting = outputs.counting();
    return new MachineSnapshot.Machine(
        name,
        heardAt,
        attempts.all(),
        attempts.some(),
        counting.all(),
        counting.some(),
        Arrays.stream(estimator.figures()).boxed().toList(),
        weights,
        own,
        outputs.figures());
  }

  /**
   * Returns the weight of outcomes, and enters them in the accounts of all users.
   *
   * @param user the user whose job reports them; empty if the reports are trusted
   * @return in [0,1]
   */
  double weigh(
      Optional<String> user, AdmittedOutcomes outcomes, double p, MachineSettings settings) {
    double against = MixtureEstimator.evidence(outcomes, p);
    String speaker = user.orElse(null);
    users.forEach(
        (name, account) -> {
          if (!name.equals(speaker)) {
            account.othersSay(against);
          }
        });
    if (user.isEmpty()) {
      return 1;
    }
    UserWeight account = users.getOrDefault(speaker, new UserWeight());
    double weight = account.weigh(outcomes, p, settings);
    keep(speaker, account);
    return weight;
  }

  /**
   * Keeps an account unless it is empty. If there are too many, the smallest account of another
   * user is dropped. That user may repeat its few reports. The account of the reporting user is
   * never dropped, because that user could then repeat its reports again and again.
   */
  private void keep(String user, UserWeight account) {
    if (account.isEmpty()) {
      users.remove(user);
      return;
    }
    users.put(user, account);
    if (users.size() > MAX_USERS) {
      users.entrySet().stream()
          .filter(other -> !other.getKey().equals(user))
          .min(Comparator.comparingDouble(other -> other.getValue().sum()))
          .ifPresent(least -> users.remove(least.getKey()));
    }
  }

  /** Passes p_m for each user's own jobs to {@code told}, if it differs from that for others. */
  void forEachOwn(double p, ObjDoubleConsumer<String> told) {
    users.forEach(
        (user, account) ->
            estimator.probabilityFor(account, p).ifPresent(own -> told.accept(user, own)));
  }

  /**
   * Counts outcomes in the current window.
   *
   * @param user the user whose job reports them; empty if the reports are trusted
   * @param weight of judged attempts in what is learnt, in [0,1]; people are shown all of them
   * @param ofAll the outputs of all machines, which change as those of this one do
   */
  void count(
      Optional<String> user, AdmittedOutcomes outcomes, double weight, OutputAccounts ofAll) {
    String speaker = user.orElse(WindowEvidence.TRUSTED);
    attempts.add(weight * outcomes.attempts(), weight * outcomes.outliers());
    double lost = outputs.add(speaker, outcomes.outputs(), outcomes.lost());
    ofAll.add(speaker, outcomes.outputs(), lost);
    outputs.limit(MAX_USERS, speaker, ofAll);
    attemptsNow += outcomes.attempts();
    outliersNow += outcomes.outliers();
    weightedNow += weight * outcomes.attempts();
    weightedOutliersNow += weight * outcomes.outliers();
    if (outcomes.outliers() > 0 && accusersNow.size() < MAX_USERS) {
      accusersNow.add(speaker);
    }
  }

  /** Ends a number of windows, at least 1. */
  void windowsEnd(
      int windows, double p, double attemptsKept, double outputsKept, MachineSettings settings) {
    estimator.windowsEnd(windows, p);
    double usersKept = Math.pow(settings.keptEachWindow(settings.memory()), windows);
    users.values().forEach(user -> user.windowsEnd(usersKept, p, settings));
    users.values().removeIf(UserWeight::isForgotten);
    attempts.fade(attemptsKept);
    outputs.fade(outputsKept);
    attemptsBefore = windows == 1 ? attemptsNow : 0;
    outliersBefore = windows == 1 ? outliersNow : 0;
    attemptsNow = 0;
    outliersNow = 0;
    before =
        windows == 1
            ? new WindowEvidence(0, weightedNow, weightedOutliersNow, Set.copyOf(accusersNow))
            : WindowEvidence.NONE;
    weightedNow = 0;
    weightedOutliersNow = 0;
    accusersNow.clear();
  }

  /**
   * Returns what people and the quarantine are told.
   *
   * @param begin when the last complete window began, in seconds
   */
  MachineFigures figures(
      String name, OptionalDouble probability, OptionalDouble lossProbability, double begin) {
    return new MachineFigures(
        name,
        attemptsBefore,
        outliersBefore,
        probability,
        lossProbability,
        new WindowEvidence(begin, before.attempts(), before.outliers(), before.accusers()));
  }
}
