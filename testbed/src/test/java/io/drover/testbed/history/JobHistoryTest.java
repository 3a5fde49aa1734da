// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.JobRecord.State;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.JobACL;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.AMStartedEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobInitedEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobQueueChangeEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobSubmittedEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobUnsuccessfulCompletionEvent;
import org.apache.hadoop.mapreduce.jobhistory.MapAttemptFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.ReduceAttemptFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskAttemptStartedEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskAttemptUnsuccessfulCompletionEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskStartedEvent;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobHistoryTest {
  private static final long T0 = 1_700_000_000_000L;
  private static final JobID JOB = JobID.forName("job_1700000000000_0042");
  private static final int[][] SPLITS = {{100, 200}, {10, 20}, {1, 1}, {1, 1}};

  private static long at(int second) {
    return T0 + second * 1000L;
  }

  private static TaskAttemptID attempt(TaskType type, int task, int number) {
    return new TaskAttemptID(new TaskID(JOB, type, task), number);
  }

  private static ContainerId container(int number) {
    return ContainerId.fromString(
        "container_1700000000000_0042_01_" + String.format("%06d", number));
  }

  private static Counters counters() {
    Counters counters = new Counters();
    counters.findCounter("hdfs", FileSystemCounter.BYTES_READ).setValue(1_000_000);
    counters.findCounter(TaskCounter.MAP_INPUT_RECORDS).setValue(500);
    counters.findCounter(TaskCounter.CPU_MILLISECONDS).setValue(250);
    counters.findCounter(TaskCounter.SPILLED_RECORDS).setValue(7);
    return counters;
  }

  /** Two maps, of which one has a failed attempt, and a reduce; two AppMasters. */
  private static WrittenHistory succeeded(boolean json) throws IOException {
    WrittenHistory history = begun(json);
    TaskAttemptID reduce = attempt(TaskType.REDUCE, 0, 0);
    history.write(
        new ReduceAttemptFinishedEvent(
            reduce,
            TaskType.REDUCE,
            "SUCCEEDED",
            at(30),
            at(32),
            at(40),
            "n3",
            1,
            "/rack2",
            "",
            new Counters(),
            SPLITS));
    history.write(
        new TaskFinishedEvent(
            reduce.getTaskID(), reduce, at(40), TaskType.REDUCE, "SUCCEEDED", new Counters()));
    history.write(
        new JobFinishedEvent(
            JOB, at(41), 2, 1, 1, 0, 0, 0, new Counters(), new Counters(), counters()));
    return history;
  }

  private static WrittenHistory begun(boolean json) throws IOException {
    WrittenHistory history = new WrittenHistory(json);
    for (int master = 1; master <= 2; master++) {
      history.write(
          new AMStartedEvent(
              ApplicationAttemptId.fromString("appattempt_1700000000000_0042_00000" + master),
              at(master),
              container(1),
              "n" + master,
              1,
              2,
              at(0)));
    }
    history.write(
        new JobSubmittedEvent(
            JOB,
            "word count",
            "ada",
            at(0),
            "conf",
            Map.<JobACL, AccessControlList>of(),
            "etl",
            "",
            "",
            "",
            ""));
    history.write(new JobInitedEvent(JOB, at(4), 2, 1, "RUNNING", false));
    history.write(new JobQueueChangeEvent(JOB, "night"));
    for (int map = 0; map < 2; map++) {
      TaskID id = new TaskID(JOB, TaskType.MAP, map);
      history.write(new TaskStartedEvent(id, at(4), TaskType.MAP, "n1,n2,n1"));
    }
    history.write(
        new TaskStartedEvent(new TaskID(JOB, TaskType.REDUCE, 0), at(5), TaskType.REDUCE, ""));
    start(history, attempt(TaskType.MAP, 0, 0), 6, "n1");
    start(history, attempt(TaskType.MAP, 1, 0), 6, "n2");
    history.write(
        new TaskAttemptUnsuccessfulCompletionEvent(
            attempt(TaskType.MAP, 1, 0),
            TaskType.MAP,
            TaskStatus.State.FAILED.toString(),
            at(9),
            "n2",
            1,
            "/rack1",
            "Error: out of luck",
            new Counters(),
            SPLITS));
    mapEnds(history, 0, 0, 16, "n1");
    start(history, attempt(TaskType.MAP, 1, 1), 10, "n1");
    mapEnds(history, 1, 1, 20, "n1");
    start(history, attempt(TaskType.REDUCE, 0, 0), 18, "n3");
    return history;
  }

  private static void start(WrittenHistory history, TaskAttemptID id, int second, String host)
      throws IOException {
    history.write(
        new TaskAttemptStartedEvent(
            id, id.getTaskType(), at(second), host, 1, 2, container(2), "RACK_LOCAL", "VIRGIN"));
  }

  private static void mapEnds(WrittenHistory history, int map, int number, int second, String host)
      throws IOException {
    TaskAttemptID id = attempt(TaskType.MAP, map, number);
    history.write(
        new MapAttemptFinishedEvent(
            id,
            TaskType.MAP,
            "SUCCEEDED",
            at(second),
            at(second),
            host,
            1,
            "/rack1",
            "",
            counters(),
            SPLITS));
    history.write(
        new TaskFinishedEvent(
            id.getTaskID(), id, at(second), TaskType.MAP, "SUCCEEDED", counters()));
  }

  @Test
  void historyOf0231DoesNotSayWhichAttemptWonButTellsTheSame() throws IOException {
    String text = new String(succeeded(true).bytes(), StandardCharsets.UTF_8);
    String without = text.replaceAll(",\"successfulAttemptId\":(\\{[^}]*\\}|\"[^\"]*\")", "");

    assertThat(without).hasSizeLessThan(text.length());
    assertThat(read(without)).isEqualTo(succeeded(true).read());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void bothEncodingsTellTheSameJob(boolean json) throws IOException {
    JobRecord job = succeeded(json).read();

    assertThat(job.id()).isEqualTo("job_1700000000000_0042");
    assertThat(job.name()).isEqualTo("word count");
    assertThat(job.user()).isEqualTo("ada");
    assertThat(job.queue()).as("it was moved").isEqualTo("night");
    assertThat(job.state()).isEqualTo(State.SUCCEEDED);
    assertThat(job.time()).isEqualTo(Duration.ofSeconds(41));
    assertThat(job.launched()).contains(Instant.ofEpochMilli(at(4)));
    assertThat(job.masters()).extracting(JobRecord.Master::node).containsExactly("n1", "n2");
    assertThat(job.amNode()).isEqualTo("n2");
    assertThat(job.counters())
        .containsEntry("org.apache.hadoop.mapreduce.TaskCounter/SPILLED_RECORDS", 7L);
    assertThat(job.tasks()).extracting(TaskRecord::name).containsExactly("m0", "m1", "r0");
    assertThat(job.tasks().get(0).hosts()).containsExactly("n1", "n2");
    assertThat(job.timesMended()).isZero();
    AttemptRecord map = job.tasks().get(0).winner().orElseThrow();
    assertThat(map.duration()).isEqualTo(Duration.ofSeconds(10));
    assertThat(map.rack()).isEqualTo("/rack1");
    assertThat(map.figures().bytesRead()).hasValue(1_000_000);
    assertThat(map.figures().records()).hasValue(500);
    assertThat(map.figures().cpuMillis()).hasValue(250);
    assertThat(map.figures().clockSplits()).containsExactly(100, 200);
    assertThat(map.figures().locality()).isEqualTo("RACK_LOCAL");
    List<AttemptRecord> second = job.tasks().get(1).attempts();
    assertThat(second)
        .extracting(AttemptRecord::outcome)
        .containsExactly(Outcome.FAILED, Outcome.WON);
    assertThat(second.get(0).diagnostics()).isEqualTo("Error: out of luck");
    assertThat(second.get(1).role()).isEqualTo(AttemptRecord.Role.RETRY);
    AttemptRecord reduce = job.tasks().get(2).winner().orElseThrow();
    assertThat(reduce.shuffleFinish()).contains(Instant.ofEpochMilli(at(30)));
    assertThat(reduce.sortFinish()).contains(Instant.ofEpochMilli(at(32)));
    assertThat(reduce.figures().bytesRead()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void historyThatIsCutOffAnywhereIsAJobThatHasNotEnded(boolean json) throws IOException {
    WrittenHistory whole = succeeded(json);
    int head = begunUpTo(json);
    for (int bytes = head; bytes < whole.size() - 1; bytes += 37) {
      JobRecord job = whole.readFirst(bytes);

      assertThat(job.state()).as("%d bytes", bytes).isEqualTo(State.UNFINISHED);
      assertThat(job.id()).isEqualTo("job_1700000000000_0042");
    }
  }

  private static int begunUpTo(boolean json) throws IOException {
    return begun(json).size();
  }

  @Test
  void attemptThatHadNotEndedLastsUntilTheLastTimeThatIsKnown() throws IOException {
    JobRecord job = begun(false).read();

    assertThat(job.state()).isEqualTo(State.UNFINISHED);
    assertThat(job.time()).isEqualTo(Duration.ofSeconds(20));
    AttemptRecord reduce = job.tasks().get(2).attempts().get(0);
    assertThat(reduce.outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(reduce.duration()).isEqualTo(Duration.ofSeconds(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"FAILED", "KILLED"})
  void jobThatDidNotSucceedSaysWhy(String state) throws IOException {
    WrittenHistory history = begun(true);
    history.write(
        new JobUnsuccessfulCompletionEvent(
            JOB, at(50), 1, 0, 1, 0, 0, 0, state, List.of("Task failed")));

    JobRecord job = history.read();

    assertThat(job.state()).isEqualTo(State.valueOf(state));
    assertThat(job.diagnostics()).contains("Task failed");
    assertThat(job.time()).isEqualTo(Duration.ofSeconds(50));
  }

  @Test
  void clockThatGoesBackGivesNoNegativeTimes() throws IOException {
    WrittenHistory history = begun(false);
    TaskAttemptID reduce = attempt(TaskType.REDUCE, 0, 0);
    history.write(
        new ReduceAttemptFinishedEvent(
            reduce,
            TaskType.REDUCE,
            "SUCCEEDED",
            at(10),
            at(9),
            at(12),
            "n3",
            1,
            "/rack2",
            "",
            new Counters(),
            SPLITS));
    history.write(
        new JobFinishedEvent(
            JOB, at(-30), 2, 1, 0, 0, 0, 0, new Counters(), new Counters(), new Counters()));

    JobRecord job = history.read();

    assertThat(job.time()).isEqualTo(Duration.ofSeconds(20));
    assertThat(job.attempts()).allMatch(a -> !a.duration().isNegative());
    assertThat(job.timesMended()).isPositive();
  }

  @Test
  void clockThatGoesBackMakesNoAttemptEndAfterItsJob() throws IOException {
    WrittenHistory history = begun(false);
    history.write(
        new JobFinishedEvent(
            JOB, at(18), 2, 1, 0, 0, 0, 0, new Counters(), new Counters(), new Counters()));

    JobRecord job = history.read();

    assertThat(job.time()).isEqualTo(Duration.ofSeconds(18));
    assertThat(job.attempts()).noneMatch(a -> a.finish().isAfter(job.finished()));
    assertThat(job.timesMended()).as("the end of the second map").isEqualTo(1);
  }

  @Test
  void linesBeforeTheEncodingAndGzipAreNoHindrance() throws IOException {
    byte[] plain = succeeded(true).bytes();
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write("/* A licence\n * of two lines. */\n\n".getBytes(StandardCharsets.UTF_8));
      gzip.write(plain);
    }

    assertThat(WrittenHistory.read(packed.toByteArray())).isEqualTo(WrittenHistory.read(plain));
  }

  @Test
  void gzipThatIsCutOffEndsTheHistoryThere() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(succeeded(true).bytes());
    }

    byte[] cut = Arrays.copyOf(packed.toByteArray(), packed.size() - 40);

    assertThat(WrittenHistory.read(cut).state()).isEqualTo(State.UNFINISHED);
  }

  @Test
  void damageIsToldByLineAndField() throws IOException {
    String text = new String(succeeded(true).bytes(), StandardCharsets.UTF_8);

    assertThatThrownBy(
            () -> read(text.replace("\"startTime\":" + at(10), "\"startTime\":\"soon\"")))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageMatching(
            "j.jhist, line \\d+, field startTime: found 'soon', expected a time in milliseconds.*");
    assertThatThrownBy(() -> read(text.replace("attempt_1700000000000_0042_m_000001_1", "m1")))
        .hasMessageMatching(
            "j.jhist, line \\d+, field attemptId: found 'm1', expected an id such as.*");
    assertThatThrownBy(() -> read(text.replace("{\"type\":\"TASK_FINISHED\"", "{type")))
        .hasMessageMatching("j.jhist, line \\d+: this is not JSON .*");
    assertThatThrownBy(() -> read(text.replace("\"totalMaps\":2", "\"totalMaps\":99999999999")))
        .hasMessageMatching("j.jhist, line \\d+, field totalMaps: found '99999999999', .*");
    assertThatThrownBy(() -> read(text.replace("\"submitTime\":" + at(0), "\"submitTime\":1.7e12")))
        .hasMessageMatching(
            "j.jhist, line \\d+, field submitTime: found '1.7e12', expected a whole number of 64"
                + " bits");
    assertThatThrownBy(
            () -> read(text.replace("\"value\":250", "\"value\":99999999999999999999999")))
        .hasMessageMatching(
            "j.jhist, line \\d+, field \\w*[cC]ounters"
                + " org.apache.hadoop.mapreduce.TaskCounter/CPU_MILLISECONDS: found"
                + " '99999999999999999999999', expected a whole number of 64 bits");
    assertThatThrownBy(() -> read(text.replace("[100,200", "[5000000000,200")))
        .hasMessageMatching(
            "j.jhist, line \\d+, field clockSplits: found '5000000000', expected a whole number of"
                + " 32 bits");
    assertThatThrownBy(() -> read("Hello\n")).hasMessageContaining("no line Avro-Json");
    assertThatThrownBy(() -> read("Avro-Binary\nnone\n"))
        .hasMessage(
            "j.jhist, line 2, field schema: found 'none', expected the Avro schema of events");
    assertThatThrownBy(() -> read("Meta VERSION=\"1\" .\n")).hasMessageContaining("Hadoop 1");
    assertThatThrownBy(() -> read(text.substring(0, text.indexOf("{\"type\":\"AM_"))))
        .hasMessageContaining("JOB_SUBMITTED");
  }

  @Test
  void halfACharacterIsReplacedSoThatItCanBeWrittenAgain() throws IOException {
    String text = new String(succeeded(true).bytes(), StandardCharsets.UTF_8);

    assertThat(read(text.replace("word count", "word\\ud800count")).name())
        .isEqualTo("word\ufffdcount");
  }

  private static JobRecord read(String text) throws IOException {
    return WrittenHistory.read(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void damagedBinaryDataIsRefusedOrEndsTheJobAndNothingElse() throws IOException {
    byte[] good = succeeded(false).bytes();
    int data = good.length - begun(false).bytes().length / 4;
    for (int at = data; at < good.length; at++) {
      byte[] bad = good.clone();
      bad[at] = (byte) 0x7f;
      try {
        assertThat(WrittenHistory.read(bad).id()).isNotEmpty();
      } catch (HistoryFormatException e) {
        assertThat(e).hasMessageStartingWith("j.jhist, event ");
      }
    }
  }

  @Test
  void historyOfHadoop023IsRead() throws IOException {
    Path file = Path.of("../../shared/cases/08-hadoop-0.23.9-FAILED.jhist");
    assumeTrue(Files.exists(file), "the shared cases are not here");
    JobRecord job;
    try (InputStream in = Files.newInputStream(file)) {
      job = JobHistory.read(in, "08.jhist");
    }

    assertThat(job.state()).isEqualTo(State.FAILED);
    assertThat(job.user()).isEqualTo("rushabhs");
    assertThat(job.maps()).isEqualTo(2);
    assertThat(job.tasks().get(0).attempts()).hasSize(4);
    AttemptRecord last = job.tasks().get(0).attempts().get(3);
    assertThat(last.outcome()).isEqualTo(Outcome.KILLED);
    assertThat(last.finish()).as("23 ms later, as the job had failed").isEqualTo(job.finished());
    assertThat(job.timesMended()).isZero();
    assertThat(job.diagnostics()).isEmpty();
  }
}
