// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import io.drover.core.sampling.InputBlock.BlockLocality;
import java.util.Locale;
import java.util.Optional;

/**
 * The answer to the offer of a slot.
 *
 * @param reason why it was taken or left
 * @param binding what it runs if it was taken
 * @param waitedSeconds for how long the job had been leaving slots for the sake of locality
 * @param wanted slots that the job can still use after this
 */
public record OfferAnswer(
    Reason reason, Optional<Binding> binding, double waitedSeconds, int wanted) {
  /** Why a slot was taken or left. */
  public enum Reason {
    /** Taken: the machine holds the block. */
    LOCAL,
    /** Taken: the job has waited for a local slot for as long as it may. */
    WAITED_ENOUGH,
    /** Left: no block that may be taken is on the machine, and the job can still wait. */
    WAIT_FOR_LOCALITY,
    /** Left: it is not yet clear which sample has the most blocks on free machines. */
    WAIT_FOR_SAMPLE,
    /** Left: M blocks are being read, or have been. */
    ALL_BOUND,
    /** Left: K blocks have been read; a task that begins now would be of no use. */
    ENOUGH_DONE
  }

  /** One line for a log. */
  @Override
  public String toString() {
    String what =
        binding
            .map(
                b ->
                    String.format(
                        Locale.ROOT,
                        "block %d of sample %d on %s (%s%s)",
                        b.block(),
                        b.sample(),
                        b.machine(),
                        b.nearness(),
                        b.again() ? ", again" : ""))
            .orElse("left");
    return String.format(
        Locale.ROOT, "%s: %s, waited %.1f s, wants %d more", what, reason, waitedSeconds, wanted);
  }

  /**
   * A slot's task has got its block.
   *
   * @param block index into the job's blocks
   * @param sample index of the sample that it is from; 0 where any K of all blocks will do
   * @param machine of the slot
   * @param again whether the block was bound before, and its task failed or its output was lost
   */
  public record Binding(
      int block, int sample, String machine, BlockLocality nearness, boolean again) {}
}
