// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** A cluster that jobs can be run on: one of our own, or one that somebody else has started. */
public interface Cluster extends AutoCloseable {

  /**
   * For clients of the cluster: HDFS, YARN, MapReduce; a fresh copy at each call. Jobs made with it
   * run in Hadoop's own AppMaster, with Hadoop's own speculator.
   */
  Configuration clientConf();

  /** What makes a job of {@link #clientConf} run in Drover's AppMaster. */
  Map<String, String> underDrover();

  /** All hosts that there were at the start, rack by rack; some may be dead by now. */
  List<Host> hosts();

  /** Those of the hosts whose NodeManager runs. */
  List<Host> liveHosts() throws IOException;

  /** Whether a process of a job, its AppMaster for one, still runs. */
  boolean isRunning(String jobId) throws IOException;

  /** A directory in the cluster's file system for the files of those who run jobs. */
  String jobFiles();

  /** A directory of this machine for what is learnt of the jobs; gone when this is closed. */
  Path directory();

  @Override
  void close() throws IOException;

  /**
   * A host of the cluster.
   *
   * @param name as YARN and HDFS know it
   * @param address its own loopback address
   * @param rack its rack, as {@code /rack1}
   */
  record Host(String name, String address, String rack) {}

  /** Hears how far the start (or the end) of a cluster is; for people. Called on any thread. */
  @FunctionalInterface
  interface StartListener {

    /** A listener that does nothing. */
    StartListener NONE = (done, total, what) -> {};

    /**
     * A step was done.
     *
     * @param done steps done so far
     * @param total steps in all
     * @param what the step, a few words
     */
    void step(int done, int total, String what);
  }
}
