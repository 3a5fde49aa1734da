// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs that need any K of their N input blocks (KMN): binds maps to blocks when their containers
 * come, chooses the K outputs that the reduces read, and records which blocks these are.
 */
package io.drover.appmaster.sampling;
