// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

/**
 * How who places reduces estimates what the links between racks will leave to them (Mantri sections
 * 5.2 and 6.4).
 */
public enum Bandwidths {
  /** "The available bandwidths are the same as at the start of the phase." */
  START,
  /** "The available bandwidths are equal across all links." */
  EQUAL,
  /** Mantri's: {@link #START} for short phases, {@link #EQUAL} for long ones. */
  HYBRID
}
