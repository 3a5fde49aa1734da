// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

/** How near to its block a task runs. */
public enum BlockLocality {
  /** On a machine that holds it. */
  MACHINE,
  /** On another machine of a rack in which it is held. */
  RACK,
  /** Beyond the rack's switch. */
  ELSEWHERE
}
