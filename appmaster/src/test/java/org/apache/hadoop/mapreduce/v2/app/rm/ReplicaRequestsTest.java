// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.appmaster.replicate.Replicator;
import io.drover.appmaster.replicate.Replicator.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.RackResolver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplicaRequestsTest {
  private static final String HOST = "replica-host";
  private static final String RACK = "/replica-rack";
  private static final ApplicationId APPLICATION = ApplicationId.newInstance(1, 1);

  private final TaskAttemptId worker = id(7, TaskType.REDUCE);
  private final DroverContainerAllocator allocator = mock();
  private final Replicator replicator = mock();
  private final ReplicaRequests replicas = new ReplicaRequests(allocator, replicator);
  private final Container container =
      Container.newInstance(
          ContainerId.newContainerId(ApplicationAttemptId.newInstance(APPLICATION, 1), 3),
          NodeId.newInstance(HOST, 1),
          HOST + ":1",
          Resource.newInstance(384, 1),
          null,
          null);

  private static TaskAttemptId id(int task, TaskType type) {
    return MRBuilderUtils.newTaskAttemptId(
        MRBuilderUtils.newTaskId(MRBuilderUtils.newJobId(APPLICATION, 1), task, type), 0);
  }

  /** Starts a worker. */
  @BeforeEach
  void start() {
    Configuration conf = new Configuration();
    conf.setClass(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
        StaticMapping.class,
        DNSToSwitchMapping.class);
    StaticMapping.addNodeToRack(HOST, RACK);
    RackResolver.init(conf);
    when(allocator.getConfig()).thenReturn(conf);
    when(replicator.wanted()).thenReturn(List.of(new Wanted(worker, RACK, List.of(), "other")));
    when(replicator.isKnown(worker)).thenReturn(true);
    when(replicator.allocated(any(), any())).thenReturn(true);
    replicas.heartbeat(grace -> 0);
    replicas.decide(container).run();
  }

  /** A map that has waited for some time. */
  private static Map<TaskAttemptId, ContainerRequest> waiting(long millis) {
    TaskAttemptId map = id(1, TaskType.MAP);
    return Map.of(
        map,
        new ContainerRequest(
            map,
            Resource.newInstance(1024, 1),
            new String[0],
            new String[0],
            RMContainerAllocator.PRIORITY_MAP,
            System.currentTimeMillis() - millis,
            null));
  }

  @Test
  void workersMakeRoomForAMapThatHasNotWaitedForLong() {
    assertThat(replicas.makeRoomFor(waiting(0))).isTrue();
  }

  /** The ResourceManager may report room in which the map cannot run, so no worker is ended. */
  @Test
  void mapForWhichWorkersMakeNoRoomGetsThatOfReduces() {
    assertThat(replicas.makeRoomFor(waiting(ReplicaRequests.MAKE_ROOM.toMillis()))).isFalse();
  }

  @Test
  void workersThatHaveEndedMakeNoRoom() {
    ContainerStatus end =
        ContainerStatus.newInstance(
            container.getId(), ContainerState.COMPLETE, "", ContainerExitStatus.ABORTED);
    AllocateResponse response = mock();
    when(response.getCompletedContainersStatuses()).thenReturn(new ArrayList<>(List.of(end)));
    replicas.takeEnds(response);
    assertThat(replicas.makeRoomFor(waiting(0))).isFalse();
  }
}
