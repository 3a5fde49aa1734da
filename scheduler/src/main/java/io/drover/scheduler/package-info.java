// SPDX-License-Identifier: Apache-2.0
/** A CapacityScheduler that also knows clones. */
package io.drover.scheduler;
