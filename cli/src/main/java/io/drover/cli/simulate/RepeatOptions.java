// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import picocli.CommandLine.Option;

/** How often everything is run, and with which random numbers. */
final class RepeatOptions {
  private static final int MOST_REPEATS = 100;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the random numbers; the same seed gives the same figures. Default: 1.")
  private long seed;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = "Run everything N times, 1 to 100, with one seed after the other. Default: 1.")
  private int repeat;

  long seed() {
    return seed;
  }

  int repeat(Arguments arguments) {
    return arguments.within("--repeat", repeat, 1, MOST_REPEATS);
  }
}
