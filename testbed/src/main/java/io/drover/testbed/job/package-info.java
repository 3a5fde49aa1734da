// SPDX-License-Identifier: Apache-2.0
/** Paced MapReduce jobs on real text, in which one chosen thing goes wrong. */
package io.drover.testbed.job;
