// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.command;

import picocli.CommandLine.Option;

/** The last options of a command with a result: how it is shown, and help. */
public final class OutputOptions {
  /** Sorts these options behind those of the command itself. */
  static final int LAST = 1000;

  @Option(
      names = "--json",
      order = LAST + 1,
      description =
          "Print one JSON object on standard output, and everything else on standard error.")
  private boolean json;

  @Option(
      names = {"-v", "--verbose"},
      order = LAST + 2,
      description = "Show stack traces of errors, and Hadoop's log.")
  private boolean verbose;

  @Option(
      names = {"-h", "--help"},
      order = LAST + 3,
      usageHelp = true,
      description = "Show this help and exit.")
  @SuppressWarnings("unused") // picocli reads it
  private boolean help;

  /** Returns whether the result is printed as JSON. */
  public boolean isJson() {
    return json;
  }

  /** Returns whether Hadoop's log is shown. */
  public boolean isVerbose() {
    return verbose;
  }
}
