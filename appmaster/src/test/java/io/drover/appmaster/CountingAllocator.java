// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocatorEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;

/** Counts what is asked for. */
final class CountingAllocator implements ContainerAllocator, RMHeartbeatHandler {
  private final AtomicInteger requests;
  private final ContainerAllocator giving;

  /**
   * An allocator.
   *
   * @param giving gives the containers; null if nobody gets any
   */
  CountingAllocator(AtomicInteger requests, ContainerAllocator giving) {
    this.requests = requests;
    this.giving = giving;
  }

  @Override
  public void handle(ContainerAllocatorEvent event) {
    if (event.getType() == ContainerAllocator.EventType.CONTAINER_REQ) {
      requests.incrementAndGet();
    }
    if (giving != null) {
      giving.handle(event);
    }
  }

  @Override
  public long getLastHeartbeatTime() {
    return System.currentTimeMillis();
  }

  @Override
  public void runOnNextHeartbeat(Runnable callback) {
    callback.run();
  }
}
