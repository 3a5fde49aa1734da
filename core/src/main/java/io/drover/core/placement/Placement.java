// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

/** The rack of each reduce, and how good that choice is. */
public final class Placement {
  private final int[] rackOf;
  private final double seconds;
  private final double lowerBound;
  private final double crossRackBytes;

  Placement(int[] rackOf, double seconds, double lowerBound, double crossRackBytes) {
    this.rackOf = rackOf.clone();
    this.seconds = seconds;
    this.lowerBound = Math.min(lowerBound, seconds);
    this.crossRackBytes = crossRackBytes;
  }

  /** Returns the rack of a reduce. */
  public int rackOf(int reduce) {
    return rackOf[reduce];
  }

  /** Returns the time of the busiest link, seconds: the value that is minimised. */
  public double seconds() {
    return seconds;
  }

  /** Returns a lower bound on the value of every placement, seconds. */
  public double lowerBound() {
    return lowerBound;
  }

  /** Returns the bytes that are read from other racks in total. */
  public double crossRackBytes() {
    return crossRackBytes;
  }
}
