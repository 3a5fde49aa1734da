// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import org.apache.hadoop.yarn.util.ResourceCalculatorProcessTree;

/**
 * Measures nothing. Each task would look through all processes of its machine every few seconds,
 * for counters of its memory and processor time; here all hosts' tasks are on one machine.
 */
public final class NoProcessTree extends ResourceCalculatorProcessTree {

  /** As Hadoop makes it, for a process id. */
  public NoProcessTree(String pid) {
    super(pid);
  }

  @Override
  public void updateProcessTree() {
    // nothing is measured
  }

  @Override
  public String getProcessTreeDump() {
    return "";
  }

  @Override
  public boolean checkPidPgrpidForMatch() {
    return true;
  }

  @Override
  public float getCpuUsagePercent() {
    return UNAVAILABLE;
  }
}
