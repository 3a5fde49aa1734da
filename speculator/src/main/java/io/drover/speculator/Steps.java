// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the steps of one pass over a job: an event, a task, a phase, a decision. A step that throws
 * does not stop the other steps, but the pass counts as failed. The first failure is kept.
 */
final class Steps {
  private static final Logger LOG = LoggerFactory.getLogger(Steps.class);

  private Throwable first;

  /** Runs a step and contains what it throws, unless the JVM cannot go on after it. */
  void run(Runnable step) {
    try {
      step.run();
    } catch (Throwable cause) {
      if (cause instanceof VirtualMachineError fatal && !(cause instanceof StackOverflowError)) {
        throw fatal;
      }
      failed(cause);
    }
  }

  /** Notes that a step has failed. */
  void failed(Throwable cause) {
    if (first == null) {
      first = cause;
    } else {
      LOG.debug("Another step of the pass failed", cause);
    }
  }

  /** Returns what the first failed step threw; empty if no step has failed. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(first);
  }
}
