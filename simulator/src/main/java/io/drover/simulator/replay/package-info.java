// SPDX-License-Identifier: Apache-2.0
/** Replays one workload several times: with different schemes, settings, sizes and seeds. */
package io.drover.simulator.replay;
