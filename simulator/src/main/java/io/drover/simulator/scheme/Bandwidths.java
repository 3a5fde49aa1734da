// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

/**
 * Selects how a placement of reduces estimates the bandwidth that the links between racks will have
 * left (Mantri sections 5.2 and 6.4).
 */
public enum Bandwidths {
  /** "The available bandwidths are the same as at the start of the phase." */
  START,
  /** "The available bandwidths are equal across all links." Here each has its full capacity. */
  EQUAL,
  /** Mantri's choice: {@link #START} for short phases, {@link #EQUAL} for long ones. */
  HYBRID
}
