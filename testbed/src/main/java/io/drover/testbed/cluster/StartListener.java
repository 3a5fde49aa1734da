// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

/** Hears how far the start (or the end) of a cluster is; for people. Called on any thread. */
@FunctionalInterface
public interface StartListener {

  /** A listener that does nothing. */
  StartListener NONE = (done, total, what) -> {};

  /**
   * A step was done.
   *
   * @param done steps done so far
   * @param total steps in all
   * @param what the step, a few words
   */
  void step(int done, int total, String what);
}
