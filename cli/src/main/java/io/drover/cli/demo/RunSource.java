// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.testbed.cluster.Cluster.Host;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunResult;
import java.io.IOException;
import java.util.List;

/** Where runs come from: a cluster, or a test. */
public interface RunSource extends AutoCloseable {

  /** Makes everything ready for a run, so that the run is all that takes time then. */
  default void prepare(PlannedRun planned) throws IOException, InterruptedException {}

  /**
   * Does a run and waits for its end. While it goes on, another thread may ask for one that needs
   * the same cluster.
   */
  RunResult run(PlannedRun planned, RunListener listener) throws IOException, InterruptedException;

  /** The hosts that runs are on; empty before the first run. */
  List<Host> hosts();

  @Override
  void close() throws IOException;
}
