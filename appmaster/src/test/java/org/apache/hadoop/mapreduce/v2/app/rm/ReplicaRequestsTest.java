// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.drover.appmaster.ReducePlacer;
import io.drover.appmaster.replicate.Replicator;
import io.drover.appmaster.replicate.Replicator.Wanted;
import io.drover.core.clone.ClonePriority;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

class ReplicaRequestsTest {
  private static final String HOST = "replica-host";
  private static final String SOURCE = "replica-source";
  private static final String RACK = "/replica-rack";
  private static final ApplicationId APPLICATION = ApplicationId.newInstance(1, 1);

  private final TaskAttemptId worker = id(7, TaskType.REDUCE);
  private final DroverContainerAllocator allocator = mock();
  private final Replicator replicator = mock();
  private final ReducePlacer placer = mock();
  private final ReplicaRequests replicas = new ReplicaRequests(allocator, replicator, placer);
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
    Configuration conf = StaticRacks.put(RACK, HOST, SOURCE);
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

  private static Container on(String host) {
    return Container.newInstance(
        ContainerId.newContainerId(ApplicationAttemptId.newInstance(APPLICATION, 1), 9),
        NodeId.newInstance(host, 1),
        host + ":1",
        Resource.newInstance(384, 1),
        Priority.newInstance(ClonePriority.REPLICA_WORKER),
        null);
  }

  private void waits(Wanted... wanted) {
    when(replicator.wanted()).thenReturn(List.of(wanted));
    for (Wanted one : wanted) {
      when(replicator.isKnown(one.worker())).thenReturn(true);
    }
    replicas.heartbeat(grace -> 0);
  }

  /** The ResourceManager is not to offer the node with the outputs again and again. */
  @Test
  void aNodeWhoseContainerIsOfNoUseIsUnwantedWhileOnlyThatWorkerWaits() {
    Wanted one = new Wanted(id(8, TaskType.REDUCE), RACK, List.of(), SOURCE);
    Wanted other = new Wanted(id(9, TaskType.REDUCE), RACK, List.of(), HOST);
    waits(one);
    assertThat(replicas.unwanted()).as("nothing has gone back").isEmpty();
    replicas.decide(on(SOURCE)).run();
    verify(replicator, never()).allocated(one.worker(), on(SOURCE));
    assertThat(replicas.unwanted()).containsExactly(SOURCE);
    waits(one, other);
    assertThat(replicas.unwanted()).as("the other can use it").isEmpty();
    waits();
    assertThat(replicas.unwanted()).as("nobody waits").isEmpty();
  }

  /** What was requested last. */
  private ContainerRequest requested() {
    ArgumentCaptor<ContainerRequest> request = ArgumentCaptor.captor();
    verify(allocator, atLeastOnce()).addContainerReq(request.capture());
    return request.getValue();
  }

  @Test
  void aWorkerThatNamesAGoodHostWantsNoContainerElsewhere() {
    Priority own = on(HOST).getPriority();
    ResourceRequest any = request(own, ResourceRequest.ANY);
    when(placer.hosts(RACK)).thenReturn(List.of(HOST, SOURCE));
    when(placer.workers(RACK)).thenReturn(List.of(HOST, SOURCE));
    waits(new Wanted(id(8, TaskType.REDUCE), RACK, List.of(), SOURCE));
    assertThat(requested().hosts).containsExactly(HOST);
    assertThat(replicas.isStrict(any)).isTrue();
    assertThat(replicas.isStrict(request(own, RACK))).isFalse();
    assertThat(
            replicas.isStrict(request(RMContainerAllocator.PRIORITY_REDUCE, ResourceRequest.ANY)))
        .isFalse();
    when(replicator.avoids(HOST)).thenReturn(true);
    clearInvocations(allocator);
    replicas.heartbeat(grace -> 0);
    assertThat(replicas.isStrict(any)).isFalse();
    ContainerRequest again = requested();
    verify(allocator).decContainerReq(again);
  }

  /** CapacityScheduler would never offer it the rest of its rack. */
  @Test
  void aWorkerThatKnowsNoOtherHostTakesAnyOfItsRack() {
    when(placer.hosts(RACK)).thenReturn(List.of(HOST, SOURCE));
    when(placer.workers(RACK)).thenReturn(List.of(SOURCE));
    waits(new Wanted(id(8, TaskType.REDUCE), RACK, List.of(), SOURCE));
    assertThat(replicas.isStrict(request(on(HOST).getPriority(), ResourceRequest.ANY))).isFalse();
  }

  private static ResourceRequest request(Priority priority, String where) {
    return ResourceRequest.newInstance(priority, where, Resource.newInstance(384, 1), 1);
  }
}
