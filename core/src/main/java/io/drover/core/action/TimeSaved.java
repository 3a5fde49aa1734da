// SPDX-License-Identifier: Apache-2.0
package io.drover.core.action;

/**
 * Estimates how much sooner a task was done because of an action. What would have happened without
 * the action is never known, so this is an estimate, and meant to be a low one.
 *
 * <ul>
 *   <li>Without the action the task would have been done after t = min(t_rem, {@value #MOST} t_new)
 *       from then on, where t_rem is the time that its best attempt still needed, and t_new that of
 *       a new one. For copies and restarts both are the estimates on which the decision rested
 *       (Mantri section 5.1). For clones they are taken when the clone wins: t_rem by the progress
 *       of the first attempt, t_new is how long the clone took.
 *   <li>The action has saved max(0, t - u) if the task was done after u by an attempt that would
 *       not exist otherwise, and nothing if it was done by another one. So the time that the new
 *       attempt waits for a container counts against it.
 *   <li>A task that Drover copies and restarts counts once, by the first decision.
 * </ul>
 *
 * <p>Why t_rem is cut: for an attempt that stands still it is infinite, and for one that hardly
 * moves it is a guess. Sums would be made of a few such attempts. Somebody would have noticed them
 * after a while, or Hadoop would have ended them.
 *
 * <p>It is the time of tasks. A job is done sooner by as much only if all tasks of a phase that are
 * as slow are helped; nothing is claimed about that.
 */
public final class TimeSaved {
  /** How often a new attempt could have been made at most. An eighth of the rate still counts. */
  public static final int MOST = 10;

  private TimeSaved() {}

  /**
   * Returns the time until a task would have been done without an action, in milliseconds.
   *
   * @param remaining t_rem, seconds; infinite if the attempt stands still, NaN if not known
   * @param fresh t_new, seconds; NaN if not known
   * @return 0 if t_rem is not known, or if only t_rem is and it is infinite
   */
  public static long expectedMillis(double remaining, double fresh) {
    double expected = Double.isNaN(fresh) ? remaining : Math.min(remaining, MOST * fresh);
    return expected > 0 && Double.isFinite(expected) ? Math.round(1e3 * expected) : 0;
  }
}
