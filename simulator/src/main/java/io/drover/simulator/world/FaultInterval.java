// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

/**
 * A time in which something is wrong with a machine, one of an endless row: the gaps between them
 * and their lengths are exponential.
 *
 * @param whose the key of the row
 * @param number of it in the row, from 0
 * @param begin seconds; infinite if the gaps are
 * @param end seconds
 * @param meanGap from the end of one to the beginning of the next, seconds, above 0
 * @param meanLength seconds, above 0
 */
record FaultInterval(
    long whose, int number, double begin, double end, double meanGap, double meanLength) {

  /** The first of a row. */
  static FaultInterval first(long whose, double meanGap, double meanLength) {
    return at(whose, 0, 0, meanGap, meanLength);
  }

  /** The one that follows. */
  FaultInterval next() {
    return at(whose, number + 1, end, meanGap, meanLength);
  }

  private static FaultInterval at(
      long whose, int number, double before, double meanGap, double meanLength) {
    long key = Chance.mix(whose, number);
    double begin = before + Draws.exponential(Chance.mix(key, 0), meanGap);
    double end = begin + Draws.exponential(Chance.mix(key, 1), meanLength);
    return new FaultInterval(whose, number, begin, end, meanGap, meanLength);
  }
}
