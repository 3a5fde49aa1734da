// SPDX-License-Identifier: Apache-2.0
/** Holds the outcomes of runs and compares them. */
package io.drover.simulator.result;
