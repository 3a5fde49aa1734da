// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import io.drover.core.machine.MachineStatistics.WindowEvidence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Counts the outputs that each user's jobs have kept, and how many of them were lost: on one
 * machine, or on all.
 *
 * <p>{@link ClaimLedger} bounds what an application claims by its containers. That is not enough: a
 * user with a few containers on each machine, who reports all of their outputs as lost, could make
 * all jobs of the cluster replicate theirs. One with many containers, who reports none, could hide
 * what others lose. So of one user's jobs no more outputs count than of all others together, and no
 * more lost ones than count of theirs, as for links ({@link RackBandwidths}):
 *
 * <pre>
 *   w = min(1, O / o)
 *   outputs that count = w o            lost outputs that count = min(w l, L)
 * </pre>
 *
 * <p>o and l are the outputs and the lost outputs of the user's jobs. O are the outputs of all
 * others, and L the sum of their w l. Those of trusted users count in full: their w is 1. So one
 * user at most doubles the lost outputs of others that count, or halves their share, and adds none
 * where others have lost none. Two users who lose outputs on a machine make it known. Of users who
 * agree and keep about as many outputs, everything counts. L is not the sum of all l: few outputs
 * count of a user who keeps most of them, but the lost ones may be many, and would then let another
 * user of few outputs say that nearly all are lost.
 *
 * <p>The bound protects <em>other users</em>, as in {@link UserWeight}. A user whose lost outputs
 * do not all count has a share of its own, of what its jobs have kept and lost. This is not in the
 * papers, whose clusters trust their jobs.
 */
final class OutputAccounts {
  /** An account of fewer outputs is forgotten: of one output, after 3.3 half-lives. */
  private static final double NOTHING = 0.1;

  private final Map<String, DecayingShare> users = new TreeMap<>();

  /**
   * What follows from the accounts; null once they have changed. Most machines have no news between
   * two rounds of the scheduler, which asks about all.
   */
  private Counted counted;

  /**
   * What follows from all accounts together.
   *
   * @param forAll what counts for everybody
   * @param unconfirmed the users whose lost outputs do not all count
   */
  private record Counted(DecayingShare forAll, List<String> unconfirmed) {}

  /**
   * Counts outputs. Lost ones of a user without an account, whose outputs are forgotten, are
   * ignored, and so are more lost ones than an account has outputs.
   *
   * @param user whose jobs report them; {@link WindowEvidence#TRUSTED} if the reports are trusted
   * @return how many of the lost ones were counted
   */
  double add(String user, double outputs, double lost) {
    if (outputs <= 0 && !users.containsKey(user)) {
      return 0;
    }
    counted = null;
    DecayingShare own = users.computeIfAbsent(user, u -> new DecayingShare());
    double before = own.some();
    own.add(outputs, lost);
    return own.some() - before;
  }

  /** Counts all outputs of other accounts. */
  void addAll(OutputAccounts others) {
    others.users.forEach((user, share) -> add(user, share.all(), share.some()));
  }

  /**
   * Drops the account with the fewest outputs if there are more than {@code most}, but none of
   * trusted users and not that of {@code user}, who reports right now: otherwise no new user would
   * ever have one.
   *
   * @param sum accounts that include these; the dropped outputs are taken from them too
   */
  void limit(int most, String user, OutputAccounts sum) {
    if (users.size() > most) {
      users.entrySet().stream()
          .filter(other -> !other.getKey().equals(user) && !isTrusted(other.getKey()))
          .min(Comparator.comparingDouble(other -> other.getValue().all()))
          .map(Map.Entry::getKey)
          .ifPresent(fewest -> sum.subtract(fewest, drop(fewest)));
    }
  }

  private DecayingShare drop(String user) {
    counted = null;
    return users.remove(user);
  }

  private void subtract(String user, DecayingShare part) {
    DecayingShare own = of(user);
    own.subtract(part);
    counted = null;
    if (own.all() < NOTHING) {
      drop(user);
    }
  }

  private static boolean isTrusted(String user) {
    return user.equals(WindowEvidence.TRUSTED);
  }

  /** Multiplies all counts by {@code factor}, in [0,1]. */
  void fade(double factor) {
    counted = null;
    users.values().forEach(share -> share.fade(factor));
    users.values().removeIf(share -> share.all() < NOTHING);
  }

  /** Returns what counts for everybody. It must not be changed. */
  DecayingShare counting() {
    return counted().forAll;
  }

  /**
   * Passes to {@code told} each user whose lost outputs do not all count, with all that this user's
   * jobs have kept and lost.
   */
  void forEachUnconfirmed(BiConsumer<String, DecayingShare> told) {
    counted().unconfirmed.forEach(user -> told.accept(user, of(user)));
  }

  private Counted counted() {
    if (counted == null) {
      counted = count();
    }
    return counted;
  }

  private Counted count() {
    double outputs = users.values().stream().mapToDouble(DecayingShare::all).sum();
    double lost = 0;
    for (Map.Entry<String, DecayingShare> entry : users.entrySet()) {
      DecayingShare own = entry.getValue();
      lost += weight(entry.getKey(), own, outputs) * own.some();
    }
    DecayingShare forAll = new DecayingShare();
    List<String> unconfirmed = new ArrayList<>();
    for (Map.Entry<String, DecayingShare> entry : users.entrySet()) {
      String user = entry.getKey();
      DecayingShare own = entry.getValue();
      double weight = weight(user, own, outputs);
      double ownLost = weight * own.some();
      // Rounding may leave less than nothing.
      double most = isTrusted(user) ? ownLost : Math.max(0, lost - ownLost);
      forAll.add(weight * own.all(), Math.min(ownLost, most));
      if (ownLost < own.some() || ownLost > most) {
        unconfirmed.add(user);
      }
    }
    return new Counted(forAll, List.copyOf(unconfirmed));
  }

  /** Returns w, of a user with an account. */
  private static double weight(String user, DecayingShare own, double outputs) {
    return isTrusted(user) ? 1 : Math.min(1, Math.max(0, outputs - own.all()) / own.all());
  }

  /** Returns what a user's jobs have kept and lost; nothing if the user has no account. */
  DecayingShare of(String user) {
    return users.getOrDefault(user, new DecayingShare());
  }

  /** Returns the outputs and the lost outputs of each user, for a snapshot. */
  Map<String, List<Double>> figures() {
    Map<String, List<Double>> figures = new TreeMap<>();
    users.forEach((user, share) -> figures.put(user, List.of(share.all(), share.some())));
    return figures;
  }

  /**
   * Restores accounts from a snapshot.
   *
   * @param figures what {@link #figures} returned, checked by {@link MachineSnapshot}
   */
  static OutputAccounts of(Map<String, List<Double>> figures) {
    OutputAccounts accounts = new OutputAccounts();
    figures.forEach((user, figure) -> accounts.add(user, figure.get(0), figure.get(1)));
    return accounts;
  }
}
