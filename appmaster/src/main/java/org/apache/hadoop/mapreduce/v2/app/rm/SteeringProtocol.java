// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.AvoidedNodes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.client.api.NMTokenCache;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Adds Drover's wishes to the heartbeats of Hadoop's allocator: the nodes and racks in which it
 * wants no containers.
 *
 * <p><b>What stock Hadoop does.</b> RMContainerRequestor sends each addition to and each removal
 * from its own blacklist once. It sends the whole blacklist again after the ResourceManager has
 * lost it and the AppMaster registers anew. Its requests for any node may be met on any node.
 *
 * <p><b>What is done here.</b> Three things:
 *
 * <ul>
 *   <li>Avoided nodes that have not been sent yet are added to the additions. An avoided node is
 *       never among the removals, because Hadoop may take a node back that is on both lists. A node
 *       that is not avoided any more is among them, unless it is on Hadoop's own blacklist.
 *   <li>Unwanted nodes, on which no waiting attempt would take a container, are added too. They are
 *       removed with the first heartbeat in which an attempt would take one, because the
 *       ResourceManager processes the new requests and the removals of a heartbeat together. A node
 *       on Hadoop's own blacklist stays.
 *   <li>A request that must be met in certain racks is sent as a strict one. This changes a copy of
 *       the request, because Hadoop may send the request itself, or one of its own for fewer
 *       containers, at any later time.
 * </ul>
 *
 * <p><b>Why nothing is lost.</b> Everything else in a request is passed on unchanged. An avoided
 * node counts as sent only after the call has returned, and all are sent again after a
 * registration. An unwanted node counts as sent from before the call until a call that removes it
 * has returned, so no failure in between leaves it on the list.
 *
 * <p>Calls come one at a time. The allocator makes them on its thread, and before that thread
 * starts and after it ends.
 */
final class SteeringProtocol implements ApplicationMasterProtocol {
  private final ApplicationMasterProtocol resourceManager;
  private final AvoidedNodes avoided;
  private final DroverContainerAllocator allocator;
  private final Set<String> sent = new HashSet<>();
  private final Set<String> unwantedBefore = new HashSet<>();

  SteeringProtocol(
      ApplicationMasterProtocol resourceManager,
      AvoidedNodes avoided,
      DroverContainerAllocator allocator) {
    this.resourceManager = resourceManager;
    this.avoided = avoided;
    this.allocator = allocator;
  }

  @Override
  public RegisterApplicationMasterResponse registerApplicationMaster(
      RegisterApplicationMasterRequest request) throws YarnException, IOException {
    sent.clear();
    return resourceManager.registerApplicationMaster(request);
  }

  @Override
  public FinishApplicationMasterResponse finishApplicationMaster(
      FinishApplicationMasterRequest request) throws YarnException, IOException {
    return resourceManager.finishApplicationMaster(request);
  }

  @Override
  public AllocateResponse allocate(AllocateRequest request) throws YarnException, IOException {
    Set<String> all = avoided.all();
    Set<String> unwanted = allocator.unwanted();
    unwantedBefore.addAll(unwanted);
    Set<String> back = new HashSet<>(sent);
    back.removeAll(all);
    if (!all.isEmpty() || !back.isEmpty() || !unwantedBefore.isEmpty()) {
      addTo(request, all, back, unwanted);
    }
    if (request.getAskList().stream().anyMatch(allocator::isStrict)) {
      request.setAskList(request.getAskList().stream().map(this::asMeant).toList());
    }
    AllocateResponse response = resourceManager.allocate(request);
    sent.addAll(all);
    sent.removeAll(back);
    unwantedBefore.retainAll(unwanted);
    avoided.clusterNodes(response.getNumClusterNodes());
    keepTokens(response);
    return response;
  }

  /**
   * Stores the NMTokens of a response. Hadoop stores them as well, but only after the allocator has
   * returned the response. That is too late for a container that is assigned before: its launcher
   * is another thread and would find no token for the node. The ResourceManager sends the token of
   * each node once.
   */
  private static void keepTokens(AllocateResponse response) {
    if (response.getNMTokens() != null) {
      response
          .getNMTokens()
          .forEach(
              token -> NMTokenCache.setNMToken(token.getNodeId().toString(), token.getToken()));
    }
  }

  private void addTo(
      AllocateRequest request, Set<String> all, Set<String> back, Set<String> unwanted) {
    ResourceBlacklistRequest hadoops = request.getResourceBlacklistRequest();
    Set<String> additions = new LinkedHashSet<>(all);
    additions.removeAll(sent);
    additions.addAll(unwanted);
    Set<String> removals = new LinkedHashSet<>(unwantedBefore);
    removals.addAll(back);
    removals.removeIf(allocator::isNodeBlacklisted);
    if (hadoops != null) {
      additions.addAll(hadoops.getBlacklistAdditions());
      removals.addAll(hadoops.getBlacklistRemovals());
    }
    removals.removeAll(all);
    removals.removeAll(unwanted);
    request.setResourceBlacklistRequest(
        ResourceBlacklistRequest.newInstance(
            new ArrayList<>(additions), new ArrayList<>(removals)));
  }

  private ResourceRequest asMeant(ResourceRequest request) {
    if (!allocator.isStrict(request)) {
      return request;
    }
    ResourceRequest strict = ResourceRequest.clone(request);
    strict.setRelaxLocality(false);
    return strict;
  }
}
