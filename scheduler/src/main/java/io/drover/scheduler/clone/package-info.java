// SPDX-License-Identifier: Apache-2.0
/**
 * Clones on a cluster: admitted while there is room under the ceiling that nobody else is entitled
 * to, killed as soon as there is not.
 *
 * <p>What an AppMaster asks for on behalf of clones is kept out of the scheduler's books ({@link
 * io.drover.scheduler.clone.CloneRequestBook}): there it would count as demand, make users active,
 * and have the preemption policy kill ordinary containers for it. Only as much as there is room for
 * is handed on. The {@link io.drover.scheduler.clone.CloneGate} looks again when a container is
 * about to be given. A {@link io.drover.scheduler.clone.CloneRound} every quarter of a second finds
 * out what ordinary demand is entitled to, kills the newest clones in its way, and hands asks on or
 * takes them back.
 */
package io.drover.scheduler.clone;
