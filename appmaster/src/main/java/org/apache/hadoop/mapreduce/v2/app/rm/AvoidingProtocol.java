// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.AvoidedNodes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Tells the ResourceManager which nodes the job avoids, with the heartbeats of Hadoop's allocator.
 *
 * <p><b>What stock does.</b> RMContainerRequestor sends additions to and removals from its own
 * blacklist, each once, and all of it again after the ResourceManager has lost it (on registering
 * anew).
 *
 * <p><b>What is done here.</b> Avoided nodes that have not been told are added to the additions,
 * and no avoided node is among the removals: Hadoop may take a node back that is on both lists.
 *
 * <p><b>Why nothing is lost.</b> Everything else of a request goes through as it is. A node counts
 * as told only when the call has returned; after a registration all are told again.
 *
 * <p>Calls come one at a time, from the allocator's thread.
 */
final class AvoidingProtocol implements ApplicationMasterProtocol {
  private final ApplicationMasterProtocol resourceManager;
  private final AvoidedNodes avoided;
  private final Set<String> told = new HashSet<>();

  AvoidingProtocol(ApplicationMasterProtocol resourceManager, AvoidedNodes avoided) {
    this.resourceManager = resourceManager;
    this.avoided = avoided;
  }

  @Override
  public RegisterApplicationMasterResponse registerApplicationMaster(
      RegisterApplicationMasterRequest request) throws YarnException, IOException {
    told.clear();
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
    if (!all.isEmpty()) {
      addTo(request, all);
    }
    AllocateResponse response = resourceManager.allocate(request);
    told.addAll(all);
    avoided.clusterNodes(response.getNumClusterNodes());
    return response;
  }

  private void addTo(AllocateRequest request, Set<String> all) {
    ResourceBlacklistRequest hadoops = request.getResourceBlacklistRequest();
    Set<String> additions = new LinkedHashSet<>(all);
    additions.removeAll(told);
    List<String> removals = new ArrayList<>();
    if (hadoops != null) {
      additions.addAll(hadoops.getBlacklistAdditions());
      removals.addAll(hadoops.getBlacklistRemovals());
      removals.removeAll(all);
    }
    request.setResourceBlacklistRequest(
        ResourceBlacklistRequest.newInstance(new ArrayList<>(additions), removals));
  }
}
