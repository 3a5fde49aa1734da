// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.replay;

import io.drover.simulator.world.Inputs;
import java.math.BigDecimal;
import java.util.Locale;

/**
 * Where the blocks of maps lie.
 *
 * @param kind disk or memory
 * @param inputs what that means
 */
public record InputChoice(Kind kind, Inputs inputs) {
  /** What holds the blocks. */
  public enum Kind {
    DISK(Inputs.DISK, "each block has 3 replicas, by HDFS's rule"),
    MEMORY(
        Inputs.MEMORY,
        "each block is in the memory of one machine, where a map works 20 times as fast (KMN"
            + " section 2.3)");

    private final Inputs usual;
    private final String where;

    Kind(Inputs usual, String where) {
      this.usual = usual;
      this.where = where;
    }

    /** With the usual wait for locality. */
    public InputChoice usual() {
      return new InputChoice(this, usual);
    }
  }

  /** What of it is modelled: a sentence for people. */
  String provenance() {
    return String.format(
        Locale.ROOT,
        "Inputs: modelled; %s. A map elsewhere reads its block over the network while it works. A"
            + " job waits %s s for a slot beside its blocks (delay scheduling, by core).",
        kind.where,
        seconds());
  }

  private String seconds() {
    return BigDecimal.valueOf(inputs.localitySeconds()).stripTrailingZeros().toPlainString();
  }

  /** As people type it: {@code disk:3}. */
  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + ":" + seconds();
  }
}
