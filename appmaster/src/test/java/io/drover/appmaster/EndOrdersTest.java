// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.isA;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.drover.appmaster.EndOrders.DueOrder;
import io.drover.channel.ClusterState.EndOrder;
import io.drover.speculator.Breakers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.ArgumentCaptor;
import org.mockito.InOrder;

class EndOrdersTest {
  private static final Duration GRACE = Duration.ofMinutes(1);

  private final JobImpl job = mock(JobImpl.class);
  private final List<Runnable> dispatched = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private Optional<DueOrder> order = Optional.empty();
  private EndOrders orders;

  @BeforeEach
  void watch() {
    when(job.getInternalState()).thenReturn(JobStateInternal.RUNNING);
    orders =
        new EndOrders(
            () -> order,
            () -> job,
            dispatched::add,
            (type, fields) -> log.add(type),
            Breakers.uncounted());
  }

  private void heartbeat() {
    orders.run();
  }

  private void dispatch() {
    List<Runnable> due = new ArrayList<>(dispatched);
    dispatched.clear();
    due.forEach(Runnable::run);
  }

  private void order(Duration age) {
    order = Optional.of(new DueOrder(new EndOrder("it fails", GRACE), age));
  }

  @Test
  void jobEndsAsKilledWithTheReasonWhenItsTimeIsOver() {
    order(GRACE);
    heartbeat();
    verify(job, never()).handle(any()); // only the dispatcher thread may end it
    dispatch();
    InOrder inOrder = inOrder(job);
    inOrder.verify(job).handle(isA(JobDiagnosticsUpdateEvent.class));
    ArgumentCaptor<JobEvent> last = ArgumentCaptor.forClass(JobEvent.class);
    inOrder.verify(job).handle(last.capture());
    assertThat(last.getValue().getType()).isEqualTo(JobEventType.JOB_KILL);
    heartbeat();
    dispatch(); // a second kill would cut the cleaning short
    inOrder.verifyNoMoreInteractions();
  }

  @Test
  void jobRunsForItsGracePeriodAndKnowsWhy() {
    order(Duration.ofSeconds(10));
    heartbeat();
    heartbeat();
    assertThat(dispatched).isEmpty();
    assertThat(log).containsExactly("endOrdered");
  }

  @Test
  void orderThatIsWithdrawnEndsNothing() {
    order(Duration.ZERO);
    heartbeat();
    order = Optional.empty();
    heartbeat();
    assertThat(log).containsExactly("endOrdered", "endWithdrawn");
    assertThat(dispatched).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RUNNING")
  void jobThatIsCommittingOrEndingOrNotYetRunningIsLeftAlone(JobStateInternal state) {
    order(GRACE);
    heartbeat();
    when(job.getInternalState()).thenReturn(state); // between the heartbeat and the dispatcher
    dispatch();
    verify(job, never()).handle(any());
  }

  @Test
  void errorIsContainedAndTheNextHeartbeatLooksAgain() {
    when(job.getInternalState()).thenThrow(new IllegalStateException("broken")).thenReturn(null);
    order(GRACE);
    heartbeat();
    dispatch();
    heartbeat();
    assertThat(dispatched).hasSize(1);
  }
}
