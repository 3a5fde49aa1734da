// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What goes wrong in a demo job. All of it happens outside the code under test. */
public enum Scenario {
  /** Nothing. */
  NONE("nothing goes wrong"),
  /** Every task on one node runs at an eighth of its rate, maps and reduces alike. */
  SLOW_NODE("every task on one node runs at 1/8 of its rate"),
  /** Attempt 0 of one map task runs at an eighth of its rate, on any node. */
  SLOW_ATTEMPT("the first attempt of one map runs at 1/8 of its rate"),
  /** Attempt 0 of one map task stops its own process at 30 %: no progress, no ping, nothing. */
  SILENT_ATTEMPT("the first attempt of one map freezes at 30 % and falls silent"),
  /** Attempt 0 of one map task stops making progress at 90 %, while its pings go on. */
  STALL_90("the first attempt of one map stalls at 90 % but still reports that it is alive"),
  /** One split holds six times the data: slow for a good reason, a copy cannot help. */
  SKEW("one split holds 6 times the data"),
  /** One map has 12 times the work of others on as many bytes, whichever attempt does it. */
  LONG_TASK("one map has 12 times the work of the others, on as many bytes"),
  /** A node dies, NodeManager and tasks, when the first map on it has passed 40 %. */
  NODE_DEATH("one node dies while its maps are past 40 %"),
  /** One host gets a twentieth of a core: its processes start, and hardly get on. */
  STARVED_HOST("one host has 5 % of a core"),
  /**
   * The tasks that run on one host are stopped for good, five seconds after the first map began.
   */
  STOPPED_TASKS("the tasks on one host are stopped for good 5 s after the first map began"),
  /** All tasks on one host are stopped nine tenths of each second. */
  PAUSING_TASKS("the tasks on one host are stopped 90 % of the time"),
  /** Many small jobs, one after another; in each, attempt 0 of one task runs at an eighth. */
  SMALL_JOBS("small jobs; in each, the first attempt of one task runs at 1/8 of its rate"),
  /** Nothing goes wrong, but of three racks one holds 70 % of the data, and one only 10 %. */
  PLACEMENT("three racks hold 70, 20 and 10 % of the reduces' input"),
  /** Nothing goes wrong, but small jobs, with clones under Drover, run when the job starts. */
  CEILING("small cloned jobs, followed by a big ordinary job"),
  /**
   * Nothing goes wrong. The job needs any K of its N blocks, and another application holds slots.
   */
  SAMPLING(
      "the job needs any K of its N blocks; another application holds half or more of the slots"),
  /** Many small jobs, a few at once. Some are of a program that always fails late. */
  FAILING_JOBS("a stream of 40 small jobs; two in five are of a program that always fails late");

  private final String title;

  Scenario(String title) {
    this.title = title;
  }

  /** Returns one line for people. */
  public String title() {
    return title;
  }

  /** Returns the name as typed on a command line and carried in the job configuration. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the scenario of a key.
   *
   * @throws IllegalArgumentException if there is none; the message lists all keys
   */
  public static Scenario ofKey(String key) {
    for (Scenario scenario : values()) {
      if (scenario.key().equals(key)) {
        return scenario;
      }
    }
    throw new IllegalArgumentException(
        "no scenario '"
            + key
            + "'; the scenarios are "
            + Arrays.stream(values()).map(Scenario::key).collect(Collectors.joining(", ")));
  }
}
