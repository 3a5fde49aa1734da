// SPDX-License-Identifier: Apache-2.0
/** Schemes against outliers: the baseline, those of other systems, core's, and oracles. */
package io.drover.simulator.scheme;
