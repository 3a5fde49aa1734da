// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.TaskRecord;

/**
 * A task that held its job back.
 *
 * @param task the task
 * @param attempt its attempt in which the cause shows: it was slow, or was lost or failed
 * @param seconds how long the task worked
 * @param usualSeconds the median of its phase
 * @param costSeconds the part of the job's time that is its fault
 * @param cause why it was slow
 * @param evidence the figures behind the cause, in half a sentence
 */
record Straggler(
    TaskRecord task,
    AttemptRecord attempt,
    double seconds,
    double usualSeconds,
    double costSeconds,
    Cause cause,
    String evidence) {}
