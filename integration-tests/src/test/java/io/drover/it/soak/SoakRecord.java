// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;

/**
 * What came of a pair.
 *
 * @param pair its number
 * @param cluster its cluster, in words
 * @param job its job and its settings, in words
 * @param fault what went wrong
 * @param stock how the job went under Hadoop's AppMaster
 * @param drover how it went under Drover's
 */
record SoakRecord(
    int pair, String cluster, String job, SoakFault fault, Outcome stock, Outcome drover) {
  private static final String SUCCEEDED = "SUCCEEDED";
  private static final String KILLED = "KILLED";

  /**
   * How one job went.
   *
   * @param jobId its id
   * @param state its last state, in Hadoop's word
   * @param seconds from its submission until its user saw the end
   * @param output a digest of what it wrote
   * @param left containers that still ran a minute after it
   * @param attempts how many there were and what became of them, in words
   * @param diagnostics what Hadoop said of its end
   */
  record Outcome(
      String jobId,
      String state,
      double seconds,
      String output,
      List<String> left,
      String attempts,
      String diagnostics) {
    Outcome {
      left = List.copyOf(left);
    }
  }

  /** Whether both ended well, so that their times and outputs can be compared. */
  @JsonIgnore
  boolean isComparable() {
    return stock.state.equals(SUCCEEDED) && drover.state.equals(SUCCEEDED);
  }

  /** Whether both wrote the same. */
  boolean isEqual() {
    return stock.output.equals(drover.output);
  }

  /** What of it must not be; empty is good. */
  List<String> violations() {
    List<String> violations = new ArrayList<>();
    if (fault == SoakFault.KILLED_JOB) {
      expectKilled(violations, "stock", stock);
      expectKilled(violations, "drover", drover);
    } else if (stock.state.equals(SUCCEEDED) && !drover.state.equals(SUCCEEDED)) {
      violations.add(
          named("%s is %s, and succeeds under stock: %s")
              .formatted(drover.jobId, drover.state, drover.diagnostics));
    }
    if (isComparable() && !isEqual()) {
      violations.add(
          named("the output is %s, under stock %s").formatted(drover.output, stock.output));
    }
    if (!drover.left.isEmpty()) {
      violations.add(named("left running: %s").formatted(drover.left));
    }
    return violations;
  }

  private void expectKilled(List<String> violations, String by, Outcome outcome) {
    if (!outcome.state.equals(KILLED)) {
      violations.add(
          named("killed under %s, and %s: %s").formatted(by, outcome.state, outcome.diagnostics));
    }
  }

  private String named(String what) {
    return "pair " + pair + ", " + fault + ": " + what;
  }
}
