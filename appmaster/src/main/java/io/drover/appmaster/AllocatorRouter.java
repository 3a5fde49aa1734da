// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.local.LocalContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocatorEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.RMCommunicator;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.service.ServiceOperations;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;

/**
 * Stands in for the allocator until the services start and it is known whether the job runs in the
 * AppMaster or in containers.
 */
final class AllocatorRouter extends AbstractService
    implements ContainerAllocator, RMHeartbeatHandler {
  private final Supplier<RMCommunicator> choice;
  private volatile RMCommunicator allocator;
  private volatile boolean signalled;
  private volatile boolean shouldUnregister = true;

  /**
   * Creates a router.
   *
   * @param choice makes the allocator, which must be a {@link ContainerAllocator} too
   */
  AllocatorRouter(Supplier<RMCommunicator> choice) {
    super(AllocatorRouter.class.getName());
    this.choice = choice;
  }

  /** Returns the allocator of a job that runs in the AppMaster. */
  static RMCommunicator local(
      Configuration conf, ClientService client, AppContext context, AppMasterAddress place) {
    try {
      MRApps.setupDistributedCacheLocal(conf);
    } catch (IOException e) {
      throw new YarnRuntimeException("the distributed cache could not be set up", e);
    }
    return new LocalContainerAllocator(
        client, context, place.host(), place.port(), place.httpPort(), place.container());
  }

  @Override
  protected void serviceStart() throws Exception {
    RMCommunicator chosen = choice.get();
    chosen.setSignalled(signalled);
    chosen.setShouldUnregister(shouldUnregister);
    allocator = chosen;
    chosen.init(getConfig());
    chosen.start();
    super.serviceStart();
  }

  @Override
  protected void serviceStop() throws Exception {
    ServiceOperations.stop(allocator);
    super.serviceStop();
  }

  @Override
  public void handle(ContainerAllocatorEvent event) {
    ((ContainerAllocator) allocator).handle(event);
  }

  @Override
  public long getLastHeartbeatTime() {
    return allocator.getLastHeartbeatTime();
  }

  @Override
  public void runOnNextHeartbeat(Runnable callback) {
    allocator.runOnNextHeartbeat(callback);
  }

  /** Tells the allocator whether the process is being ended from outside. */
  void setSignalled(boolean now) {
    signalled = now;
    if (allocator != null) {
      allocator.setSignalled(now);
    }
  }

  /** Tells the allocator whether the end of this AppMaster is the end of the application. */
  void setShouldUnregister(boolean now) {
    shouldUnregister = now;
    if (allocator != null) {
      allocator.setShouldUnregister(now);
    }
  }
}
