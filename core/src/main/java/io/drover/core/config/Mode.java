// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

/** Whether a feature is off, only observes, or acts. */
public enum Mode {
  /** The feature does nothing, so stock Hadoop's behaviour applies. */
  OFF,
  /** Decisions are computed, logged and scored against what happened, but not carried out. */
  OBSERVE,
  /** Decisions are carried out. */
  ON
}
