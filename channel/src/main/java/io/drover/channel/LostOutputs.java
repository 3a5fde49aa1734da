// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

/**
 * Outputs of finished maps that could not be fetched any more and had to be made again.
 *
 * @param machine the name of the host they lay on
 * @param outputs how many, 1 to {@value #MAX_OUTPUTS}
 */
public record LostOutputs(String machine, int outputs) {
  /** Outputs in one message at most. */
  public static final int MAX_OUTPUTS = 10_000_000;

  /** Checks the ranges. */
  public LostOutputs {
    Validation.name("machine", machine);
    Validation.within("outputs", outputs, 1, MAX_OUTPUTS);
  }
}
