// SPDX-License-Identifier: Apache-2.0
package io.drover.core.action;

/**
 * What the actions of one kind came to. All figures are sums and never fall.
 *
 * @param launched how many actions there were, at least 0
 * @param won how many of them have won, at least 0
 * @param lost how many of them have lost, at least 0; not more than were launched together with
 *     those that have won
 * @param wastedMillis how long containers worked for nothing, milliseconds, at least 0. For copies,
 *     restarts and clones: the lives of all attempts of their tasks but the one that was first and,
 *     for copies and restarts, those that had ended before them; of tasks that no attempt has done,
 *     the lives of those that were added. For recomputations: the lives of those that lost. For
 *     replicas: the time of making all of them.
 * @param savedMillis how much sooner tasks were done because of them, by {@link TimeSaved},
 *     milliseconds, at least 0
 */
public record ActionTotals(
    long launched, long won, long lost, long wastedMillis, long savedMillis) {
  /** No actions. */
  public static final ActionTotals NONE = new ActionTotals(0, 0, 0, 0, 0);

  /**
   * Checks the signs.
   *
   * @throws IllegalArgumentException if a figure is negative
   */
  public ActionTotals {
    if ((launched | won | lost | wastedMillis | savedMillis) < 0) {
      throw new IllegalArgumentException(
          String.format(
              "launched %d, won %d, lost %d, wasted %d ms, saved %d ms; allowed: 0 and more",
              launched, won, lost, wastedMillis, savedMillis));
    }
  }

  /** Returns actions that were launched just now. */
  public static ActionTotals launched(long actions) {
    return new ActionTotals(actions, 0, 0, 0, 0);
  }

  /** Returns how actions that were launched earlier have turned out. */
  public static ActionTotals settled(long won, long lost, long wastedMillis, long savedMillis) {
    return new ActionTotals(0, won, lost, wastedMillis, savedMillis);
  }

  /** Returns the sum of both. A figure that would overflow is {@link Long#MAX_VALUE}. */
  public ActionTotals plus(ActionTotals more) {
    return new ActionTotals(
        sum(launched, more.launched),
        sum(won, more.won),
        sum(lost, more.lost),
        sum(wastedMillis, more.wastedMillis),
        sum(savedMillis, more.savedMillis));
  }

  private static long sum(long one, long other) {
    return one + Math.min(other, Long.MAX_VALUE - one);
  }

  /** Returns whether this may be a later sum: no figure is smaller. */
  public boolean isLaterThan(ActionTotals earlier) {
    return launched >= earlier.launched
        && won >= earlier.won
        && lost >= earlier.lost
        && wastedMillis >= earlier.wastedMillis
        && savedMillis >= earlier.savedMillis;
  }

  /**
   * Returns what has been added since an earlier sum.
   *
   * @throws IllegalArgumentException if a figure has fallen
   */
  public ActionTotals since(ActionTotals earlier) {
    return new ActionTotals(
        launched - earlier.launched,
        won - earlier.won,
        lost - earlier.lost,
        wastedMillis - earlier.wastedMillis,
        savedMillis - earlier.savedMillis);
  }
}
