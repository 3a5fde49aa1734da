// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import io.drover.appmaster.protect.OutputProtection;
import io.drover.appmaster.sampling.LateBinding;
import io.drover.appmaster.sampling.SampledJob;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.DroverBoundMap;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapTaskAttemptImpl;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.Avataar;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptListener;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;
import org.apache.hadoop.yarn.util.RackResolver;

/**
 * A map attempt that may stand in for one that was killed; see {@link Siblings}. If its failure is
 * excused, it ends as killed; see {@link ExcusedFailures}.
 */
@SuppressWarnings("rawtypes") // EventHandler, as Hadoop has it
class DroverMapAttempt extends MapTaskAttemptImpl {
  private final SampledJob sampled;
  private final OutputProtection protection;
  private final ExcusedFailures.OfTask failures;
  private boolean named;

  /**
   * Creates the attempt. Parameters that are not listed are those of MapTaskAttemptImpl.
   *
   * @param sampled tells which split it reads
   * @param protection makes its output again if reduces cannot fetch it
   * @param failures excuses some of its failures
   */
  DroverMapAttempt(
      TaskId task,
      int number,
      EventHandler eventHandler,
      Path jobFile,
      int partition,
      TaskSplitMetaInfo split,
      JobConf conf,
      TaskAttemptListener listener,
      Token<JobTokenIdentifier> jobToken,
      Credentials credentials,
      Clock clock,
      AppContext appContext,
      SampledJob sampled,
      OutputProtection protection,
      ExcusedFailures.OfTask failures) {
    super(
        task,
        number,
        eventHandler,
        jobFile,
        partition,
        split,
        conf,
        listener,
        jobToken,
        credentials,
        clock,
        appContext);
    this.sampled = sampled;
    this.protection = protection;
    this.failures = failures;
  }

  /**
   * Creates the map with the split of a block, if the job binds maps to blocks late. Hadoop calls
   * this when the attempt has its container and then compares the container's node with the hosts
   * of the split.
   */
  @Override
  public Task createRemoteTask() {
    Optional<TaskSplitMetaInfo> split = sampled.late().flatMap(this::bind);
    if (split.isEmpty()) {
      return super.createRemoteTask();
    }
    dataLocalHosts.clear();
    dataLocalHosts.addAll(resolveHosts(split.get().getLocations()));
    dataLocalRacks.clear();
    for (String host : dataLocalHosts) {
      dataLocalRacks.add(RackResolver.resolve(host).getNetworkLocation());
    }
    return DroverBoundMap.create(getID(), partition, split.get().getSplitIndex(), conf);
  }

  private Optional<TaskSplitMetaInfo> bind(LateBinding late) {
    String host = container.getNodeId().getHost();
    return late.bind(getID(), host, RackResolver.resolve(host).getNetworkLocation());
  }

  @Override
  public void handle(TaskAttemptEvent event) {
    if (!Siblings.isAskedForAgain(this, event)) {
      TaskAttemptEvent counted = failures.instead(this, event);
      if (counted != event) {
        sampled.late().ifPresent(late -> late.failedByItself(getID()));
      }
      TaskAttemptEvent instead =
          isOfNoUse(counted) ? ofAnotherBlock() : protection.instead(counted);
      if (!comesTooLate(instead)) {
        super.handle(instead);
      }
    }
  }

  /**
   * Returns whether an event is a complaint of reduces about an output that is given up already.
   * Hadoop does not know it of an attempt that is being killed, and would end the job. In stock
   * Hadoop, hardly anything kills an attempt that has succeeded. With Drover it may be a second
   * copy that {@link io.drover.appmaster.MapCopies} has dropped at its first complaint. It is being
   * killed until its node has confirmed the end of its container, and the node may be the trouble.
   */
  private boolean comesTooLate(TaskAttemptEvent event) {
    return event.getType() == TaskAttemptEventType.TA_TOO_MANY_FETCH_FAILURE
        && getState() == TaskAttemptState.KILLED;
  }

  /** Returns whether an event is the success of an attempt whose map stays with another block. */
  private boolean isOfNoUse(TaskAttemptEvent event) {
    return event.getType() == TaskAttemptEventType.TA_DONE
        && sampled.late().filter(late -> !late.maySucceed(getID())).isPresent();
  }

  private TaskAttemptEvent ofAnotherBlock() {
    return new TaskAttemptKillEvent(getID(), "Drover: the map stays with another block");
  }

  @Override
  public void setAvataar(Avataar avataar) {
    if (!named) {
      super.setAvataar(avataar);
      named = true;
    }
  }
}
