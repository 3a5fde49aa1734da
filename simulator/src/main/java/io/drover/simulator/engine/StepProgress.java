// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

/** Listens to the progress of work in several steps. Each step begins and ends once, in order. */
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

  /** Reports what is going on, in a step or between two steps. */
  default void doing(String what) {}

  /**
   * Begins the next step.
   *
   * @param parts number of parts of the step, all about equally long: jobs, or repetitions
   */
  void begin(int parts);

  /** Reports how many parts of the current step are done in total. */
  void ended(int parts);

  /** Ends the current step. */
  void end(String step);
}
