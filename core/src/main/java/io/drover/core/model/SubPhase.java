// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/**
 * A stretch of an attempt's life with a rate of its own, in the order in which an attempt passes
 * through them. Rates differ between sub-phases, so each is estimated by itself (Mantri section 5.5
 * has one rate per task; reduces, whose copy, merge and reduce steps share no bottleneck, need
 * three).
 */
public enum SubPhase {
  /** A map reads its input. */
  MAP,
  /** A reduce fetches map outputs; its pace is not its own while maps are still running. */
  SHUFFLE,
  /** A reduce merges what it has fetched. */
  SORT,
  /** A reduce runs the user's reducer over its merged input. */
  REDUCE,
  /** From "all input read" to the end: a map's sort and merge, the commit, the clean-up. */
  WRAP_UP;

  /** How many sub-phases there are; arrays indexed by {@link #ordinal()} have this length. */
  static final int COUNT = values().length;
}
