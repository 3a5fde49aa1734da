// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of one pass over a job: an event, a task, a phase, a decision. A step that throws fails
 * alone; the pass remembers the first failure, and has failed with it.
 */
final class Steps {
  private static final Logger LOG = LoggerFactory.getLogger(Steps.class);

  private Throwable first;

  /** Takes a step, and contains what it throws, unless the JVM cannot go on after it. */
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

  /** A step has failed. */
  void failed(Throwable cause) {
    if (first == null) {
      first = cause;
    } else {
      LOG.debug("Another step of the pass failed", cause);
    }
  }

  /** What the first step threw that failed; empty if none has. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(first);
  }
}
