// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

/** How far a feature goes. */
public enum Mode {
  /** The feature does nothing: stock Hadoop's behaviour. */
  OFF,
  /** Decisions are computed, logged and scored against what happened; nothing is touched. */
  OBSERVE,
  /** Decisions are carried out. */
  ON
}
