// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import io.drover.core.protect.ProtectSettings.Checks;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Estimates how long a task that runs again waits for those of its inputs that are lost too. They
 * are made again in parallel, so it waits for the longest:
 *
 * <pre>
 *   E[max] = sum over i of  t_(i) * r_(i) * product over j &lt; i of (1 - r_(j))
 *   with  t_(1) &gt;= t_(2) &gt;= ...
 * </pre>
 *
 * <p>because t_(i) is the longest exactly if it is lost and none before it is. This is exact for
 * independent losses and takes O(n log n).
 *
 * <p>Source: Mantri section 5.3 and figure 12 (c), "multiple inputs [...] can be recomputed in
 * parallel and the task is only stalled by the longest input". The paper does not say how its
 * expectation is computed. Another reading, the longest of the products r_i t_i, is too small: of
 * two inputs of 10 s that are each lost half of the time, at least one is lost in three of four
 * cases, which gives 7.5 s and not 5 s.
 *
 * <p>The outputs on one machine tend to be lost together (Mantri section 4.2: "when a machine loses
 * the output of a task, it has a higher chance of losing the output of other tasks"). {@link
 * #expectedSecondsByMachine} computes the other extreme, in which machines lose all or nothing. The
 * result is at most as long, and it is cheaper by the number of outputs on a machine.
 */
public final class LongestRecomputation {
  private LongestRecomputation() {}

  private record Input(double loss, double seconds) {}

  /**
   * Returns the expected longest time if each input is lost independently.
   *
   * @param loss probability that each input is lost, in [0,1]
   * @param redoSeconds t_redo of each input, given its loss, finite and at least 0
   * @return seconds, 0 if there are no inputs
   */
  static double expectedSeconds(double[] loss, double[] redoSeconds) {
    if (loss.length != redoSeconds.length) {
      throw new IllegalArgumentException(
          loss.length + " probabilities for " + redoSeconds.length + " redo times");
    }
    Input[] inputs = new Input[loss.length];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] =
          new Input(
              Checks.probability(loss[i]), Checks.amount("an input's redo time", redoSeconds[i]));
    }
    Arrays.sort(inputs, Comparator.comparingDouble(input -> -input.seconds()));
    double expected = 0;
    double noneLonger = 1;
    for (Input input : inputs) {
      expected += input.seconds() * input.loss() * noneLonger;
      noneLonger *= 1 - input.loss();
    }
    return expected;
  }

  /**
   * Returns the expected longest time if a machine loses either all inputs that it keeps or none.
   *
   * @param loss r of each machine, in [0,1]
   * @param machine the machine of each input, an index into {@code loss}
   * @param redoSeconds t_redo of each input, given its loss, finite and at least 0
   * @return seconds, 0 if there are no inputs
   */
  public static double expectedSecondsByMachine(
      double[] loss, int[] machine, double[] redoSeconds) {
    if (machine.length != redoSeconds.length) {
      throw new IllegalArgumentException(
          machine.length + " machines for " + redoSeconds.length + " redo times");
    }
    double[] longest = new double[loss.length];
    for (int i = 0; i < machine.length; i++) {
      int m = machine[i];
      longest[m] = Math.max(longest[m], Checks.amount("an input's redo time", redoSeconds[i]));
    }
    return expectedSeconds(loss, longest);
  }
}
