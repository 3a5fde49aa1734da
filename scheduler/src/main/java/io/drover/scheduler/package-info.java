// SPDX-License-Identifier: Apache-2.0
/** A CapacityScheduler that keeps clones below a ceiling and learns how machines behave. */
package io.drover.scheduler;
