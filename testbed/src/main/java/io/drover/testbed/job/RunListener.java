// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** Hears of a run while it goes on, on the runner's thread. */
public interface RunListener {

  /** A listener that does nothing. */
  RunListener NONE = progress -> {};

  /**
   * The job was asked how far it is; some five times a second. What this throws ends the run, and
   * the job is killed.
   */
  void progress(JobProgress progress) throws IOException, InterruptedException;

  /** The job is known to YARN by this id. */
  default void submitted(String jobId) {}

  /** The runner did or saw something. */
  default void event(RunEvent event) {}

  /**
   * Something the runner did or saw while the job ran.
   *
   * @param at when
   * @param what one line for people
   */
  record RunEvent(Instant at, String what) {}

  /**
   * How far a running job is.
   *
   * @param elapsed since submit
   * @param state the job's state, in Hadoop's word
   * @param maps the maps' part done, 0 to 1
   * @param reduces the reduces' part done, 0 to 1
   */
  record JobProgress(Duration elapsed, String state, double maps, double reduces) {}
}
