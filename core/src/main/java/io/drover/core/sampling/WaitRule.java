// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.Locale;
import java.util.function.IntToDoubleFunction;

/**
 * Decides how long to wait after the K-th output for a better choice:
 *
 * <pre>
 *   minimise  F_i + S_i   over  finished &lt;= i &lt;= M
 * </pre>
 *
 * <p>where F_i is the time of the i-th output (the paper's F_K + D_i) and S_i the transfer time of
 * the best K of the first i. The caller asks again at each finish, with what is known then.
 *
 * <p>Source: KMN section 4.3. It has two rules to avoid trying all i: <em>bound</em> stops when the
 * delay is above the largest possible gain, S_K - S_M; <em>coalesce</em> takes finishes that are
 * less than delta apart as one. Departure: here one rule covers both. S does not rise with i, so if
 * S_b is known
 *
 * <pre>
 *   F_i + S_i &gt;= F_(a+1) + S_b   for all i with a &lt; i &lt; b
 * </pre>
 *
 * <p>and those i are left out if that is not better than the best result by more than delta.
 * Otherwise they are halved in time. The result is off by at most delta. The printed rule is not:
 * it compares neighbours ({@code D_i+1 - D_i < delta}), and a chain of close neighbours may be far
 * longer than delta. The paper also does not say what its 1 % refers to. Here it is the time from
 * the stage's start to the end of a transfer that begins now.
 *
 * <p>The rule never waits for outputs without a forecast, and decides nothing before K outputs are
 * there.
 */
public final class WaitRule {
  private final double coalesce;

  /** Creates the rule with the delta of the settings. */
  public WaitRule(SamplingSettings settings) {
    this.coalesce = settings.coalesce();
  }

  private static final class Search {
    private final double now;
    private final int finished;
    private final double[] coming;
    private final IntToDoubleFunction transfer;
    private final double delta;
    private int searched;
    private int best;
    private double bestTransfer;
    private double bestEnd = Double.POSITIVE_INFINITY;

    private Search(
        double now, int finished, double[] coming, IntToDoubleFunction transfer, double delta) {
      this.now = now;
      this.finished = finished;
      this.coming = coming;
      this.transfer = transfer;
      this.delta = delta;
    }

    /** Returns F. */
    private double at(int outputs) {
      return outputs == finished ? now : Math.max(now, coming[outputs - finished - 1]);
    }

    /** Computes S for that many outputs, and keeps the result if it is the best so far. */
    private double look(int outputs) {
      double seconds = transfer(transfer, outputs);
      searched++;
      if (at(outputs) + seconds < bestEnd) {
        best = outputs;
        bestTransfer = seconds;
        bestEnd = at(outputs) + seconds;
      }
      return seconds;
    }

    /** Searches between two numbers of outputs, the larger of which has been evaluated. */
    private void between(int low, int high, double transferOfHigh) {
      if (high - low < 2 || at(low + 1) + transferOfHigh >= bestEnd - delta) {
        return;
      }
      int middle = middle(low, high);
      double transferOfMiddle = look(middle);
      if (at(low + 1) + transferOfMiddle < at(middle + 1) + transferOfHigh) {
        between(low, middle, transferOfMiddle);
        between(middle, high, transferOfHigh);
      } else {
        between(middle, high, transferOfHigh);
        between(low, middle, transferOfMiddle);
      }
    }

    /** Returns the last number of outputs in the first half of that time; it is neither end. */
    private int middle(int low, int high) {
      double half = (at(low + 1) + at(high)) / 2;
      int below = low + 1;
      int above = high;
      while (above - below > 1) {
        int middle = (below + above) >>> 1;
        if (at(middle) <= half) {
          below = middle;
        } else {
          above = middle;
        }
      }
      return below;
    }

    private WaitDecision decision(WaitDecision.Reason reason, double end) {
      double start = at(best);
      int configurations = coming.length + 1;
      return new WaitDecision(
          reason, best, start, start - now, bestTransfer, end - bestEnd, searched, configurations);
    }
  }

  /**
   * Returns the decision.
   *
   * @param stageStart when the stage began, seconds
   * @param now seconds, not before {@code stageStart}
   * @param needed K
   * @param finished outputs that are there, at least K
   * @param coming when further outputs are expected, ascending, seconds; a past time counts as now
   * @param transfer S: for a number n, the transfer time of the best K of the first n outputs,
   *     seconds, at least 0; not larger for more outputs
   */
  public WaitDecision decide(
      double stageStart,
      double now,
      int needed,
      int finished,
      double[] coming,
      IntToDoubleFunction transfer) {
    check(needed, finished, coming);
    if (!(now >= stageStart)) {
      throw new IllegalArgumentException("now is " + now + ", before the start " + stageStart);
    }
    double end = now + transfer(transfer, finished);
    double delta = coalesce * (end - stageStart);
    Search search = new Search(now, finished, coming, transfer, delta);
    search.look(finished);
    if (coming.length == 0) {
      return search.decision(WaitDecision.Reason.NOTHING_TO_WAIT_FOR, end);
    }
    int all = finished + coming.length;
    if (search.at(finished + 1) < end) { // else even a transfer in no time would not pay
      search.between(finished, all, search.look(all));
    }
    return search.decision(
        search.best == finished ? WaitDecision.Reason.NO_GAIN : WaitDecision.Reason.BETTER_CHOICE,
        end);
  }

  private static double transfer(IntToDoubleFunction transfer, int outputs) {
    double seconds = transfer.applyAsDouble(outputs);
    if (!(seconds >= 0 && seconds < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a transfer cannot take " + seconds + " seconds");
    }
    return seconds;
  }

  private static void check(int needed, int finished, double[] coming) {
    if (needed < 1 || finished < needed) {
      throw new IllegalArgumentException(
          "the wait begins with the K-th output, but there are " + finished + " of " + needed);
    }
    double last = Double.NEGATIVE_INFINITY;
    for (double at : coming) {
      if (!(at >= last && at < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("finish times must ascend, but " + at + " does not");
      }
      last = at;
    }
  }

  /**
   * For how many outputs the next stage waits, and what that is expected to cost and save.
   *
   * @param outputs K', the number of outputs to wait for; if the stage starts now, all are there
   * @param startAt when they are expected, seconds
   * @param delaySeconds how much later the stage starts than now
   * @param transferSeconds S, of the best K of these outputs
   * @param savedSeconds how much sooner the transfer ends than with a start now; at least 0
   * @param searched values of K' for which a transfer was estimated
   * @param configurations the number of possible values of K'
   */
  public record WaitDecision(
      Reason reason,
      int outputs,
      double startAt,
      double delaySeconds,
      double transferSeconds,
      double savedSeconds,
      int searched,
      int configurations) {
    /** Why to wait or to start. */
    public enum Reason {
      /** Start: no further outputs are expected. */
      NOTHING_TO_WAIT_FOR,
      /** Start: waiting for any better choice would take longer than it saves. */
      NO_GAIN,
      /** Wait: a better choice saves more than the wait costs. */
      BETTER_CHOICE
    }

    /** Returns whether the next stage is to start now. */
    public boolean startsNow() {
      return reason != Reason.BETTER_CHOICE;
    }

    /** Returns one line for a log. */
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s: %d outputs in %.1f s, transfer %.1f s, saves %.1f s (searched %d of %d)",
          reason,
          outputs,
          delaySeconds,
          transferSeconds,
          savedSeconds,
          searched,
          configurations);
    }
  }
}
