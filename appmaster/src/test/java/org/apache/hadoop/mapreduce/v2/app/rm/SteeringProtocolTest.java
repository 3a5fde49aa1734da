// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.appmaster.AvoidedNodes;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the ResourceManager has on its list of nodes after each heartbeat. */
class SteeringProtocolTest {
  private final ApplicationMasterProtocol resourceManager = mock(ApplicationMasterProtocol.class);
  private final DroverContainerAllocator allocator = mock(DroverContainerAllocator.class);
  private final AvoidedNodes avoided = mock(AvoidedNodes.class);
  private final SteeringProtocol protocol =
      new SteeringProtocol(resourceManager, avoided, allocator);
  private final Set<String> listed = new HashSet<>();
  private boolean losesAnswers;

  @BeforeEach
  void resourceManagerThatKeepsAList() throws Exception {
    when(avoided.all()).thenReturn(Set.of());
    when(allocator.unwanted()).thenReturn(Set.of());
    when(resourceManager.allocate(any()))
        .thenAnswer(
            call -> {
              AllocateRequest request = call.getArgument(0);
              ResourceBlacklistRequest list = request.getResourceBlacklistRequest();
              listed.addAll(list.getBlacklistAdditions());
              listed.removeAll(list.getBlacklistRemovals());
              if (losesAnswers) {
                throw new IOException("the answer is lost");
              }
              return mock(AllocateResponse.class);
            });
  }

  private AllocateRequest heartbeat(List<String> additions, List<String> removals)
      throws Exception {
    AllocateRequest request =
        AllocateRequest.newInstance(
            1,
            0,
            List.of(ask(ResourceRequest.ANY), ask("/r1")),
            List.of(),
            ResourceBlacklistRequest.newInstance(additions, removals));
    protocol.allocate(request);
    return request;
  }

  private static ResourceRequest ask(String place) {
    return ResourceRequest.newInstance(
        Priority.newInstance(10), place, Resource.newInstance(1, 1), 1);
  }

  private void heartbeat() throws Exception {
    heartbeat(List.of(), List.of());
  }

  private void unwanted(String... hosts) {
    when(allocator.unwanted()).thenReturn(Set.of(hosts));
  }

  @Test
  void unwantedNodeIsListedAsLongAsItIsUnwanted() throws Exception {
    unwanted("h1");
    heartbeat();
    assertThat(listed).containsExactly("h1");
    unwanted("h1", "h2");
    heartbeat();
    assertThat(listed).containsExactlyInAnyOrder("h1", "h2");
    unwanted("h2");
    heartbeat();
    assertThat(listed).containsExactly("h2");
    unwanted();
    heartbeat();
    assertThat(listed).isEmpty();
  }

  @Test
  void unwantedNodeDoesNotStayListedWhereAnswersAreLost() throws Exception {
    unwanted("h1");
    losesAnswers = true;
    assertThatThrownBy(this::heartbeat).isInstanceOf(IOException.class);
    assertThat(listed).containsExactly("h1");
    unwanted();
    losesAnswers = false;
    heartbeat();
    assertThat(listed).isEmpty();
  }

  @Test
  void nodeOnHadoopsOwnListOrAvoidedStaysListed() throws Exception {
    unwanted("h1", "h2");
    heartbeat(List.of("h1"), List.of());
    when(allocator.isNodeBlacklisted("h1")).thenReturn(true);
    when(avoided.all()).thenReturn(Set.of("h2"));
    unwanted();
    heartbeat();
    assertThat(listed).containsExactlyInAnyOrder("h1", "h2");
  }

  @Test
  void nodeThatIsNotAvoidedAnyMoreIsRemovedUnlessHadoopHasIt() throws Exception {
    when(avoided.all()).thenReturn(Set.of("h1", "h2"));
    heartbeat();
    assertThat(listed).containsExactlyInAnyOrder("h1", "h2");
    when(allocator.isNodeBlacklisted("h2")).thenReturn(true);
    when(avoided.all()).thenReturn(Set.of());
    losesAnswers = true;
    assertThatThrownBy(this::heartbeat).isInstanceOf(IOException.class);
    losesAnswers = false;
    heartbeat();
    assertThat(listed).containsExactly("h2");
    when(avoided.all()).thenReturn(Set.of("h1"));
    heartbeat();
    assertThat(listed).containsExactlyInAnyOrder("h1", "h2");
  }

  @Test
  void nodeThatHadoopTakesBackIsRemovedWhenItIsWantedAgain() throws Exception {
    heartbeat(List.of("h1"), List.of());
    unwanted("h1");
    heartbeat(List.of(), List.of("h1"));
    assertThat(listed).containsExactly("h1");
    unwanted();
    heartbeat();
    assertThat(listed).isEmpty();
  }

  @Test
  void strictRequestGoesOutStrictAndHadoopsStaysAsItIs() throws Exception {
    ResourceRequest anywhere = ask(ResourceRequest.ANY);
    when(allocator.isStrict(anywhere)).thenReturn(true);
    AllocateRequest sent = heartbeat(List.of(), List.of());
    assertThat(sent.getAskList())
        .extracting(ResourceRequest::getRelaxLocality)
        .containsExactly(false, true);
    assertThat(anywhere.getRelaxLocality()).isTrue();
  }
}
