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
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Adds Drover's wishes to the heartbeats of Hadoop's allocator: which nodes to offer no containers
 * on, and which racks.
 *
 * <p><b>What stock does.</b> RMContainerRequestor sends additions to and removals from its own
 * blacklist, each once, and all of it again after the ResourceManager has lost it (on registering
 * anew). Its requests for any node may be met on any.
 *
 * <p><b>What is done here.</b> Three things:
 *
 * <ul>
 *   <li>Avoided nodes that have not been told are added to the additions, and no avoided node is
 *       among the removals: Hadoop may take a node back that is on both lists.
 *   <li>Unwanted nodes, on which no attempt that waits would take a container, are added too, and
 *       removed with the first heartbeat in which one would: the ResourceManager takes in the new
 *       requests and the removals of a heartbeat together. A node on Hadoop's own blacklist stays.
 *   <li>A request that is to be heeded in certain racks only goes out as a strict one. It is a copy
 *       that is changed: Hadoop may send the request itself, or one of its own for fewer
 *       containers, at any later time.
 * </ul>
 *
 * <p><b>Why nothing is lost.</b> Everything else of a request goes through as it is. An avoided
 * node counts as told only when the call has returned, and after a registration all are told again.
 * An unwanted one counts as told before the call, and until a call that removes it has returned: no
 * failure in between leaves it behind.
 *
 * <p>Calls come one at a time, from the allocator's thread.
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
    if (!all.isEmpty() || !unwantedBefore.isEmpty()) {
      addTo(request, all, unwanted);
    }
    if (request.getAskList().stream().anyMatch(allocator::isStrict)) {
      request.setAskList(request.getAskList().stream().map(this::asMeant).toList());
    }
    AllocateResponse response = resourceManager.allocate(request);
    sent.addAll(all);
    unwantedBefore.retainAll(unwanted);
    avoided.clusterNodes(response.getNumClusterNodes());
    return response;
  }

  private void addTo(AllocateRequest request, Set<String> all, Set<String> unwanted) {
    ResourceBlacklistRequest hadoops = request.getResourceBlacklistRequest();
    Set<String> additions = new LinkedHashSet<>(all);
    additions.removeAll(sent);
    additions.addAll(unwanted);
    Set<String> removals = new LinkedHashSet<>(unwantedBefore);
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
