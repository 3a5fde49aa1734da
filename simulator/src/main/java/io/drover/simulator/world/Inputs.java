// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

/**
 * Describes where the blocks of maps are stored and what it costs to read a remote block.
 *
 * <p>A map that is not on a machine with its block reads the block while it works. It reads through
 * the network card of its machine and, from another rack, through the links of both racks. It is
 * done when it has finished both the work and the read. If blocks are in memory, a map on a machine
 * with its block works faster.
 *
 * @param replicas number of machines that hold a block, from 1 to 10
 * @param localitySeconds how long a job that is offered slots waits for a slot on a machine that
 *     holds one of its blocks, at least 0; 0 takes any slot
 * @param localShare work of a map on a machine that holds its block, as a share of its work on
 *     other machines, in (0,1]
 */
public record Inputs(int replicas, double localitySeconds, double localShare) {
  /** The default of {@code spark.locality.wait}; KMN section 5.2 has a timeout but no value. */
  private static final double USUAL_SECONDS = 3;

  /** On disks: HDFS's three replicas, and a map's work takes equally long on every machine. */
  public static final Inputs DISK = new Inputs(3, USUAL_SECONDS, 1);

  /**
   * In memory, as in KMN: "data stored in memory is typically not replicated" (section 2.2.1), and
   * reading it is 20 times as fast as reading over the network (section 2.3).
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

  /** Returns a copy with another wait for locality. */
  public Inputs withLocalitySeconds(double seconds) {
    return new Inputs(replicas, seconds, localShare);
  }
}
