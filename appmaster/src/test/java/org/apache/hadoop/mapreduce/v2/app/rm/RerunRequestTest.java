// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RerunRequestTest {
  private static final String SILENT = "rerun-silent";
  private static final String BESIDE = "rerun-beside";
  private static final String THIRD = "rerun-third";
  private static final String AWAY = "rerun-away";
  private static final String BESIDE_AWAY = "rerun-beside-away";

  private final TaskAttemptId attempt =
      MRBuilderUtils.newTaskAttemptId(
          MRBuilderUtils.newTaskId(
              MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1), 1, TaskType.MAP),
          1);
  private final Resource size = Resource.newInstance(512, 1);
  private final ContainerRequestEvent anyNode =
      ContainerRequestEvent.createContainerRequestEventForFailedContainer(attempt, size);

  @BeforeAll
  static void racks() {
    StaticRacks.put("/rerun1", SILENT, BESIDE, THIRD);
    StaticRacks.put("/rerun2", AWAY, BESIDE_AWAY);
  }

  private ContainerRequestEvent request(ContainerRequestEvent asked, String... holders) {
    return RerunRequest.of(asked, Set.of(holders), SILENT::equals);
  }

  @Test
  void mapAsksForNodesThatHoldItsInputAndAnswer() {
    ContainerRequestEvent request = request(anyNode, AWAY, BESIDE, SILENT);
    assertThat(request.getHosts()).containsExactly(AWAY, BESIDE);
    assertThat(request.getRacks()).as("of each").containsExactly("/rerun2", "/rerun1");
    assertThat(request.getEarlierAttemptFailed()).isTrue();
    assertThat(request.getAttemptID()).isEqualTo(attempt);
    assertThat(request.getCapability()).isSameAs(size);
  }

  @Test
  void anyNodeWillDoIfAllOrNoneOfThemAnswer() {
    assertThat(request(anyNode, AWAY, BESIDE)).isSameAs(anyNode);
    assertThat(request(anyNode, SILENT)).isSameAs(anyNode);
    assertThat(request(anyNode)).isSameAs(anyNode);
  }

  private boolean isFar(ContainerRequestEvent asked, String host) {
    ContainerRequest request =
        new ContainerRequest(asked, RMContainerAllocator.PRIORITY_FAST_FAIL_MAP, "");
    return RerunRequest.isFar(request, Set.of(AWAY, SILENT), SILENT::equals, host);
  }

  @Test
  void hostsElsewhereAreFar() {
    ContainerRequestEvent request = request(anyNode, AWAY, SILENT);
    assertThat(isFar(request, AWAY)).isFalse();
    assertThat(isFar(request, BESIDE_AWAY)).isFalse();
    assertThat(isFar(request, BESIDE)).as("beside the silent one").isTrue();
  }

  @Test
  void ifOnlyASilentHolderIsKnownItsRackIsFar() {
    ContainerRequest asked =
        new ContainerRequest(anyNode, RMContainerAllocator.PRIORITY_FAST_FAIL_MAP, "");
    Set<String> holders = Set.of(SILENT);
    assertThat(RerunRequest.isFar(asked, holders, SILENT::equals, BESIDE)).isTrue();
    assertThat(RerunRequest.isFar(asked, holders, SILENT::equals, AWAY)).isFalse();
    assertThat(RerunRequest.isFar(asked, holders, AWAY::equals, BESIDE)).as("it answers").isFalse();
  }

  @Test
  void hostInTheRackOfBothIsFar() {
    ContainerRequest asked =
        new ContainerRequest(
            request(anyNode, BESIDE, SILENT), RMContainerAllocator.PRIORITY_FAST_FAIL_MAP, "");
    Set<String> holders = Set.of(BESIDE, SILENT);
    assertThat(RerunRequest.isFar(asked, holders, SILENT::equals, BESIDE)).isFalse();
    assertThat(RerunRequest.isFar(asked, holders, SILENT::equals, THIRD)).isTrue();
  }

  @Test
  void firstAttemptsAskAsBefore() {
    ContainerRequestEvent first =
        new ContainerRequestEvent(attempt, size, new String[0], new String[0]);
    assertThat(request(first, AWAY, SILENT)).isSameAs(first);
  }
}
