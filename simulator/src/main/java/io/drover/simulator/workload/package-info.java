// SPDX-License-Identifier: Apache-2.0
/** What is replayed: jobs out of traces, or made by published distributions. */
package io.drover.simulator.workload;
