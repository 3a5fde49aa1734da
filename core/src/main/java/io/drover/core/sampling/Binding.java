// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

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
