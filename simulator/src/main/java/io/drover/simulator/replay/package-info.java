// SPDX-License-Identifier: Apache-2.0
/** Replays one workload several times: under other schemes, settings or sizes, and other seeds. */
package io.drover.simulator.replay;
