// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.OptionalDouble;

/**
 * One machine, for people to look at.
 *
 * @param machine its name
 * @param attempts judged in the last whole window
 * @param outliers of those
 * @param probability p_m, if p is known
 * @param lossProbability how likely an output there is lost, if that is known
 */
public record MachineFigures(
    String machine,
    int attempts,
    int outliers,
    OptionalDouble probability,
    OptionalDouble lossProbability) {}
