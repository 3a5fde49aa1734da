// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

/**
 * A job that has ended, with what is needed to remember it: its names make the history of later
 * jobs, its features train models.
 */
public record KeptJob(JobArrival arrival, EndedJob ended) {}
