// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.cluster.LiveContainer;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.mapreduce.Job;

/**
 * The processes of the tasks on a host are stopped. Their AppMaster hears nothing of them, and they
 * do not end by themselves.
 */
final class StoppedTasks implements Damage {
  private final DroverCluster cluster;
  private final String host;
  private final Set<Long> stopped = new HashSet<>();

  StoppedTasks(DroverCluster cluster, String host) {
    this.cluster = cluster;
    this.host = host;
  }

  @Override
  public Optional<String> begin(Job job) throws IOException {
    stop();
    return stopped.isEmpty()
        ? Optional.empty()
        : Optional.of("tasks on " + host + " were stopped: " + stopped.size());
  }

  private Set<Long> tasks() throws IOException {
    Set<Long> pids = new HashSet<>();
    for (LiveContainer container : cluster.liveContainers()) {
      if (container.host().equals(host) && container.attemptId().isPresent()) {
        pids.add(container.pid());
      }
    }
    return pids;
  }

  /** Stops all that run now. */
  synchronized void stop() throws IOException {
    for (long pid : tasks()) {
      cluster.signal("STOP", pid);
      stopped.add(pid);
    }
  }

  /** Lets all go on that were stopped and are still there. */
  @Override
  public synchronized void end() throws IOException {
    for (long pid : tasks()) { // not others that may have got their process ids
      if (stopped.contains(pid)) {
        cluster.signal("CONT", pid);
      }
    }
    stopped.clear();
  }
}
