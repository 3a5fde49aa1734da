// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import io.drover.core.protect.Protection.Figure;
import io.drover.core.protect.ReplicationPolicy.KeptOutput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/**
 * Chooses the outputs to make again before any reader misses them. A machine that loses outputs
 * loses many of them until its problem is fixed. So:
 *
 * <pre>
 *   a machine is suspect at now   if at least r recomputations were its fault
 *                                 in (now - window, now]
 *   an output is made again       if all machines that keep it are suspect, some reader still needs
 *                                 it, and its task's own time is within the budget;
 *                                 longest t_redo first
 * </pre>
 *
 * <p>Source: Mantri sections 5.3 and 6.5, slides 12 and 13. Section 5.3 takes one recomputation for
 * "the onset of a temporal problem". Section 6.5 finds that with two in quick succession 93 % of
 * the re-runs are needed rather than 76 %, so r is 2 by default. The paper does not give the
 * window's length, nor when a machine is trusted again; here it is when fewer than r recomputations
 * lie in the window that ends now.
 *
 * <p>The paper does not say which output is first when the budget is short. Here it is the one that
 * would stall its readers longest. An output that does not fit is skipped in favour of shorter ones
 * that do, because their savings are certain and future tokens are not. A re-run is charged the
 * task's own time. Its inputs may have to be made again too, but that is rare enough to be ignored.
 *
 * <p><b>Machines that do not answer.</b> The outputs on a machine that is silent ({@link
 * SilentMachines}) are out of reach, whatever has become of them, and readers wait. An output is
 * made again:
 *
 * <pre>
 *   as long as slots are free     at once: nobody else needs them
 *   as far as the budget goes     at once: this is what it is for
 *   beyond that                   when its machine has been silent for as long as its task takes
 * </pre>
 *
 * <p>The last is the rule of "rent or buy": it never costs more than twice what it would cost to
 * know beforehand when the machine comes back. Free slots count as for Mantri's copies (section
 * 5.1.1), which save time rather than slots when no task waits. The paper has nothing for silent
 * machines: its machines fail, and the cluster says so.
 *
 * <p><b>Machines from which outputs crawl</b> ({@link CrawlingMachines}) are lost ones in the
 * making: if fetching what is there takes more than twice as long as to make it again elsewhere, it
 * is made again, on free slots only: a reduce that would have to end for it would lose what it has
 * fetched. The outputs of suspect machines need a free slot as well. Re-runs take turns on the free
 * slots. Twice, because both times are estimates. The old outputs stay, and a reader may have read
 * them first.
 *
 * <p>The policy ignores outputs with a copy on a machine that is not suspect, because readers can
 * use that copy. It does not choose the machine of a re-run; the caller may take any that is not
 * suspect. The policy's own re-runs are not recomputations: if a caller reported them, the
 * suspicion would feed itself.
 */
public final class PrecomputePolicy {
  private static final Comparator<KeptOutput> LONGEST_FIRST =
      Comparator.comparingDouble(output -> -output.redo().seconds());

  /** How much longer fetching must take than making again. */
  private static final double PAYS = 2;

  /**
   * What speaks against machines, besides their recomputations.
   *
   * @param silent the machines that do not answer, and for how many seconds by now
   * @param crawling the machines from which outputs crawl, and in how many seconds all will have
   *     been fetched
   */
  public record Doubts(Map<String, Double> silent, Map<String, Double> crawling) {
    /** Nothing. */
    public static final Doubts NONE = new Doubts(Map.of(), Map.of());
  }

  private final int suspectAfter;
  private final double windowSeconds;
  private final Map<String, Deque<Double>> recomputations = new HashMap<>();

  /** Creates a policy without suspect machines. */
  public PrecomputePolicy(ProtectSettings settings) {
    suspectAfter = settings.suspectAfter();
    windowSeconds = settings.windowSeconds();
  }

  /**
   * Notes that a task had to run again because a reader could not get its output from a machine.
   * Amortised O(1). Older entries than the window are dropped, so events may be late, but not by
   * more.
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

  /** Returns how many recomputations were a machine's fault in the window that ends now. */
  public int recomputations(String machine, double now) {
    int within = 0;
    for (double at : recomputations.getOrDefault(machine, new ArrayDeque<>())) {
      within += at > now - windowSeconds && at <= now ? 1 : 0;
    }
    return within;
  }

  /** Returns whether all outputs on a machine should be considered lost. */
  public boolean isSuspect(String machine, double now) {
    return recomputations(machine, now) >= suspectAfter;
  }

  /** Returns all suspect machines, by name. */
  public Set<String> suspects(double now) {
    return new TreeSet<>(suspicions(now).keySet());
  }

  /** Returns the suspect machines with the number of their recomputations. */
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

  /** Decides as below if every machine answers in time and slots are free. */
  public List<Protection> decide(List<KeptOutput> outputs, PrecomputeBudget budget, double now) {
    return decide(outputs, budget, Doubts.NONE, Integer.MAX_VALUE, now);
  }

  /**
   * Decides about the outputs that only suspect, silent or crawling machines keep, and spends the
   * budget for those to make again.
   *
   * @param outputs outputs of one job, without those that are already being made again
   * @param budget the budget of that job
   * @param doubts what else speaks against machines
   * @param freeSlots how many tasks could start now without keeping others from it, at least 0
   * @param now seconds
   * @return the decisions, longest t_redo first, ties in the given order; none about other outputs
   */
  public List<Protection> decide(
      List<KeptOutput> outputs, PrecomputeBudget budget, Doubts doubts, int freeSlots, double now) {
    Map<String, Integer> suspicions = outputs.isEmpty() ? Map.of() : suspicions(now);
    Set<String> doubtful = new HashSet<>(suspicions.keySet());
    doubtful.addAll(doubts.silent.keySet());
    doubtful.addAll(doubts.crawling.keySet());
    List<KeptOutput> doubted = new ArrayList<>();
    for (KeptOutput output : outputs) {
      if (doubtful.containsAll(output.machines())) {
        doubted.add(output);
      }
    }
    doubted.sort(LONGEST_FIRST);
    Map<List<String>, Integer> together = new HashMap<>();
    doubted.forEach(output -> together.merge(output.machines(), 1, Integer::sum));
    List<Protection> decisions = new ArrayList<>();
    int free = freeSlots;
    for (KeptOutput output : doubted) {
      Doubt doubt = doubt(output, suspicions, doubts, together.get(output.machines()), freeSlots);
      Protection decision = doubt.decide(output, free > 0, budget, now);
      free -= free > 0 && decision.action() == ProtectionRule.Action.RECOMPUTE ? 1 : 0;
      decisions.add(decision);
    }
    return decisions;
  }

  private static Doubt doubt(
      KeptOutput output,
      Map<String, Integer> suspicions,
      Doubts doubts,
      int together,
      int freeSlots) {
    List<String> machines = output.machines();
    if (doubts.silent.keySet().containsAll(machines)) {
      double silent = least(machines, doubts.silent).getAsDouble();
      boolean isLong = silent >= output.redo().ownSeconds();
      return new Doubt(
          ProtectionRule.MACHINE_SILENT,
          isLong ? ProtectionRule.MACHINE_SILENT : ProtectionRule.NO_EXTRA_TIME,
          Map.of(Figure.SILENT_SECONDS, silent));
    }
    OptionalDouble fewest = least(machines, suspicions);
    if (fewest.isPresent()) {
      return new Doubt(
          ProtectionRule.MACHINE_SUSPECT,
          ProtectionRule.NO_EXTRA_TIME,
          Map.of(Figure.RECOMPUTATIONS, fewest.getAsDouble()));
    }
    double fetch = least(machines, doubts.crawling).getAsDouble();
    double turns = Math.ceil(together / (double) Math.max(1, freeSlots));
    boolean pays = fetch > PAYS * turns * output.redo().ownSeconds();
    return new Doubt(
        pays ? ProtectionRule.MACHINE_CRAWLS : ProtectionRule.FETCHING_IS_FASTER,
        ProtectionRule.NO_EXTRA_TIME,
        Map.of(Figure.FETCH_SECONDS, fetch));
  }

  /** Returns the least of the values that some machines have; empty if none has one. */
  private static OptionalDouble least(List<String> machines, Map<String, ? extends Number> values) {
    return machines.stream()
        .filter(values::containsKey)
        .mapToDouble(machine -> values.get(machine).doubleValue())
        .min();
  }

  /**
   * What speaks against the machines of an output.
   *
   * @param rule what to do about it
   * @param otherwise what to do if slots or the budget are short
   */
  private record Doubt(ProtectionRule rule, ProtectionRule otherwise, Map<Figure, Double> figures) {

    private Protection decide(
        KeptOutput output, boolean isFree, PrecomputeBudget budget, double now) {
      ProtectionRule fired = rule(output, isFree, budget);
      return new Protection(now, output, fired, figures, budget.leftSeconds());
    }

    private ProtectionRule rule(KeptOutput output, boolean isFree, PrecomputeBudget budget) {
      if (!output.unread()) {
        return ProtectionRule.READ_BY_ALL;
      }
      double own = output.redo().ownSeconds();
      boolean isGranted =
          switch (rule) {
            case MACHINE_SILENT -> isFree || budget.take(own);
            case MACHINE_SUSPECT -> isFree && budget.take(own);
            case MACHINE_CRAWLS -> isFree;
            default -> true;
          };
      return isGranted ? rule : otherwise;
    }
  }
}
