// SPDX-License-Identifier: Apache-2.0
package io.drover.core.estimate;

import io.drover.core.model.Basis;

/**
 * An estimate of t_rem.
 *
 * @param seconds from now to the attempt's end, at least 0; infinite if it has stopped moving
 * @param basis what the estimate rests on
 */
public record RemainingTime(double seconds, Basis basis) {}
