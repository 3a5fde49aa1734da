// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.mapreduce.Job;

/** Something that goes wrong with a host while a job runs. Closing ends it, if that can be. */
public interface HostFault extends AutoCloseable {
  /**
   * Checks the job, and begins if it is time. Called several times a second while the job runs.
   *
   * @return what has begun now
   */
  Optional<Begun> look(Job job) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;

  /**
   * The begin of a fault.
   *
   * @param host the name of the victim
   * @param what one line for people
   */
  record Begun(String host, String what) {}
}
