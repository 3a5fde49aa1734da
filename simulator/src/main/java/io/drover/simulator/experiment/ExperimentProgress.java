// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

/** Hears how far an experiment is. */
public interface ExperimentProgress {
  /** For who does not want to know. */
  ExperimentProgress NONE =
      new ExperimentProgress() {
        @Override
        public void begin(int parts) {}

        @Override
        public void ended(int parts) {}

        @Override
        public void end(String step) {}
      };

  /**
   * The next step begins.
   *
   * @param parts of it, all about as long: jobs, or repetitions
   */
  void begin(int parts);

  /** So many of the parts of the present step are done. */
  void ended(int parts);

  /** The present step is over. */
  void end(String step);
}
