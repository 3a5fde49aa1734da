// SPDX-License-Identifier: Apache-2.0
/**
 * Manages the clones of a cluster. The scheduler admits clones while there is room below the
 * ceiling to which no ordinary request is entitled, and kills them as soon as there is no such
 * room.
 *
 * <p>Requests of AppMasters for clones stay out of the scheduler's books ({@link
 * io.drover.scheduler.clone.CloneRequestBook}). In the books they would count as demand, activate
 * users, and make the preemption policy kill ordinary containers. The scheduler passes on only as
 * many requests as there is room for. The {@link io.drover.scheduler.clone.CloneGate} checks again
 * when a container is about to be allocated. Every quarter of a second a {@link
 * io.drover.scheduler.clone.CloneRound} computes what ordinary demand is entitled to, kills the
 * newest clones in its way, and passes requests on or takes them back.
 */
package io.drover.scheduler.clone;
