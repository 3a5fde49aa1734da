// SPDX-License-Identifier: Apache-2.0
/** Reads what Hadoop has kept of a job: its history file, or what the JobHistoryServer tells. */
package io.drover.testbed.history;
