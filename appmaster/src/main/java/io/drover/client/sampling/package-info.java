// SPDX-License-Identifier: Apache-2.0
/**
 * For programs whose jobs read a sample of their input (KMN): how a job asks, which blocks it has
 * read, and what can be said of the whole.
 */
package io.drover.client.sampling;
