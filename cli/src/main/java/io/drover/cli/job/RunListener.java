// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.job;

/** Hears of a run while it goes on, on the runner's thread. */
public interface RunListener {

  /** A listener that does nothing. */
  RunListener NONE = progress -> {};

  /** The job was asked how far it is; some five times a second. */
  void progress(JobProgress progress);

  /** The job is known to YARN by this id. */
  default void submitted(String jobId) {}

  /** The runner did or saw something. */
  default void event(RunEvent event) {}
}
