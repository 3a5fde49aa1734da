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
 *   F_i + S_i &gt;= F_i + S_b   for all i &lt; b
 * </pre>
 *
 * <p>and those i are left out for which that is not better than the best result by more than delta.
 * The search goes down from M, and the next i that is tried is the last one that is not left out.
 * The result is off by at most delta. The printed rule is not: it compares neighbours ({@code D_i+1
 * - D_i < delta}), and a chain of close neighbours may be far longer than delta. The paper also
 * does not say what its 1 % refers to. Here it is the time from the stage's start to the end of a
 * transfer that begins now.
 *
 * <p>The rule never waits for outputs without a forecast, and decides nothing before K outputs are
 * there.
 */
public final class WaitRule {
  /**
   * The first search leaves out what is not better by this many deltas. It is our choice: a good
   * result early lets the second search leave out more.
   */
  private static final double COARSE = 15;

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
    private int searched;
    private int best;
    private double bestTransfer;
    private double bestEnd = Double.POSITIVE_INFINITY;

    private Search(double now, int finished, double[] coming, IntToDoubleFunction transfer) {
      this.now = now;
      this.finished = finished;
      this.coming = coming;
      this.transfer = transfer;
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

    /**
     * Searches from the most outputs downwards, and leaves out those that are not better than the
     * best by more than a slack.
     *
     * @param least S of all outputs
     */
    private void searchDown(int all, double least, double slack) {
      double transferOfMore = least;
      int outputs = firstTooLate(all, least, slack) - 1;
      while (outputs > finished) {
        transferOfMore = look(outputs);
        outputs = firstTooLate(outputs, transferOfMore, slack) - 1;
      }
    }

    /**
     * Returns the first number of outputs that come too late.
     *
     * @param least S of {@code high} outputs, which is at most S of fewer
     */
    private int firstTooLate(int high, double least, double slack) {
      int below = finished;
      int above = high;
      while (above - below > 1) {
        int middle = (below + above) >>> 1;
        if (at(middle) + least < bestEnd - slack) {
          below = middle;
        } else {
          above = middle;
        }
      }
      return above;
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
    Search search = new Search(now, finished, coming, transfer);
    search.look(finished);
    if (coming.length == 0) {
      return search.decision(WaitDecision.Reason.NOTHING_TO_WAIT_FOR, end);
    }
    if (search.at(finished + 1) < end) { // else even a transfer in no time would not pay
      int all = finished + coming.length;
      double least = search.look(all);
      search.searchDown(all, least, COARSE * delta);
      search.searchDown(all, least, delta);
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
