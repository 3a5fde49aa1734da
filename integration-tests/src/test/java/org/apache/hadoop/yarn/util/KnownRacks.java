// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.yarn.util;

/**
 * In this package since only it may make Hadoop forget where a process's first cluster had its
 * hosts.
 */
public final class KnownRacks {
  private KnownRacks() {}

  /** Makes the next cluster of this process read its own topology. */
  public static void forget() {
    RackResolver.reset();
  }
}
