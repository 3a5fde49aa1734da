// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tells which machines no longer serve the outputs that they keep, by what became of those who
 * asked them:
 *
 * <pre>
 *   a machine is silent   if at least two attempts in a row to ask it have failed, and the first of
 *                         them began at least silentAfter before the last one ended
 *   none is               if more than half of at least three machines have failed to answer last:
 *                         then it is the one who asks who is cut off
 * </pre>
 *
 * <p>The second rule takes the machines for a fair sample. It does not hold where machines are
 * asked because they seem to have failed ({@link #ofSuspects}).
 *
 * <p>An answer ends the silence at once. Racks fail as a whole, so a third or half of a small
 * cluster may well be silent.
 *
 * <p>Not from a paper. Mantri section 5.3 takes outputs for lost when readers fail to read them;
 * here whoever asks need not be a reader, so that an output can be missed before it is needed.
 *
 * <p>It is for one thread at a time.
 */
public final class SilentMachines {
  private static final int FEWEST_FAILURES = 2;
  private static final int FEWEST_MACHINES = 3;

  private final double silentAfter;
  private final boolean isFairSample;
  private final Set<String> asked = new HashSet<>();
  private final Map<String, Failures> failing = new HashMap<>();

  private record Failures(double since, double until, int count) {
    double seconds() {
      return until - since;
    }
  }

  /** Creates a state in which no machine has been asked. */
  public SilentMachines(ProtectSettings settings) {
    this(settings, true);
  }

  private SilentMachines(ProtectSettings settings, boolean isFairSample) {
    this.silentAfter = settings.silentSeconds();
    this.isFairSample = isFairSample;
  }

  /**
   * Creates a state for machines that are asked because they seem to have failed. That most of them
   * do not answer says nothing of the one who asks.
   */
  public static SilentMachines ofSuspects(ProtectSettings settings) {
    return new SilentMachines(settings, false);
  }

  /** Returns whether any machine has answered when it was asked last. */
  public boolean isAnyAnswering() {
    return asked.size() > failing.size();
  }

  /** Notes that a machine has answered, whatever the answer was. */
  public void answered(String machine) {
    asked.add(machine);
    failing.remove(machine);
  }

  /**
   * Notes that a machine could not be asked, or gave no answer.
   *
   * @param begun when the attempt began, seconds
   * @param ended when it was given up, seconds, not before that
   */
  public void failed(String machine, double begun, double ended) {
    if (!(ended >= begun)) {
      throw new IllegalArgumentException("an attempt cannot end at " + ended + " before " + begun);
    }
    asked.add(machine);
    failing.merge(
        machine,
        new Failures(begun, ended, 1),
        (before, now) -> new Failures(before.since, now.until, before.count + 1));
  }

  /** Forgets a machine that is not asked any more. */
  public void forget(String machine) {
    asked.remove(machine);
    failing.remove(machine);
  }

  /** Returns whether the last attempt to ask a machine has failed. */
  public boolean isFailing(String machine) {
    return failing.containsKey(machine);
  }

  /** Returns the silent machines, and for how many seconds each has not answered. */
  public Map<String, Double> silent() {
    Map<String, Double> silent = new HashMap<>();
    boolean isCutOff =
        isFairSample && asked.size() >= FEWEST_MACHINES && 2 * failing.size() > asked.size();
    if (!isCutOff) {
      failing.forEach(
          (machine, failures) -> {
            if (failures.count >= FEWEST_FAILURES && failures.seconds() >= silentAfter) {
              silent.put(machine, failures.seconds());
            }
          });
    }
    return silent;
  }
}
