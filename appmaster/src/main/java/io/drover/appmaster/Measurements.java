// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.protect.OutputProtection;
import io.drover.core.protect.CrawlingMachines.Fetching;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * Reads the measurements of tasks and passes them on to the placement and the order of reduces, and
 * to the protection of outputs.
 */
final class Measurements implements UmbilicalMessageQueue.Reader {
  private final Supplier<AppContext> context;
  private final MapOutputs outputs;
  private final MeasuredLinks links;
  private final OutputProtection protection;

  Measurements(
      Supplier<AppContext> context,
      MapOutputs outputs,
      MeasuredLinks links,
      OutputProtection protection) {
    this.context = context;
    this.outputs = outputs;
    this.links = links;
    this.protection = protection;
  }

  @Override
  public void read(TaskAttemptId id, String line) {
    boolean isMap = id.getTaskId().getTaskType() == TaskType.MAP;
    TaskAttempt attempt = attempt(id);
    if (attempt == null) {
      return;
    }
    if (isMap && PartitionSizes.isEncoded(line)) {
      outputs.onLine(id, line);
    } else if (!isMap && FetchesUnderWay.isEncoded(line)) {
      FetchesUnderWay.decode(line).ifPresent(from -> protection.fetching(id, rates(from)));
    } else if (!isMap && Fetches.isEncoded(line) && attempt.getNodeRackName() != null) {
      // No attempt that reports here began before this AppMaster did. (The job's start is only in
      // its report, which visits all tasks.)
      long since = context.get().getStartTime();
      links.onLine(attempt.getNodeRackName(), line, since, context.get().getClock().getTime());
    }
  }

  private static Map<String, Fetching> rates(List<FetchesUnderWay.FromHost> hosts) {
    double now = System.nanoTime() / 1e9;
    Map<String, Fetching> rates = new HashMap<>();
    for (FetchesUnderWay.FromHost from : hosts) {
      rates.put(from.host(), new Fetching(from.received(), from.rate(), from.usual(), now));
    }
    return rates;
  }

  private TaskAttempt attempt(TaskAttemptId id) {
    Job job = context.get().getJob(id.getTaskId().getJobId());
    Task task = job == null ? null : job.getTask(id.getTaskId());
    return task == null ? null : task.getAttempt(id);
  }

  @Override
  public void caughtUp() {
    links.publish();
  }
}
