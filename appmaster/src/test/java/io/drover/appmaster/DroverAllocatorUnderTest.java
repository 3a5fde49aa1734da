// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.when;

import io.drover.appmaster.sampling.SampledJob;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import io.drover.core.model.TaskKind;
import io.drover.speculator.AttemptBudget;
import io.drover.speculator.Breakers;
import io.drover.speculator.HadoopSettings;
import io.drover.speculator.NodeBlacklisting;
import io.drover.speculator.SecondAttempts;
import java.util.EnumSet;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.rm.DroverContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.yarn.util.RackResolver;

/**
 * Drover's allocator with its default settings, made as RMContainerAllocator is. It has to go on
 * steering: once Drover left all to Hadoop, Hadoop's allocator would be tested.
 */
public class DroverAllocatorUnderTest extends DroverContainerAllocator {
  private static final JobSettings DEFAULTS = defaults();

  public DroverAllocatorUnderTest(
      ClientService clientService, AppContext context, AMPreemptionPolicy preemptionPolicy) {
    this(clientService, context, preemptionPolicy, placer());
  }

  private DroverAllocatorUnderTest(
      ClientService clientService,
      AppContext context,
      AMPreemptionPolicy preemptionPolicy,
      ReducePlacer placer) {
    super(
        clientService,
        context,
        preemptionPolicy,
        new CopyAntiAffinity((attempt, host) -> false, DEFAULTS.antiAffinityPatience()),
        Mode.ON,
        new AvoidedNodes(NodeBlacklisting.of(new JobConf()), host -> false),
        CopiesUnderTest.noHolders(),
        cloner(context),
        placer,
        new ReduceOrder(placer.outputs(), Mode.ON, (type, fields) -> {}),
        SampledJob.wholeInput(),
        CopiesUnderTest.noReplicator(),
        room -> {},
        Breakers.uncounted());
  }

  private static ReducePlacer placer() {
    return new ReducePlacer(
        1,
        DEFAULTS.placement(),
        Mode.ON,
        host -> RackResolver.resolve(host).getNetworkLocation(),
        new ClusterChannel(),
        (type, fields) -> {});
  }

  private static Cloner cloner(AppContext context) {
    return new Cloner(
        () -> job(context),
        work -> context.getEventHandler().handle(new DispatcherTask(work)),
        DEFAULTS.clones(),
        EnumSet.allOf(TaskKind.class),
        new AttemptBudget(4, 4, true, true),
        new SecondAttempts((why, seenHere) -> {}),
        new CloneLedger((kind, more) -> {}),
        CopiesUnderTest.none(),
        new ClusterChannel(),
        Mode.ON,
        (type, fields) -> {},
        Breakers.uncounted());
  }

  private static JobSettings defaults() {
    try {
      return HadoopSettings.read(new JobConf());
    } catch (BadSettingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Job job(AppContext context) {
    return context.getJob(TypeConverter.toYarn(TypeConverter.fromYarn(context.getApplicationID())));
  }

  @Override
  protected Job getJob() {
    return withTasks(super.getJob());
  }

  /** Some of Hadoop's tests have a job without tasks; stock's allocator does not look at them. */
  private static Job withTasks(Job job) {
    if (job != null && mockingDetails(job).isMock() && job.getTask(any()) == null) {
      Task empty = mock(Task.class);
      when(job.getTask(any())).thenReturn(empty);
    }
    return job;
  }

  @Override
  protected synchronized void heartbeat() throws Exception {
    super.heartbeat();
    if (errors() > 0) {
      throw new AssertionError("a step of Drover's has failed");
    }
  }
}
