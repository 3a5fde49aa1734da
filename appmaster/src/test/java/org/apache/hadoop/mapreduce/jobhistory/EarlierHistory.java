// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.jobhistory;

import java.io.File;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;

/** The job history that an AppMaster leaves to the next one, in Hadoop's format. */
public final class EarlierHistory {
  private EarlierHistory() {}

  /** Writes events and reads them, as MRAppMaster.parsePreviousJobHistory does. */
  public static Map<TaskId, TaskInfo> completedTasks(List<HistoryEvent> events) throws IOException {
    FileSystem local = FileSystem.getLocal(new Configuration());
    Path file = new Path(new File("target").getAbsolutePath(), UUID.randomUUID() + ".jhist");
    EventWriter writer = new EventWriter(local.create(file), EventWriter.WriteMode.BINARY);
    for (HistoryEvent event : events) {
      if (!(event instanceof NormalizedResourceEvent)) { // as JobHistoryEventHandler
        writer.write(event);
      }
    }
    writer.close();
    JobHistoryParser parser = new JobHistoryParser(local, file);
    JobInfo job = parser.parse();
    local.delete(file, false);
    if (parser.getParseException() != null) {
      throw parser.getParseException();
    }
    Map<TaskId, TaskInfo> completed = new HashMap<>();
    for (TaskInfo task : job.getAllTasks().values()) {
      if (TaskState.SUCCEEDED.toString().equals(task.getTaskStatus())) {
        task.getAllTaskAttempts().keySet().retainAll(job.getAllCompletedTaskAttempts().keySet());
        completed.put(TypeConverter.toYarn(task.getTaskId()), task);
      }
    }
    return completed;
  }

  /** The attempt was not killed: it has failed. */
  public static void failed(TaskAttemptInfo attempt) {
    attempt.status = TaskAttemptState.FAILED.toString();
  }
}
