// SPDX-License-Identifier: Apache-2.0
/** Models what jobs meet in a cluster: machines, racks, blocks, slow attempts and losses. */
package io.drover.simulator.world;
