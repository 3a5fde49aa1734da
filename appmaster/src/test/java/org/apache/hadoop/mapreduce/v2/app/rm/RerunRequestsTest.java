// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.drover.appmaster.AvoidedNodes;
import io.drover.appmaster.input.InputHolders;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.impl.MadeUpMaps;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RerunRequestsTest {
  private static final String CRAWLING = "reruns-crawling";
  private static final String BESIDE = "reruns-beside";
  private static final String GOOD = "reruns-good";

  private final TaskAttemptId attempt =
      MRBuilderUtils.newTaskAttemptId(
          MRBuilderUtils.newTaskId(
              MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1), 1, TaskType.MAP),
          1);
  private final DroverContainerAllocator allocator = mock();
  private final AvoidedNodes avoided = mock();
  private final InputHolders holders = mock();
  private final Map<TaskAttemptId, ContainerRequest> waiting = new LinkedHashMap<>();
  private final RerunRequests reruns = new RerunRequests(allocator, avoided, holders);
  private final ContainerRequestEvent anyNode =
      ContainerRequestEvent.createContainerRequestEventForFailedContainer(
          attempt, Resource.newInstance(512, 1));

  @BeforeAll
  static void racks() {
    StaticRacks.put("/reruns1", CRAWLING, BESIDE);
    StaticRacks.put("/reruns2", GOOD);
  }

  /** The map waits for any node, as nothing is known of its input. */
  @BeforeEach
  void waits() {
    when(allocator.task(attempt)).thenReturn(mock(Task.class));
    when(allocator.pending(attempt)).thenReturn(waiting);
    when(allocator.waiting()).thenAnswer(call -> waiting.values().stream());
    when(avoided.isHardToRead(CRAWLING)).thenReturn(true);
    assertThat(reruns.instead(anyNode)).isSameAs(anyNode);
    waiting.put(
        attempt, new ContainerRequest(anyNode, RMContainerAllocator.PRIORITY_FAST_FAIL_MAP, ""));
  }

  private void areFound(String... hosts) {
    when(holders.of(attempt.getTaskId())).thenReturn(Set.of(hosts));
    when(holders.news()).thenReturn(List.of(attempt.getTaskId()));
    reruns.askAnew();
  }

  @Test
  void mapAsksAnewWhenItIsKnownWhoHoldsItsInput() {
    ContainerRequest old = waiting.get(attempt);
    areFound(CRAWLING, GOOD);
    ContainerRequest request = waiting.get(attempt);
    assertThat(request.hosts).containsExactly(GOOD);
    assertThat(request.racks).containsExactly("/reruns2");
    assertThat(request.priority).isEqualTo(RMContainerAllocator.PRIORITY_FAST_FAIL_MAP);
    assertThat(request.requestTimeMs).isEqualTo(old.requestTimeMs);
    verify(allocator).decContainerReq(old);
    verify(allocator).addContainerReq(request);
  }

  @Test
  void holdersOfASplitThatNamesHostsAreLookedUp() {
    TaskSplitMetaInfo split = new TaskSplitMetaInfo(new TaskSplitIndex(), new String[] {GOOD}, 0);
    Task map = MadeUpMaps.of(split);
    when(allocator.task(attempt)).thenReturn(map);
    reruns.instead(anyNode);
    verify(holders).lookUp(attempt.getTaskId(), split);
  }

  @Test
  void nobodyIsAskedAboutASplitThatIsOnNoHost() {
    for (String[] named : new String[][] {{}, {"localhost"}}) {
      TaskSplitMetaInfo split = new TaskSplitMetaInfo(new TaskSplitIndex(), named, 0);
      Task map = MadeUpMaps.of(split);
      when(allocator.task(attempt)).thenReturn(map);
      reruns.instead(anyNode);
    }
    verify(holders, never()).lookUp(any(), any());
  }

  @Test
  void nothingChangesIfAllHoldersCanBeRead() {
    areFound(GOOD);
    assertThat(waiting.get(attempt).hosts).isEmpty();
    verify(allocator, never()).addContainerReq(any());
  }

  @Test
  void theSameIsNotAskedTwice() {
    areFound(CRAWLING, GOOD);
    ContainerRequest first = waiting.get(attempt);
    areFound(CRAWLING, GOOD);
    assertThat(waiting.get(attempt)).isSameAs(first);
  }

  @Test
  void placesBesideAHolderThatCrawlsAreFarOnceItIsKnown() {
    ContainerRequest request = waiting.get(attempt);
    assertThat(reruns.isFar(request, BESIDE)).isFalse();
    areFound(CRAWLING, GOOD);
    assertThat(reruns.isFar(waiting.get(attempt), BESIDE)).isTrue();
    assertThat(reruns.isFar(waiting.get(attempt), GOOD)).isFalse();
  }

  @Test
  void firstAttemptsAskAndRunAsBefore() {
    ContainerRequestEvent first =
        new ContainerRequestEvent(attempt, anyNode.getCapability(), new String[0], new String[0]);
    areFound(CRAWLING, GOOD);
    assertThat(reruns.instead(first)).isSameAs(first);
    ContainerRequest request = new ContainerRequest(first, RMContainerAllocator.PRIORITY_MAP, "");
    assertThat(reruns.isFar(request, BESIDE)).isFalse();
  }
}
