// SPDX-License-Identifier: Apache-2.0
/** The scheduler's own threads, and errors that must not be contained on them. */
package io.drover.scheduler.containment;
