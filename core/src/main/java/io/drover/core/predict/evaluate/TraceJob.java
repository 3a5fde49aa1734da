// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.evaluate;

import io.drover.core.predict.JobArrival;
import io.drover.core.predict.JobOutcome;
import io.drover.core.predict.JobRequests;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A job of a trace.
 *
 * @param requests what it asks for, as far as the trace tells
 * @param startedAt seconds; empty if it never started, or the trace does not tell
 * @param endedAt seconds; empty if it had not ended when the trace did
 * @param outcome empty if the trace does not tell, or the job has not ended
 */
public record TraceJob(
    JobArrival arrival,
    JobRequests requests,
    OptionalDouble startedAt,
    OptionalDouble endedAt,
    Optional<JobOutcome> outcome) {
  /** Checks the order of times. */
  public TraceJob {
    double start = startedAt.orElse(arrival.at());
    if (start < arrival.at() || endedAt.orElse(start) < start) {
      throw new IllegalArgumentException(
          "it starts before it is submitted, or ends before it starts");
    }
  }
}
