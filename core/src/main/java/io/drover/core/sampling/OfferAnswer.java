// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import io.drover.core.sampling.InputBlock.BlockLocality;
import java.util.Locale;
import java.util.Optional;

/**
 * The answer to the offer of a slot.
 *
 * @param reason why the slot was taken or left
 * @param binding the block that the slot reads, if it was taken
 * @param waitedSeconds how long the job had been leaving slots for the sake of locality
 * @param wanted slots that the job can still use after this
 */
public record OfferAnswer(
    Reason reason, Optional<Binding> binding, double waitedSeconds, int wanted) {
  /** Why a slot was taken or left. */
  public enum Reason {
    /** Taken: the machine holds the block. */
    LOCAL,
    /** Taken: the job has waited for a local slot as long as it may. */
    WAITED_ENOUGH,
    /** Left: the machine has no block that may be taken, and the job can still wait. */
    WAIT_FOR_LOCALITY,
    /** Left: it is not clear yet which sample has the most blocks on free machines. */
    WAIT_FOR_SAMPLE,
    /** Left: M blocks are being read or have been read. */
    ALL_BOUND,
    /** Left: K blocks have been read, so a task that starts now would be of no use. */
    ENOUGH_DONE
  }

  /** Returns one line for a log. */
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
   * The block that the task of a slot reads.
   *
   * @param block index into the job's blocks
   * @param sample index of the sample of the block; 0 if the job may read any K of all blocks
   * @param machine machine of the slot
   * @param again whether the block was bound before
   */
  public record Binding(
      int block, int sample, String machine, BlockLocality nearness, boolean again) {}
}
