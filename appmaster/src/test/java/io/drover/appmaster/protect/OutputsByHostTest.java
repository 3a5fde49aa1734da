// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.appmaster.protect.OutputsByHost.Output;
import io.drover.core.protect.CrawlingMachines.Share;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskReport;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutputsByHostTest {
  private final Task map = mock(Task.class);
  private final TaskReport report = mock(TaskReport.class);
  private final Map<TaskAttemptId, TaskAttempt> attempts = new LinkedHashMap<>();
  private final OutputsByHost outputs = new OutputsByHost(false);

  private static TaskAttemptId id(int number) {
    return MRApps.toTaskAttemptID("attempt_1700000000000_0001_m_000000_" + number);
  }

  private TaskAttempt succeeded(int number) {
    TaskAttemptId id = id(number);
    TaskAttempt attempt = mock(TaskAttempt.class);
    when(attempt.getID()).thenReturn(id);
    when(attempt.getState()).thenReturn(TaskAttemptState.SUCCEEDED);
    when(attempt.getNodeId()).thenReturn(NodeId.newInstance("n" + number, 1));
    when(attempt.getNodeHttpAddress()).thenReturn("n" + number + ":8042");
    when(attempt.getCounters()).thenReturn(new Counters());
    when(map.getAttempt(id)).thenReturn(attempt);
    attempts.put(id, attempt);
    return attempt;
  }

  @BeforeEach
  void succeeds() {
    TaskId task = id(0).getTaskId();
    when(map.getID()).thenReturn(task);
    when(map.getState()).thenReturn(TaskState.SUCCEEDED);
    when(map.getAttempts()).thenReturn(attempts);
    when(map.getReport()).thenReturn(report);
  }

  @Test
  void outputIsThatOfTheAttemptThatCounts() {
    succeeded(0);
    succeeded(1);
    when(report.getSuccessfulAttempt()).thenReturn(id(1));
    assertThat(outputs.refresh(map)).isFalse();
    assertThat(outputs.of(map).map(Output::id)).contains(id(1));
    assertThat(outputs.hosts()).containsExactly("n1");
  }

  @Test
  void outputOfAnAttemptThatHasEndedIsReplacedByThatOfTheNext() {
    TaskAttempt first = succeeded(0);
    succeeded(1);
    when(report.getSuccessfulAttempt()).thenReturn(id(0));
    outputs.refresh(map);
    when(first.getState()).thenReturn(TaskAttemptState.KILLED);
    when(report.getSuccessfulAttempt()).thenReturn(id(1));
    assertThat(outputs.refresh(map)).as("nothing is left on n0").isTrue();
    assertThat(outputs.hosts()).containsExactly("n1");
  }

  @Test
  void shareIsOfWhatIsThereAndOfWhatHasEverBeen() {
    TaskAttempt first = succeeded(0);
    Counters counters = new Counters();
    counters.findCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES).setValue(60);
    when(first.getCounters()).thenReturn(counters);
    when(report.getSuccessfulAttempt()).thenReturn(id(0));
    outputs.refresh(map);
    assertThat(outputs.share("n0", 3)).isEqualTo(new Share(20, 20));
    outputs.remove(outputs.of(map).orElseThrow());
    assertThat(outputs.share("n0", 3)).isEqualTo(new Share(0, 20));
    assertThat(outputs.share("elsewhere", 3)).isEqualTo(new Share(0, 0));
  }

  @Test
  void unfinishedReducesAreWhereTheirAttemptsLive() {
    Map<TaskId, Task> reduces = new LinkedHashMap<>();
    Job job = mock(Job.class);
    when(job.getTasks(TaskType.REDUCE)).thenReturn(reduces);
    reduce(reduces, TaskState.SUCCEEDED, on("done", TaskAttemptState.SUCCEEDED));
    reduce(
        reduces,
        TaskState.RUNNING,
        on("killed", TaskAttemptState.KILLED),
        on("lost", TaskAttemptState.RUNNING),
        on("runs", TaskAttemptState.RUNNING),
        on("begins", TaskAttemptState.STARTING));
    reduce(reduces, TaskState.RUNNING, on(null, TaskAttemptState.STARTING));
    reduce(reduces, TaskState.SCHEDULED);
    assertThat(OutputsByHost.unfinished(job, Set.of("lost")))
        .containsExactly(Set.of("runs", "begins"), Set.of(), Set.of());
  }

  private static TaskAttempt on(String host, TaskAttemptState state) {
    TaskAttempt attempt = mock(TaskAttempt.class);
    when(attempt.getState()).thenReturn(state);
    when(attempt.getNodeId()).thenReturn(host == null ? null : NodeId.newInstance(host, 1));
    return attempt;
  }

  private static void reduce(Map<TaskId, Task> reduces, TaskState state, TaskAttempt... attempts) {
    TaskId id =
        MRBuilderUtils.newTaskId(id(0).getTaskId().getJobId(), reduces.size(), TaskType.REDUCE);
    Map<TaskAttemptId, TaskAttempt> byId = new LinkedHashMap<>();
    for (TaskAttempt attempt : attempts) {
      byId.put(MRBuilderUtils.newTaskAttemptId(id, byId.size()), attempt);
    }
    Task task = mock(Task.class);
    when(task.getState()).thenReturn(state);
    when(task.getAttempts()).thenReturn(byId);
    reduces.put(id, task);
  }
}
