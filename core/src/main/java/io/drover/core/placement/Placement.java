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

  /** The rack of a reduce. */
  public int rackOf(int reduce) {
    return rackOf[reduce];
  }

  /** What the busiest link needs, seconds: the value that was to be made small. */
  public double seconds() {
    return seconds;
  }

  /** No placement has a value below this, seconds. */
  public double lowerBound() {
    return lowerBound;
  }

  /** What is read from other racks in all, bytes. */
  public double crossRackBytes() {
    return crossRackBytes;
  }
}
