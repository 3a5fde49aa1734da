// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.cluster.LiveContainer;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.mapred.TIPStatus;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;

/** Kills a node in the middle of a job: the first with a map far enough, except the AppMaster's. */
public final class NodeDeath implements ClusterFault {
  /** The part of a map's input after which its node dies. */
  private static final double AT = 0.40;

  /** Hadoop counts reading and mapping as two thirds of a map, and the sort as one third. */
  private static final double MAP_PHASE = 2.0 / 3;

  private final DroverCluster cluster;
  private final String amHost;
  private boolean done;

  /**
   * Creates the fault.
   *
   * @param amHost the host that stays, because the AppMaster is there
   */
  public NodeDeath(DroverCluster cluster, String amHost) {
    this.cluster = cluster;
    this.amHost = amHost;
  }

  @Override
  public List<Change> look(Job job) throws IOException, InterruptedException {
    if (done) {
      return List.of();
    }
    Map<String, LiveContainer> running = new HashMap<>();
    for (LiveContainer container : cluster.liveContainers()) {
      container.attemptId().ifPresent(id -> running.put(id, container));
    }
    for (TaskReport report : job.getTaskReports(TaskType.MAP)) {
      if (report.getCurrentStatus() == TIPStatus.RUNNING
          && report.getProgress() >= AT * MAP_PHASE) {
        Optional<String> victim =
            report.getRunningTaskAttemptIds().stream()
                .map(id -> running.get(id.toString()))
                .filter(container -> container != null && !container.host().equals(amHost))
                .map(LiveContainer::host)
                .findFirst();
        if (victim.isPresent()) {
          done = true;
          cluster.killNode(victim.get());
          return List.of(new Change(victim.get(), victim.get() + " died"));
        }
      }
    }
    return List.of();
  }

  @Override
  public void close() {
    // a dead node stays dead
  }
}
