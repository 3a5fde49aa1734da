// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.mapreduce.Job;

/** What a fault does when its time has come. */
interface Damage {
  /**
   * Does it.
   *
   * @return one line for people; empty if there is nothing yet that could be damaged
   */
  Optional<String> begin(Job job) throws IOException, InterruptedException;

  /** Undoes it, as far as that can be. */
  void end() throws IOException;

  /** Something that is done and undone with one call each. */
  static Damage of(String what, Step begin, Step end) {
    return new Damage() {
      @Override
      public Optional<String> begin(Job job) throws IOException, InterruptedException {
        begin.run();
        return Optional.of(what);
      }

      @Override
      public void end() throws IOException {
        try {
          end.run();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted", e);
        }
      }
    };
  }

  /** One call. */
  @FunctionalInterface
  interface Step {
    /** For what cannot be undone. */
    Step NOTHING = () -> {};

    /** Does it. */
    void run() throws IOException, InterruptedException;
  }
}
