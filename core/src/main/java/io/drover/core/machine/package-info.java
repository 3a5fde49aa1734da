// SPDX-License-Identifier: Apache-2.0

/**
 * What is known of machines and racks across jobs: how likely an attempt on a machine is an outlier
 * (Dolly section 3.1), how likely an output kept there is lost (Mantri section 5.3), and what the
 * racks' links bear (Mantri section 5.2).
 *
 * <p>On the side of a job, {@link io.drover.core.machine.OutlierDetector} turns ended attempts into
 * {@link io.drover.core.machine.Claim}s. On the side that sees all jobs, a {@link
 * io.drover.core.machine.ClaimLedger} for each application admits of them what the containers that
 * were seen to end bear out, and {@link io.drover.core.machine.MachineStatistics} learns from that.
 * Nothing here is safe for several threads at once.
 */
package io.drover.core.machine;
