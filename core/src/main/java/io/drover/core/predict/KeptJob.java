// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

/**
 * A job that has ended, with what is needed to remember it: its names make the history of later
 * jobs, its features train models, and how its call has turned out is what the policy is trusted
 * by.
 *
 * @param isJudged whether it was called when it arrived, and the policy may end such jobs
 * @param isMisjudged whether it was good, and the policy would have ended it
 */
public record KeptJob(JobArrival arrival, EndedJob ended, boolean isJudged, boolean isMisjudged) {}
