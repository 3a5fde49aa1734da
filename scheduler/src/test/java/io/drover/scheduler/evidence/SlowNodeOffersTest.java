// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.scheduler.evidence.SlowNodeOffers.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SlowNodeOffersTest {
  private static final ApplicationAttemptId APP = application(1);
  private static final Resource ONE = Resource.newInstance(1024, 1);
  private static final long SKIP_MILLIS = 1_000_000;

  private final AtomicLong nanos = new AtomicLong();
  private final CapacityScheduler scheduler = mock(CapacityScheduler.class);

  @SuppressWarnings("unchecked") // of a generic class
  private final ClusterNodeTracker<FiCaSchedulerNode> tracker = mock(ClusterNodeTracker.class);

  private final List<FiCaSchedulerNode> nodes = new ArrayList<>();
  private final SlowNodeOffers offers = new SlowNodeOffers(scheduler, nanos::get);
  private final FiCaSchedulerNode slow = node("slow", "", 4);

  private static ApplicationAttemptId application(int number) {
    return ApplicationAttemptId.newInstance(ApplicationId.newInstance(0, number), 1);
  }

  @BeforeEach
  void start() {
    when(scheduler.getNodeTracker()).thenReturn(tracker);
    when(tracker.getAllNodes()).thenReturn(nodes);
    when(scheduler.getResourceCalculator()).thenReturn(new DominantResourceCalculator());
    when(scheduler.getSkipNodeInterval()).thenReturn(SKIP_MILLIS);
    offers.configure(Mode.ON);
  }

  /** A node with room for so many containers of 1 GB and one core. */
  private FiCaSchedulerNode node(String host, String partition, int room) {
    RMNode known = mock(RMNode.class);
    when(known.getState()).thenReturn(NodeState.RUNNING);
    FiCaSchedulerNode node = mock(FiCaSchedulerNode.class);
    when(node.getNodeID()).thenReturn(NodeId.newInstance(host, 1));
    when(node.getRMNode()).thenReturn(known);
    when(node.getPartition()).thenReturn(partition);
    when(node.getUnallocatedResource()).thenReturn(Resource.newInstance(room * 1024L, 2 * room));
    when(node.getLastHeartbeatMonotonicTime()).thenReturn(Time.monotonicNow());
    nodes.add(node);
    return node;
  }

  private void look() {
    offers.look(Set.of("slow"), host -> false);
  }

  private boolean isPassedOver(int containers) {
    return offers.patience(APP).passesOver(slow, ONE, containers);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void slowNodeIsPassedOverWhileTheOthersHaveRoomForAllThatIsWanted() {
    FiCaSchedulerNode other = node("n1", "", 2);
    node("n2", "", 3);
    look();
    assertThat(offers.patience(APP).mayPassOver(slow)).isTrue();
    assertThat(offers.patience(APP).mayPassOver(other)).isFalse();
    assertThat(isPassedOver(5)).isTrue();
    assertThat(isPassedOver(6)).isFalse();
    assertThat(offers.patience(APP).passesOver(slow, Resource.newInstance(2048, 1), 2)).isTrue();
    assertThat(offers.patience(APP).passesOver(slow, Resource.newInstance(2048, 1), 3)).isFalse();
    assertThat(offers.patience(APP).passesOver(slow, Resource.newInstance(1024, 4), 2)).isTrue();
    assertThat(offers.patience(APP).passesOver(slow, Resource.newInstance(1024, 4), 3)).isFalse();
  }

  @Test
  void roomOfOtherPartitionsDoesNotCount() {
    node("n1", "gpu", 9);
    look();
    assertThat(isPassedOver(1)).isFalse();
  }

  @Test
  void roomThatNobodyIsOfferedDoesNotCount() {
    when(node("n1", "", 9).getReservedContainer()).thenReturn(mock(RMContainer.class));
    RMNode leaving = node("n2", "", 9).getRMNode();
    when(leaving.getState()).thenReturn(NodeState.DECOMMISSIONING);
    when(node("n3", "", 9).getLastHeartbeatMonotonicTime())
        .thenReturn(Time.monotonicNow() - SKIP_MILLIS - 1);
    node("closed", "", 9);
    offers.look(Set.of("slow"), "closed"::equals);
    assertThat(isPassedOver(1)).isFalse();
    look();
    assertThat(isPassedOver(9)).isTrue();
    assertThat(isPassedOver(10)).isFalse();
  }

  @Test
  void requestThatCannotUseTheRoomWaitsOnceAndForFiveSeconds() {
    FiCaSchedulerNode other = node("n1", "", 9);
    Patience patience = offers.patience(APP);
    for (int second = 0; second < 5; second++) {
      look();
      assertThat(patience.passesOver(slow, ONE, 2)).as("after %s s", second).isTrue();
      pass(Duration.ofSeconds(1));
    }
    look();
    assertThat(patience.passesOver(slow, ONE, 2)).isFalse();
    patience.allocated(slow);
    assertThat(patience.passesOver(slow, ONE, 1)).as("it has waited").isFalse();
    assertThat(offers.waits()).isEqualTo(1);
    patience.allocated(other);
    assertThat(patience.passesOver(slow, ONE, 1)).as("it can use the room").isTrue();
    assertThat(offers.waits()).isEqualTo(2);
  }

  @Test
  void applicationThatHasWaitedInVainDoesNotWaitForEachContainer() {
    node("n1", "", 9);
    look();
    Patience patience = offers.patience(APP);
    assertThat(patience.passesOver(slow, ONE, 1)).isTrue();
    pass(SlowNodeOffers.PATIENCE);
    look();
    assertThat(patience.passesOver(slow, ONE, 1)).isFalse();
    assertThat(isPassedOver(1)).as("its next request").isFalse();
    assertThat(offers.patience(application(2)).passesOver(slow, ONE, 1)).isTrue();
    pass(SlowNodeOffers.VAIN);
    look();
    assertThat(isPassedOver(1)).isTrue();
  }

  @Test
  void oldLookDoesNotCount() {
    node("n1", "", 9);
    look();
    pass(Duration.ofSeconds(6));
    assertThat(isPassedOver(1)).isFalse();
    look();
    assertThat(isPassedOver(1)).isTrue();
  }

  @Test
  void observedRequestsDoNotWait() {
    node("n1", "", 9);
    offers.configure(Mode.OBSERVE);
    look();
    Patience patience = offers.patience(APP);
    assertThat(patience.passesOver(slow, ONE, 1)).isFalse();
    patience.allocated(slow);
    assertThat(patience.passesOver(slow, ONE, 1)).isFalse();
    assertThat(offers.waits()).isEqualTo(1);
  }

  @Test
  void switchedOffAllNodesAreAlike() {
    node("n1", "", 9);
    look();
    offers.configure(Mode.OFF);
    assertThat(offers.patience(APP).mayPassOver(slow)).isFalse();
    look();
    assertThat(offers.patience(APP).mayPassOver(slow)).isFalse();
  }

  @Test
  void emptyRequestsDoNotWait() {
    node("n1", "", 9);
    look();
    assertThat(isPassedOver(0)).isFalse();
    assertThat(offers.patience(APP).passesOver(slow, Resource.newInstance(0, 0), 1)).isFalse();
    assertThat(offers.waits()).isZero();
  }

  @Test
  void requestsOfManySizesCostNoMoreThanAHundredCounts() {
    FiCaSchedulerNode other = node("n1", "", 9);
    look();
    int passed = 0;
    for (int size = 1; size <= 200; size++) {
      if (offers.patience(APP).passesOver(slow, Resource.newInstance(size, 1), 1)) {
        passed++;
      }
    }
    assertThat(passed).isEqualTo(100);
    assertThat(other.getUnallocatedResource().getMemorySize()).isEqualTo(9 * 1024);
  }

  @Test
  void errorsPassNothingOver() {
    node("n1", "", 9);
    look();
    when(scheduler.getResourceCalculator()).thenThrow(new IllegalStateException("a fault"));
    assertThat(isPassedOver(1)).isFalse();
    assertThat(offers.breaker().failures()).isEqualTo(1);
    when(tracker.getAllNodes()).thenThrow(new IllegalStateException("another"));
    look();
    look();
    assertThat(offers.breaker().isOpen()).isTrue();
    assertThat(offers.patience(APP).mayPassOver(slow)).isFalse();
    look();
    assertThat(offers.breaker().failures()).as("it is not tried for a minute").isEqualTo(3);
    pass(CircuitBreaker.PAUSE);
    look();
    assertThat(offers.breaker().failures()).isEqualTo(4);
  }
}
