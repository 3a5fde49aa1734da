// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import io.drover.testbed.cluster.Cluster.StartListener;

/** Counts the steps of a cluster's start for a listener. */
final class StartSteps {
  private final StartListener listener;
  private final int total;
  private int done;

  StartSteps(StartListener listener, int total) {
    this.listener = listener;
    this.total = total;
  }

  void done(String what) {
    done++;
    listener.step(done, total, what);
  }
}
