// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/**
 * A part of an attempt's life with its own rate. The constants have the order in which an attempt
 * passes through them. Rates differ between sub-phases, so each one is estimated separately.
 * (Mantri section 5.5 has one rate per task. Reduces need three, because their copy, merge and
 * reduce steps share no bottleneck.)
 */
public enum SubPhase {
  /** A map reads its input. */
  MAP,
  /** A reduce fetches map outputs; while maps are still running, they set its pace. */
  SHUFFLE,
  /** A reduce merges the data that it has fetched. */
  SORT,
  /** A reduce runs the user's reducer over its merged input. */
  REDUCE,
  /** From "all input read" to the end: a map's sort and merge, the commit, the cleanup. */
  WRAP_UP;

  /** The number of sub-phases; arrays indexed by {@link #ordinal()} have this length. */
  static final int COUNT = values().length;
}
