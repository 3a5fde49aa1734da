// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import io.drover.simulator.world.Inputs;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Where maps' blocks lie, as it is typed: {@code disk}, {@code memory}, or either with the seconds
 * of the wait for locality, {@code disk:5}.
 *
 * @param kind disk or memory
 * @param inputs what that means
 */
record InputOption(String kind, Inputs inputs) {
  /** The kind in which maps read at the same pace anywhere. */
  static final String ANYWHERE = "anywhere";

  private static final String DISK = "disk";
  private static final String MEMORY = "memory";
  private static final double MOST_SECONDS = 3600;

  /** Empty for {@value #ANYWHERE}. */
  static Optional<InputOption> read(Arguments arguments, String typed) {
    if (typed.equals(ANYWHERE)) {
      return Optional.empty();
    }
    int colon = typed.indexOf(':');
    String kind = colon < 0 ? typed : typed.substring(0, colon);
    Inputs inputs =
        switch (kind) {
          case DISK -> Inputs.DISK;
          case MEMORY -> Inputs.MEMORY;
          case ANYWHERE -> throw arguments.bad("option '--inputs': anywhere takes no seconds");
          default -> throw arguments.unknown("inputs", kind, List.of(ANYWHERE, DISK, MEMORY));
        };
    return Optional.of(
        new InputOption(
            kind,
            colon < 0
                ? inputs
                : inputs.withLocalitySeconds(seconds(arguments, typed.substring(colon + 1)))));
  }

  private static double seconds(Arguments arguments, String typed) {
    return arguments.decimal(
        "--inputs", "seconds from 0 to 3600 after the colon", typed, 0, MOST_SECONDS);
  }

  /** What of it is modelled: a sentence for people. */
  String provenance() {
    String where =
        kind.equals(DISK)
            ? "each block has 3 replicas, by HDFS's rule"
            : "each block is in the memory of one machine, where a map works 20 times as fast (KMN"
                + " section 2.3)";
    return String.format(
        Locale.ROOT,
        "Inputs: modelled; %s. A map elsewhere reads its block over the network while it works. A"
            + " job waits %s s for a slot beside its blocks (delay scheduling, by core).",
        where,
        seconds());
  }

  private String seconds() {
    return BigDecimal.valueOf(inputs.localitySeconds()).stripTrailingZeros().toPlainString();
  }

  @Override
  public String toString() {
    return kind + ":" + seconds();
  }
}
