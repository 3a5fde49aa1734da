// SPDX-License-Identifier: Apache-2.0

/**
 * Supports jobs that ask for any K of their N input blocks, and stages that run M tasks for the
 * best K of their outputs. Source: Venkataraman et al., "The Power of Choice in Data-Aware Cluster
 * Scheduling", OSDI 2014 (KMN).
 */
package io.drover.core.sampling;
