// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.evaluate;

/**
 * A figure, and where it lies with 95 % confidence.
 *
 * @param value NaN if there is nothing to compute it from
 * @param low NaN if there are too few days to tell
 * @param high NaN if there are too few days to tell
 */
public record Interval(double value, double low, double high) {}
