// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.mapred.TIPStatus;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;
import org.junit.jupiter.api.Test;

class UnfinishedTest {
  private static TaskReport task(TaskType type, int number, float progress, long finish) {
    TaskID id = new TaskID("1700000000000", 1, type, number);
    TaskReport report = mock(TaskReport.class);
    when(report.getTaskId()).thenReturn(id.toString());
    when(report.getCurrentStatus()).thenReturn(TIPStatus.RUNNING);
    when(report.getProgress()).thenReturn(progress);
    when(report.getFinishTime()).thenReturn(finish);
    when(report.getRunningTaskAttemptIds()).thenReturn(List.of(new TaskAttemptID(id, 1)));
    return report;
  }

  private static Job job(TaskReport[] maps, TaskReport[] reduces) throws Exception {
    Job job = mock(Job.class);
    when(job.getTaskReports(TaskType.MAP)).thenReturn(maps);
    when(job.getTaskReports(TaskType.REDUCE)).thenReturn(reduces);
    return job;
  }

  @Test
  void tasksThatAreNotDoneAreToldOf() throws Exception {
    TaskReport[] maps = {task(TaskType.MAP, 0, 1, 5), task(TaskType.MAP, 1, 0.254f, 0)};
    TaskReport[] reduces = {task(TaskType.REDUCE, 0, 0, 0)};

    assertThat(Unfinished.tasks(job(maps, reduces)))
        .isEqualTo(
            "task_1700000000000_0001_m_000001 RUNNING 25 %"
                + " [attempt_1700000000000_0001_m_000001_1];"
                + " task_1700000000000_0001_r_000000 RUNNING 0 %"
                + " [attempt_1700000000000_0001_r_000000_1]");
  }

  @Test
  void ofManyTheRestIsCounted() throws Exception {
    TaskReport[] maps =
        IntStream.range(0, 11)
            .mapToObj(number -> task(TaskType.MAP, number, 0, 0))
            .toArray(TaskReport[]::new);

    assertThat(Unfinished.tasks(job(maps, new TaskReport[0])))
        .contains("m_000007 ")
        .doesNotContain("m_000008")
        .endsWith("; and 3 more");
  }

  @Test
  void jobWithoutOpenTasksSaysSo() throws Exception {
    TaskReport[] none = {};

    assertThat(Unfinished.tasks(job(none, none))).isEqualTo("no task of it is open");
  }
}
