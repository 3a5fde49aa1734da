// SPDX-License-Identifier: Apache-2.0
/** What all jobs teach about machines and links, and what each is told of it. */
package io.drover.scheduler.statistics;
