// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** Receives what happens in a run while it goes on, on the runner's thread. */
public interface RunListener {

  /** A listener that does nothing. */
  RunListener NONE = progress -> {};

  /**
   * Receives the job's progress, about five times a second. An exception ends the run, and the job
   * is killed.
   */
  void progress(JobProgress progress) throws IOException, InterruptedException;

  /** Reports the id by which YARN knows the job. */
  default void submitted(String jobId) {}

  /** Reports something that the runner did or saw. */
  default void event(RunEvent event) {}

  /**
   * Something that the runner did or saw while the job ran.
   *
   * @param at when
   * @param what one line for people
   */
  record RunEvent(Instant at, String what) {}

  /**
   * The progress of a running job.
   *
   * @param elapsed time since the submit
   * @param state the job's state, in Hadoop's words
   * @param maps the progress of the maps, 0 to 1
   * @param reduces the progress of the reduces, 0 to 1
   */
  record JobProgress(Duration elapsed, String state, double maps, double reduces) {}
}
