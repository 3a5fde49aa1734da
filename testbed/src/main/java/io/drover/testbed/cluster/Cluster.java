// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import io.drover.testbed.host.Host;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** A cluster on which jobs can run: one of our own, or one that somebody else has started. */
public interface Cluster extends AutoCloseable {

  /**
   * Returns a new configuration for clients of the cluster: HDFS, YARN, MapReduce. Jobs made with
   * it run in Hadoop's own AppMaster, with Hadoop's own speculator.
   */
  Configuration clientConf();

  /** Returns the settings that make a job of {@link #clientConf} run in Drover's AppMaster. */
  Map<String, String> underDrover();

  /** Returns all hosts that existed at the start, rack by rack; some may be dead by now. */
  List<Host> hosts();

  /** Returns those of the hosts whose NodeManager runs. */
  List<Host> liveHosts() throws IOException;

  /** Returns whether a process of a job, such as its AppMaster, still runs. */
  boolean isRunning(String jobId) throws IOException;

  /** Returns a directory in the cluster's file system for the files of jobs. */
  String jobFiles();

  /** Returns a directory on this machine for data about jobs; {@link #close} removes it. */
  Path directory();

  @Override
  void close() throws IOException;

  /** Receives the progress of a cluster's start (or end), for people. Called on any thread. */
  @FunctionalInterface
  interface StartListener {

    /** A listener that does nothing. */
    StartListener NONE = (done, total, what) -> {};

    /**
     * Reports that a step is done.
     *
     * @param done steps done so far
     * @param total steps in all
     * @param what the step, in a few words
     */
    void step(int done, int total, String what);
  }
}
