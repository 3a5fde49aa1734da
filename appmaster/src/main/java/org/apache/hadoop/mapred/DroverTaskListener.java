// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import io.drover.appmaster.CompletionStreams;
import io.drover.appmaster.UmbilicalMessage;
import io.drover.appmaster.protect.OutputEvents;
import io.drover.appmaster.protect.OutputProtection;
import io.drover.appmaster.sampling.SampledJob;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;

/**
 * Hadoop's task listener, which also picks out the messages to Drover and gives reduces map
 * completion events of Drover's ({@link CompletionStreams}, {@link OutputEvents}).
 */
public class DroverTaskListener extends TaskAttemptListenerImpl {
  private final BiConsumer<TaskAttemptId, String> messages;
  private final CompletionStreams streams;
  private final SampledJob sampled;
  private final OutputProtection protection;
  private final byte[] spillKey;

  /**
   * Creates the listener. Parameters that are not listed are those of TaskAttemptListenerImpl.
   *
   * @param messages receives the lines of {@link UmbilicalMessage} on the threads of the RPC
   *     server, for which other tasks wait; it must only enqueue or drop them
   * @param streams the completion events for clones of reduces
   * @param sampled decides which outputs reduces learn of, and which maps may commit
   * @param protection notes which attempts are heard of, and tells reduces and the workers that
   *     make replicas of outputs
   * @param spillKey the key with which tasks encrypt their outputs, if they do
   */
  public DroverTaskListener(
      AppContext context,
      JobTokenSecretManager jobTokenSecretManager,
      RMHeartbeatHandler heartbeatHandler,
      AMPreemptionPolicy preemptionPolicy,
      BiConsumer<TaskAttemptId, String> messages,
      CompletionStreams streams,
      SampledJob sampled,
      OutputProtection protection,
      byte[] spillKey) {
    super(context, jobTokenSecretManager, heartbeatHandler, preemptionPolicy, spillKey);
    this.messages = messages;
    this.streams = streams;
    this.sampled = sampled;
    this.protection = protection;
    this.spillKey = spillKey;
  }

  /** Also gives the key of encrypted outputs to a worker that makes replicas, as with a task. */
  @Override
  public JvmTask getTask(JvmContext context) throws IOException {
    return WorkerSpillKey.isAsked(context)
        ? WorkerSpillKey.answer(context, spillKey)
        : super.getTask(context);
  }

  @Override
  public MapTaskCompletionEventsUpdate getMapCompletionEvents(
      JobID job, int from, int most, TaskAttemptID attempt) throws IOException {
    TaskAttemptId reduce = TypeConverter.toYarn(attempt);
    if (protection.replicator().isWorker(reduce)) {
      return protection.replicator().events(reduce, from, most);
    }
    protection.contacts().heard(reduce);
    Optional<TaskCompletionEvent[]> events =
        sampled
            .late()
            .map(late -> late.events(from, most))
            .or(() -> streams.next(reduce, from, most))
            .or(() -> protection.events().map(outputs -> outputs.next(from, most)));
    if (events.isEmpty()) {
      return super.getMapCompletionEvents(job, from, most, attempt);
    }
    taskHeartbeatHandler.progressing(reduce);
    return new MapTaskCompletionEventsUpdate(events.get(), false);
  }

  @Override
  public AMFeedback statusUpdate(TaskAttemptID attempt, TaskStatus status)
      throws IOException, InterruptedException {
    AMFeedback answer = super.statusUpdate(attempt, status);
    protection.contacts().heard(TypeConverter.toYarn(attempt));
    return answer;
  }

  /**
   * Returns whether an attempt may commit: if Hadoop has chosen it among the attempts of its task,
   * and if its block is part of the sample.
   */
  @Override
  public boolean canCommit(TaskAttemptID attempt) throws IOException {
    TaskAttemptId id = TypeConverter.toYarn(attempt);
    return super.canCommit(attempt) && sampled.late().map(late -> late.mayCommit(id)).orElse(true);
  }

  @Override
  public void reportDiagnosticInfo(TaskAttemptID attempt, String text) throws IOException {
    TaskAttemptId id = TypeConverter.toYarn(attempt);
    if (protection.replicator().isWorker(id)) {
      protection.replicator().heard(id, text);
    } else if (UmbilicalMessage.isOne(text)) {
      messages.accept(id, text);
    } else {
      super.reportDiagnosticInfo(attempt, text);
    }
  }
}
