// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

/**
 * Where the blocks that maps read lie, and what it costs to read one from elsewhere.
 *
 * <p>A map away from its block reads it while it works: through the network card of its machine,
 * and from another rack through the links of both racks; it is done when it has worked and read.
 * What lies in memory is worked on faster by a map on the same machine.
 *
 * @param replicas machines that hold a block, from 1 to 10
 * @param localitySeconds how long a job to which slots are offered waits for one on a machine that
 *     holds a block of it, at least 0; 0 takes any slot
 * @param localShare what the work of a map takes on a machine that holds its block, as a share of
 *     what it takes elsewhere, in (0,1]
 */
public record Inputs(int replicas, double localitySeconds, double localShare) {
  /** The default of {@code spark.locality.wait}; KMN section 5.2 has a timeout without a figure. */
  private static final double USUAL_SECONDS = 3;

  /** On disks: HDFS's three replicas, and work that takes the same wherever its bytes are from. */
  public static final Inputs DISK = new Inputs(3, USUAL_SECONDS, 1);

  /**
   * In memory, as KMN has it: "data stored in memory is typically not replicated" (section 2.2.1),
   * and it is read 20 times as fast as over the network (section 2.3).
   */
  public static final Inputs MEMORY = new Inputs(1, USUAL_SECONDS, 1.0 / 20);

  private static final int MOST_REPLICAS = 10;

  /** Checks the ranges above. */
  public Inputs {
    if (replicas < 1 || replicas > MOST_REPLICAS) {
      throw new IllegalArgumentException("replicas must lie in 1 to 10, were " + replicas);
    }
    if (!(localitySeconds >= 0 && localitySeconds < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "localitySeconds must be at least 0 and finite, was " + localitySeconds);
    }
    if (!(localShare > 0 && localShare <= 1)) {
      throw new IllegalArgumentException("localShare must lie in (0,1], was " + localShare);
    }
  }

  /** The same with another wait. */
  public Inputs withLocalitySeconds(double seconds) {
    return new Inputs(replicas, seconds, localShare);
  }
}
