// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.List;

/**
 * Which K of M outputs are passed on, and how good that is.
 *
 * @param outputs their indices, ascending
 * @param seconds what the busiest link needs: the value that was to be made small
 * @param lowerBound no choice has a value below this, seconds
 * @param crossRackBytes what crosses from rack to rack in all
 */
public record ChosenOutputs(
    List<Integer> outputs, double seconds, double lowerBound, double crossRackBytes) {}
