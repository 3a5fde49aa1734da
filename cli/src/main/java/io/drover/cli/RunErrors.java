// SPDX-License-Identifier: Apache-2.0
package io.drover.cli;

import java.io.PrintStream;

/** Says in one line what went wrong in a run. */
final class RunErrors {
  private RunErrors() {}

  static void print(Throwable failure, boolean verbose, PrintStream err) {
    err.println("drover: " + line(failure) + (verbose ? "" : " (--verbose shows more)"));
    if (verbose) {
      failure.printStackTrace(err);
    }
  }

  /** The first line of the message; of the cause, if there is none; else the exception's name. */
  static String line(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t.getMessage() != null && !t.getMessage().isBlank()) {
        String first = t.getMessage().strip().lines().findFirst().orElseThrow();
        // "… was not found" of a bare name says too little without the exception's.
        return first.contains(" ") ? first : t.getClass().getSimpleName() + ": " + first;
      }
    }
    return failure.getClass().getSimpleName();
  }
}
