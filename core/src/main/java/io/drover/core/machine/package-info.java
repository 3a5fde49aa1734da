// SPDX-License-Identifier: Apache-2.0

/**
 * What is known about machines and racks across jobs: how likely an attempt on a machine is an
 * outlier (Dolly section 3.1), how likely an output kept there is lost (Mantri section 5.3), and
 * how fast the links between racks are (Mantri section 5.2).
 *
 * <p>In a job, an {@link io.drover.core.machine.OutlierDetector} judges the ended attempts. The
 * side that sees all jobs sums the judgements up in {@link io.drover.core.machine.Claim}s. A {@link
 * io.drover.core.machine.ClaimLedger} for each application admits what ended containers confirm,
 * and {@link io.drover.core.machine.MachineStatistics} learns from that. No class is thread-safe.
 */
package io.drover.core.machine;
