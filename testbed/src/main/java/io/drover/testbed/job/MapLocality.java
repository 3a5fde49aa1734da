// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

/**
 * How near to their data the maps ran, from the job's counters.
 *
 * @param dataLocal on a host that holds the block
 * @param rackLocal in a rack that holds the block
 * @param offSwitch in another rack
 */
public record MapLocality(long dataLocal, long rackLocal, long offSwitch) {}
