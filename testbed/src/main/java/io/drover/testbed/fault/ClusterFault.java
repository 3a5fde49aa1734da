// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.mapreduce.Job;

/** Something that goes wrong in a cluster while a job runs. Closing ends it, if that can be. */
public interface ClusterFault extends AutoCloseable {
  /**
   * Checks the job, and begins or ends if it is time. Called several times a second while the job
   * runs.
   *
   * @return what has begun or ended now
   */
  List<Change> look(Job job) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;

  /**
   * The begin or the end of a fault.
   *
   * @param host the name of the victim; of a rack, one host in it
   * @param what one line for people
   */
  record Change(String host, String what) {}
}
