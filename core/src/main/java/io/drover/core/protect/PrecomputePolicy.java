// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import io.drover.core.protect.ReplicationPolicy.KeptOutput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * Chooses the outputs to make again before anybody misses them. Machines lose outputs in clutches,
 * until what ails them is mended; so
 *
 * <pre>
 *   a machine is suspect at now   if at least r recomputations were its fault
 *                                 in (now - window, now]
 *   an output is re-made          if all machines that keep it are suspect, somebody has still to
 *                                 read it, and its task's own time is within the budget;
 *                                 longest t_redo first
 * </pre>
 *
 * <p>Source: Mantri sections 5.3 and 6.5, slides 12 and 13. Section 5.3 takes one recomputation for
 * "the onset of a temporal problem"; section 6.5 finds that with two in quick succession 93 % of
 * the re-runs are needed rather than 76 %, so r is 2 by default. The window's length, and when a
 * machine is trusted again, are not in the paper: here as soon as fewer than r fall into the window
 * that ends now.
 *
 * <p>The paper does not say who is first when the budget is short; here the output that would stall
 * its readers longest. One that does not fit is passed over for shorter ones that do: what they
 * save is certain, what tokens may come is not. A re-run is charged the task's own time; that its
 * inputs may have to be made again too is rare enough to be left out.
 *
 * <p>It says nothing of outputs with a copy on a machine that is not suspect, which is where their
 * readers should turn. It does not choose the machine of a re-run: that is the caller's, any that
 * is not suspect. Its own re-runs are no recomputations: a caller that reports them would feed the
 * suspicion with itself.
 */
public final class PrecomputePolicy {
  private static final Comparator<KeptOutput> LONGEST_FIRST =
      Comparator.comparingDouble(output -> -output.redo().seconds());

  private final int suspectAfter;
  private final double windowSeconds;
  private final Map<String, Deque<Double>> recomputations = new HashMap<>();

  /** No machine is suspect yet. */
  public PrecomputePolicy(ProtectSettings settings) {
    suspectAfter = settings.suspectAfter();
    windowSeconds = settings.windowSeconds();
  }

  /**
   * A task had to be run again because a reader could not get its output from a machine. Amortised
   * O(1); what is older than the window is forgotten, so events may come late, but not by more.
   *
   * @param at seconds, finite
   */
  public void recomputed(String machine, double at) {
    if (!Double.isFinite(at)) {
      throw new IllegalArgumentException("at must be finite, was " + at);
    }
    Deque<Double> times = recomputations.computeIfAbsent(machine, m -> new ArrayDeque<>());
    times.addLast(at);
    while (times.size() > 1 && times.peekFirst() <= at - windowSeconds) {
      times.removeFirst();
    }
  }

  /** How many recomputations were a machine's fault in the window that ends now. */
  public int recomputations(String machine, double now) {
    int within = 0;
    for (double at : recomputations.getOrDefault(machine, new ArrayDeque<>())) {
      within += at > now - windowSeconds && at <= now ? 1 : 0;
    }
    return within;
  }

  /** Whether all that a machine keeps is to be taken for lost. */
  public boolean isSuspect(String machine, double now) {
    return recomputations(machine, now) >= suspectAfter;
  }

  /** All machines that are suspect, by name. */
  public Set<String> suspects(double now) {
    return new TreeSet<>(suspicions(now).keySet());
  }

  /** The suspect machines, with the number of their recomputations. */
  private Map<String, Integer> suspicions(double now) {
    Map<String, Integer> suspicions = new HashMap<>();
    for (String machine : recomputations.keySet()) {
      int within = recomputations(machine, now);
      if (within >= suspectAfter) {
        suspicions.put(machine, within);
      }
    }
    return suspicions;
  }

  /**
   * Decides on the outputs that are kept by suspect machines alone, and spends the budget for those
   * that are to be made again.
   *
   * @param outputs of one job, without those that are being made again already
   * @param budget of that job
   * @param now seconds
   * @return longest t_redo first, those of equal length in the given order; nothing of other
   *     outputs
   */
  public List<Protection> decide(List<KeptOutput> outputs, PrecomputeBudget budget, double now) {
    Map<String, Integer> suspicions = outputs.isEmpty() ? Map.of() : suspicions(now);
    if (suspicions.isEmpty()) {
      return List.of();
    }
    List<KeptOutput> suspected = new ArrayList<>();
    for (KeptOutput output : outputs) {
      if (suspicions.keySet().containsAll(output.machines())) {
        suspected.add(output);
      }
    }
    suspected.sort(LONGEST_FIRST);
    List<Protection> decisions = new ArrayList<>();
    for (KeptOutput output : suspected) {
      int fewest = output.machines().stream().mapToInt(suspicions::get).min().getAsInt();
      decisions.add(decision(output, fewest, budget, now));
    }
    return decisions;
  }

  private static ProtectionRule rule(KeptOutput output, PrecomputeBudget budget) {
    if (!output.unread()) {
      return ProtectionRule.READ_BY_ALL;
    }
    return budget.take(output.redo().ownSeconds())
        ? ProtectionRule.MACHINE_SUSPECT
        : ProtectionRule.NO_EXTRA_TIME;
  }

  private static Protection decision(
      KeptOutput output, int recomputations, PrecomputeBudget budget, double now) {
    ProtectionRule rule = rule(output, budget);
    return new Protection(
        now,
        output,
        rule,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalInt.of(recomputations),
        budget.leftSeconds());
  }
}
