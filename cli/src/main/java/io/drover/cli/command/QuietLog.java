// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.command;

/**
 * Chooses what Hadoop's clients in this process log: nothing, or warnings and the course of jobs.
 * Daemons and tasks have logs of their own.
 */
public final class QuietLog {
  private static final String KEY = "log4j.configuration";
  private static final String PLACE = "io/drover/cli/command/";

  private QuietLog() {}

  /** Selects the log. Must be called before the first class of Hadoop is loaded. */
  public static void use(boolean verbose) {
    if (System.getProperty(KEY) == null) {
      System.setProperty(KEY, PLACE + (verbose ? "verbose" : "quiet") + "-log4j.properties");
    }
  }
}
