// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

/** What became of a report at the ResourceManager. */
public enum ReportStatus {
  /** It was taken. */
  TAKEN,
  /** It, or a later one, had been taken before; it was passed over. */
  REPLAYED,
  /** It came too soon, and was not looked at. */
  WAIT,
  /** It makes no sense, and was thrown away. */
  BAD,
  /** The speaker is not the one it takes itself for, or does not run here. */
  REFUSED,
  /** It was taken, but Drover failed over it. */
  TROUBLE
}
