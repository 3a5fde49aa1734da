// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.AvoidedNodes;
import io.drover.appmaster.Cloner;
import io.drover.appmaster.CopiesApart;
import io.drover.appmaster.ReduceOrder;
import io.drover.appmaster.ReducePlacer;
import io.drover.core.config.Mode;
import io.drover.speculator.Breakers;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.NoopAMPreemptionPolicy;

/** Drover's allocator, which counts how often a request is added to what is asked for. */
public abstract class CountedRequests extends DroverContainerAllocator {
  private final AtomicInteger requests;

  protected CountedRequests(
      AtomicInteger requests,
      ClientService clientService,
      AppContext context,
      CopiesApart apart,
      AvoidedNodes avoided,
      Cloner cloner,
      ReducePlacer placer,
      ReduceOrder order) {
    super(
        clientService,
        context,
        new NoopAMPreemptionPolicy(),
        apart,
        Mode.ON,
        avoided,
        cloner,
        placer,
        order,
        Breakers.uncounted());
    this.requests = requests;
  }

  @Override
  protected void addContainerReq(ContainerRequest request) {
    requests.incrementAndGet();
    super.addContainerReq(request);
  }
}
