// SPDX-License-Identifier: Apache-2.0
/** Workloads to replay: jobs read from traces, or generated from published distributions. */
package io.drover.simulator.workload;
