// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.appmaster.AvoidedNodes;
import io.drover.appmaster.Cloner;
import io.drover.appmaster.CopiesUnderTest;
import io.drover.appmaster.CopyAntiAffinity;
import io.drover.appmaster.ReduceOrder;
import io.drover.appmaster.ReducePlacer;
import io.drover.appmaster.replicate.Replicator;
import io.drover.appmaster.sampling.SampledJob;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.Breakers;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator.EventType;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.NoopAMPreemptionPolicy;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;

/** Drover's allocator, which counts how often a request is added to what is asked for. */
public abstract class CountedRequests extends DroverContainerAllocator {
  private final AtomicInteger requests;
  private boolean cancels = true;

  protected CountedRequests(
      AtomicInteger requests,
      ClientService clientService,
      AppContext context,
      CopyAntiAffinity antiAffinity,
      AvoidedNodes avoided,
      Cloner cloner,
      ReducePlacer placer,
      ReduceOrder order,
      Replicator replicator) {
    super(
        clientService,
        context,
        new NoopAMPreemptionPolicy(),
        antiAffinity,
        Mode.ON,
        avoided,
        CopiesUnderTest.noHolders(),
        cloner,
        placer,
        order,
        SampledJob.wholeInput(),
        replicator,
        room -> {},
        Breakers.uncounted());
    this.requests = requests;
  }

  /** Lets several steps in a row fail, so that Hadoop hands out all containers for a while. */
  public synchronized void stopsSteering() {
    for (int i = 0; i < CircuitBreaker.FAILURES; i++) {
      TaskAttemptId broken = mock();
      when(broken.getTaskId())
          .thenThrow(new AssertionError("on purpose"))
          .thenReturn(unknownReduce());
      endsRequest(broken);
    }
  }

  /** The same, while no request can be cancelled; one for a reduce that is held back is to be. */
  public synchronized void stopsSteeringAndCannotCancel() {
    cancels = false;
    endsRequest(MRBuilderUtils.newTaskAttemptId(unknownReduce(), 0));
    stopsSteering();
    cancels = true;
  }

  /** An attempt wants no container any more, while no request can be cancelled. */
  public synchronized void endsRequestAndCannotCancel(TaskAttemptId attempt) {
    cancels = false;
    endsRequest(attempt);
    cancels = true;
  }

  private TaskId unknownReduce() {
    return MRBuilderUtils.newTaskId(getJob().getID(), 1000, TaskType.REDUCE);
  }

  private void endsRequest(TaskAttemptId attempt) {
    handleEvent(new ContainerAllocatorEvent(attempt, EventType.CONTAINER_DEALLOCATE));
  }

  @Override
  protected void decContainerReq(ContainerRequest request) {
    if (!cancels) {
      throw new AssertionError("on purpose");
    }
    super.decContainerReq(request);
  }

  @Override
  void rampUpAsHadoop(int count) {
    if (!cancels) {
      throw new AssertionError("on purpose");
    }
    super.rampUpAsHadoop(count);
  }

  @Override
  protected void addContainerReq(ContainerRequest request) {
    requests.incrementAndGet();
    super.addContainerReq(request);
  }
}
