// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.drover.appmaster.ReducePlacer;
import java.util.List;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReduceRequestsTest {
  private final ReducePlacer placer = mock(ReducePlacer.class);

  private void reported(NodeState state) {
    AllocateResponse response = mock(AllocateResponse.class);
    NodeId node = NodeId.newInstance("n1", 1);
    when(response.getUpdatedNodes())
        .thenReturn(
            List.of(NodeReport.newInstance(node, state, null, null, null, null, 0, null, 0)));
    new ReduceRequests(null, null, placer).onResponse(response);
  }

  @ParameterizedTest
  @EnumSource(
      value = NodeState.class,
      names = {"UNHEALTHY", "DECOMMISSIONED", "LOST", "DECOMMISSIONING", "SHUTDOWN"})
  void noReduceIsSentForTheSakeOfANodeThatTakesNone(NodeState state) {
    reported(state);
    verify(placer).isGone(eq("n1"), any());
    verify(placer, never()).works(any(), any());
  }

  @ParameterizedTest
  @EnumSource(
      value = NodeState.class,
      names = {"NEW", "RUNNING"})
  void nodeThatComesOrComesBackTakesReduces(NodeState state) {
    reported(state);
    verify(placer).works(eq("n1"), any());
    verify(placer, never()).isGone(any(), any());
  }
}
