// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;

/**
 * Hadoop's speculator, which adds attempts only while it leads. It takes every event in from the
 * beginning, so that it can lead at any time. Its thread is started when it leads for the first
 * time, and then looks for tasks to speculate on until the end; what it finds while it does not
 * lead is let go.
 */
final class StockSpeculator extends DefaultSpeculator {
  private volatile boolean leads;

  StockSpeculator(Configuration conf, AppContext context) {
    super(conf, context);
  }

  /** Adds attempts from now on. */
  void lead() {
    leads = true;
    if (isInState(STATE.INITED)) {
      start();
    }
  }

  /** Adds no attempts from now on, but for one that is being added. */
  void rest() {
    leads = false;
  }

  /** Whether it adds attempts. */
  boolean leads() {
    return leads;
  }

  @Override
  protected void addSpeculativeAttempt(TaskId task) {
    if (leads) {
      super.addSpeculativeAttempt(task);
    }
  }
}
