// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.AMStartedEvent;
import org.apache.hadoop.mapreduce.jobhistory.Event;
import org.apache.hadoop.mapreduce.jobhistory.HistoryEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobInitedEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobSubmittedEvent;
import org.apache.hadoop.mapreduce.jobhistory.MapAttemptFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.ReduceAttemptFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskAttemptStartedEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskAttemptUnsuccessfulCompletionEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskStartedEvent;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** Writes the history of a job with Hadoop's own events, encoded as its AppMaster does. */
final class HistoryWriter implements AutoCloseable {
  private final JobID job;
  private final boolean json;
  private final OutputStream out;
  private final Encoder encoder;
  private final SpecificDatumWriter<Event> writer = new SpecificDatumWriter<>(Event.class);
  private int containers = 1;

  HistoryWriter(Path file, JobID job, boolean json) throws IOException {
    this.job = job;
    this.json = json;
    this.out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
    print((json ? "Avro-Json" : "Avro-Binary") + "\n" + Event.SCHEMA$ + "\n");
    this.encoder =
        json
            ? EncoderFactory.get().jsonEncoder(Event.SCHEMA$, out)
            : EncoderFactory.get().binaryEncoder(out, null);
  }

  private void print(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private void write(HistoryEvent event) throws IOException {
    Event wrapper = new Event();
    wrapper.setType(event.getEventType());
    wrapper.setEvent(event.getDatum());
    writer.write(wrapper, encoder);
    if (json) {
      encoder.flush();
      print("\n");
    }
  }

  private String application(String kind) {
    return "%s_%s_%04d".formatted(kind, job.getJtIdentifier(), job.getId());
  }

  private ContainerId container() {
    return ContainerId.fromString("%s_01_%06d".formatted(application("container"), containers++));
  }

  void submitted(String name, String user, String queue, long at) throws IOException {
    write(
        new AMStartedEvent(
            ApplicationAttemptId.fromString(application("appattempt") + "_000001"),
            at + 2000,
            container(),
            "node0000",
            8041,
            8042,
            at));
    write(new JobSubmittedEvent(job, name, user, at, "job.xml", Map.of(), queue));
  }

  void inited(long at, int maps, int reduces) throws IOException {
    write(new JobInitedEvent(job, at, maps, reduces, "RUNNING", false));
  }

  TaskID task(TaskType type, int number, long at, String hosts) throws IOException {
    TaskID id = new TaskID(job, type, number);
    write(new TaskStartedEvent(id, at, type, hosts));
    return id;
  }

  void launched(TaskAttemptID id, long at, String host) throws IOException {
    write(
        new TaskAttemptStartedEvent(
            id, id.getTaskType(), at, host, 8042, 13562, container(), "NODE_LOCAL", "VIRGIN"));
  }

  void killed(TaskAttemptID id, long at, String host, String rack, int[][] splits)
      throws IOException {
    write(
        new TaskAttemptUnsuccessfulCompletionEvent(
            id,
            id.getTaskType(),
            TaskStatus.State.KILLED.toString(),
            at,
            host,
            8041,
            rack,
            "",
            new Counters(),
            splits));
  }

  void mapDone(
      TaskAttemptID id, long at, String host, String rack, Counters counters, int[][] splits)
      throws IOException {
    write(
        new MapAttemptFinishedEvent(
            id, TaskType.MAP, "SUCCEEDED", at, at, host, 8041, rack, "map", counters, splits));
    done(id, at, counters);
  }

  void reduceDone(
      TaskAttemptID id,
      long fetched,
      long at,
      String host,
      String rack,
      Counters counters,
      int[][] splits)
      throws IOException {
    write(
        new ReduceAttemptFinishedEvent(
            id,
            TaskType.REDUCE,
            "SUCCEEDED",
            fetched,
            fetched,
            at,
            host,
            8041,
            rack,
            "reduce",
            counters,
            splits));
    done(id, at, counters);
  }

  private void done(TaskAttemptID id, long at, Counters counters) throws IOException {
    write(new TaskFinishedEvent(id.getTaskID(), id, at, id.getTaskType(), "SUCCEEDED", counters));
  }

  void finished(long at, int maps, int reduces, Counters counters) throws IOException {
    write(new JobFinishedEvent(job, at, maps, reduces, 0, 0, 0, 0, counters, counters, counters));
  }

  @Override
  public void close() throws IOException {
    encoder.flush();
    out.close();
  }
}
