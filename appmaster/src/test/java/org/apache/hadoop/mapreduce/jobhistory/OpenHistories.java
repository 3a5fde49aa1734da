// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.jobhistory;

/** The histories that are being written in this JVM, by the number of their job. */
public final class OpenHistories {
  private OpenHistories() {}

  /**
   * Forgets them. An AppMaster that a test has not stopped, since it failed, would be given the
   * events of the next test's job, which has the same number.
   */
  public static void forget() {
    JobHistoryEventHandler.fileMap.clear();
  }
}
