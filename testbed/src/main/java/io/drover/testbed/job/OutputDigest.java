// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

/**
 * What a job wrote, in a form that two runs can be compared by.
 *
 * @param sha256 over the sorted lines of all parts, so that it depends neither on how keys were
 *     spread over reduces nor on who wrote them; the digest of nothing if the job failed
 * @param lines how many lines
 * @param bytes how many bytes, line ends included
 */
public record OutputDigest(String sha256, long lines, long bytes) {}
