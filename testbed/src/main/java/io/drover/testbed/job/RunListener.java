// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.io.IOException;

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
}
