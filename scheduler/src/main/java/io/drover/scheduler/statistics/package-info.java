// SPDX-License-Identifier: Apache-2.0
/** Learns from all jobs about machines and links, and tells AppMasters what is known. */
package io.drover.scheduler.statistics;
