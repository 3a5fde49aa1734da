// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

/**
 * What Hadoop's clients in this process log: nothing, or from warnings on. Daemons and tasks have
 * logs of their own.
 */
final class QuietLog {
  private static final String KEY = "log4j.configuration";
  private static final String PLACE = "io/drover/cli/demo/";

  private QuietLog() {}

  /** To be called before the first class of Hadoop is loaded. */
  static void use(boolean verbose) {
    if (System.getProperty(KEY) == null) {
      System.setProperty(KEY, PLACE + (verbose ? "verbose" : "quiet") + "-log4j.properties");
    }
  }
}
