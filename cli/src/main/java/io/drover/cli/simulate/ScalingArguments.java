// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import java.util.Set;

/** Refuses the options that mean nothing with {@code --scaling}. */
final class ScalingArguments {
  private static final String OPTION = "--scaling";
  private static final Set<String> ALLOWED =
      Set.of(
          OPTION,
          "--schemes",
          "--slowness",
          "--machines",
          "--slots",
          "--racks",
          "--jobs",
          "--set",
          "--seed",
          "--repeat",
          "--json",
          "--verbose");

  private ScalingArguments() {}

  /**
   * Checks what was typed.
   *
   * @param mostJobs of a synthetic workload
   */
  static void check(Arguments arguments, String jobs, int mostJobs) {
    arguments.refuseOthers(ALLOWED, OPTION);
    int largest = Scaling.FACTORS.get(Scaling.FACTORS.size() - 1);
    arguments.number("--jobs", jobs, 2, mostJobs / largest);
  }
}
