// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

/**
 * One partition as it is now.
 *
 * @param partition its name, empty for the default one
 * @param utilisation in use, from 0 to 1
 * @param cloned the part of the utilisation that would be gone without clones
 * @param admitting whether clones are admitted, by the last round
 * @param waiting requests of others that wait for room they are entitled to, likewise
 * @param running clones
 */
public record PartitionFigures(
    String partition,
    double utilisation,
    double cloned,
    boolean admitting,
    int waiting,
    int running) {}
