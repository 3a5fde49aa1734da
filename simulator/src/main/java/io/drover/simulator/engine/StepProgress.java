// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

/** Listens to how far something of several steps is. Each step begins and ends once, in order. */
public interface StepProgress {
  /** Ignores everything. */
  StepProgress NONE =
      new StepProgress() {
        @Override
        public void begin(int parts) {}

        @Override
        public void ended(int parts) {}

        @Override
        public void end(String step) {}
      };

  /** Says what goes on, in a step or between two. */
  default void doing(String what) {}

  /**
   * The next step begins.
   *
   * @param parts of the step, all about as long: jobs, or repetitions
   */
  void begin(int parts);

  /** So many parts of the current step are done. */
  void ended(int parts);

  /** The current step is over. */
  void end(String step);
}
