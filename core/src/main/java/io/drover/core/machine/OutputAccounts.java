// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import io.drover.core.machine.MachineStatistics.WindowEvidence;
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
 * more lost ones, as for links ({@link RackBandwidths}):
 *
 * <pre>
 *   w = min(1, O / o)
 *   outputs that count = w o            lost outputs that count = min(w l, L)
 * </pre>
 *
 * <p>o and l are the outputs and the lost outputs of the user's jobs, and O and L those of all
 * others. Those of trusted users count in full. So one user at most doubles the lost outputs that
 * others have seen, or halves their share, and adds none where others have lost none. Two users who
 * lose outputs on a machine make it known. Of users who agree and keep about as many outputs,
 * everything counts.
 *
 * <p>The bound protects <em>other users</em>, as in {@link UserWeight}. A user whose lost outputs
 * do not all count for lack of others who lost as many has a share of its own, of what its jobs
 * have kept and lost. This is not in the papers, whose clusters trust their jobs.
 */
final class OutputAccounts {
  /** An account of fewer outputs is forgotten: of one output, after 3.3 half-lives. */
  private static final double NOTHING = 0.1;

  private final Map<String, DecayingShare> users = new TreeMap<>();

  /**
   * Counts outputs. Lost ones of a user without an account, whose outputs are forgotten, are
   * ignored.
   *
   * @param user whose jobs report them; {@link WindowEvidence#TRUSTED} if the reports are trusted
   */
  void add(String user, double outputs, double lost) {
    if (outputs > 0 || users.containsKey(user)) {
      users.computeIfAbsent(user, u -> new DecayingShare()).add(outputs, lost);
    }
  }

  /** Counts all outputs of other accounts. */
  void addAll(OutputAccounts others) {
    others.users.forEach((user, share) -> add(user, share.all(), share.some()));
  }

  /**
   * Drops the account with the fewest outputs if there are more than {@code most}, but none of
   * trusted users and not that of {@code user}, who reports right now: otherwise no new user would
   * ever have one.
   */
  void limit(int most, String user) {
    if (users.size() > most) {
      users.entrySet().stream()
          .filter(other -> !other.getKey().equals(user) && !isTrusted(other.getKey()))
          .min(Comparator.comparingDouble(other -> other.getValue().all()))
          .ifPresent(fewest -> users.remove(fewest.getKey()));
    }
  }

  private static boolean isTrusted(String user) {
    return user.equals(WindowEvidence.TRUSTED);
  }

  /** Multiplies all counts by {@code factor}, in [0,1]. */
  void fade(double factor) {
    users.values().forEach(share -> share.fade(factor));
    users.values().removeIf(share -> share.all() < NOTHING);
  }

  /** Returns what counts for everybody. */
  DecayingShare counting() {
    DecayingShare all = all();
    DecayingShare counting = new DecayingShare();
    users.forEach(
        (user, own) -> {
          if (isTrusted(user)) {
            counting.add(own.all(), own.some());
          } else {
            DecayingShare others = others(all, own);
            double weight = weight(own, others);
            counting.add(weight * own.all(), Math.min(weight * own.some(), others.some()));
          }
        });
    return counting;
  }

  /**
   * Passes to {@code told} each user whose lost outputs do not all count for lack of others who
   * lost as many, with all that this user's jobs have kept and lost.
   */
  void forEachUnconfirmed(BiConsumer<String, DecayingShare> told) {
    DecayingShare all = all();
    users.forEach(
        (user, own) -> {
          DecayingShare others = others(all, own);
          double weight = weight(own, others);
          boolean isConfirmed = weight > 0 && weight * own.some() <= others.some();
          if (!isTrusted(user) && own.some() > 0 && !isConfirmed) {
            told.accept(user, own);
          }
        });
  }

  private DecayingShare all() {
    DecayingShare all = new DecayingShare();
    users.values().forEach(share -> all.add(share.all(), share.some()));
    return all;
  }

  /** Returns what is left of all without a user's own. */
  private static DecayingShare others(DecayingShare all, DecayingShare own) {
    DecayingShare others = new DecayingShare();
    // Rounding may leave less than nothing.
    others.add(Math.max(0, all.all() - own.all()), Math.max(0, all.some() - own.some()));
    return others;
  }

  /** Returns w. */
  private static double weight(DecayingShare own, DecayingShare others) {
    return Math.min(1, others.all() / own.all());
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
