// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.web;

/**
 * How far another machine's clock is ahead of this one's. The Date header of an HTTP answer was
 * written at some moment between request and answer, and says only the second.
 *
 * @param aheadSeconds the most likely difference, negative if it is behind
 * @param errorSeconds the most by which that may be wrong
 */
public record ClockReading(double aheadSeconds, double errorSeconds) {
  /** The header cuts off less than a second, and a server may keep it for as long. */
  private static final double RESOLUTION_SECONDS = 1;

  /**
   * Returns the reading of an answer.
   *
   * @param date the time in the header, milliseconds
   * @param sent when the request was sent, by this machine's clock, milliseconds
   * @param received when the answer was there
   */
  public static ClockReading of(long date, long sent, long received) {
    double middle = (sent + received) / 2e3;
    double ahead = date / 1e3 + RESOLUTION_SECONDS / 2 - middle;
    return new ClockReading(ahead, Math.max(0, received - sent) / 2e3 + RESOLUTION_SECONDS);
  }
}
