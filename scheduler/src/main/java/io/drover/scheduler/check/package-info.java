// SPDX-License-Identifier: Apache-2.0
/** Checks of the administrator's settings, and of the queues that they meet. */
package io.drover.scheduler.check;
