// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.junit.jupiter.api.Test;

class ContactsTest {
  private static final JobId JOB =
      MRBuilderUtils.newJobId(ApplicationId.newInstance(1400000000000L, 1), 1);
  private static final Duration TIME = Duration.ofSeconds(6);

  private long seconds = -100; // System.nanoTime() may be negative
  private final Contacts contacts = new Contacts(() -> TimeUnit.SECONDS.toNanos(seconds), true);
  private final Job job = mock(Job.class);

  private TaskAttemptId attemptOn(String host, int number) {
    TaskAttemptId id =
        MRBuilderUtils.newTaskAttemptId(MRBuilderUtils.newTaskId(JOB, number, TaskType.REDUCE), 0);
    TaskAttempt attempt = mock(TaskAttempt.class);
    when(attempt.getNodeId()).thenReturn(host == null ? null : NodeId.newInstance(host, 1));
    Task task = mock(Task.class);
    when(task.getAttempt(any())).thenReturn(attempt);
    when(job.getTask(id.getTaskId())).thenReturn(task);
    return id;
  }

  private Set<String> quiet() {
    return contacts.without(job, Set.of("a", "b"), TIME);
  }

  @Test
  void hostIsQuietWhenNoAttemptThereHasCalledForAWhile() {
    assertThat(quiet()).containsExactlyInAnyOrder("a", "b");
    contacts.heard(attemptOn("a", 0));
    contacts.heard(attemptOn("c", 1));
    assertThat(quiet()).containsExactly("b");
    seconds += 6;
    assertThat(quiet()).containsExactly("b");
    contacts.heard(attemptOn("b", 2));
    assertThat(quiet()).isEmpty();
    seconds += 1;
    assertThat(quiet()).containsExactly("a");
  }

  @Test
  void attemptsThatHaveEndedOrAreUnknownDoNotCount() {
    TaskAttemptId ended = attemptOn("a", 0);
    contacts.heard(ended);
    contacts.ended(ended);
    contacts.heard(attemptOn(null, 1));
    contacts.heard(
        MRBuilderUtils.newTaskAttemptId(MRBuilderUtils.newTaskId(JOB, 99, TaskType.MAP), 0));
    assertThat(quiet()).containsExactlyInAnyOrder("a", "b");
  }
}
