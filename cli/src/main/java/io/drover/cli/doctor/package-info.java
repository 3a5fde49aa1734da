// SPDX-License-Identifier: Apache-2.0
/**
 * {@code drover doctor}: whether Drover is on in a cluster, for whom, and what stands in its way.
 */
package io.drover.cli.doctor;
