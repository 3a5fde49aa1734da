// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.atLeast;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.drover.speculator.Breakers;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.ArgumentCaptor;

class JobAccessTest {
  private static final JobId JOB = MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1);

  private final JobImpl job = mock();
  private final AppContext context = mock();
  private final List<Runnable> dispatched = new ArrayList<>();
  private final JobAccess access =
      new JobAccess(
          new Configuration(false),
          () -> JOB,
          () -> context,
          attempt -> 0,
          racks -> null,
          dispatched::add,
          (type, fields) -> {},
          Breakers.uncounted());

  @BeforeEach
  void jobSeemsToRun() {
    when(context.getJob(JOB)).thenReturn(job);
    when(job.getState()).thenReturn(JobState.RUNNING); // as long as the AppMaster is registered
  }

  private void fail() {
    access.fail("it cannot go on");
  }

  private void dispatch() {
    dispatched.forEach(Runnable::run);
  }

  @ParameterizedTest
  @EnumSource(names = {"SETUP", "RUNNING"})
  void jobThatCannotHaveARightResultIsKilledWithTheReason(JobStateInternal state) {
    when(job.getInternalState()).thenReturn(state);
    fail();
    verify(job, never()).handle(any()); // only the dispatcher thread may end it
    dispatch();
    ArgumentCaptor<JobEvent> events = ArgumentCaptor.forClass(JobEvent.class);
    verify(job, atLeast(1)).handle(events.capture());
    assertThat(events.getAllValues()).hasSize(2);
    assertThat(((JobDiagnosticsUpdateEvent) events.getAllValues().get(0)).getDiagnosticUpdate())
        .isEqualTo("Drover: it cannot go on");
    assertThat(events.getAllValues().get(1).getType()).isEqualTo(JobEventType.JOB_KILL);
  }

  /** Its abort would be cut short, and one that has failed would be called killed. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SETUP", "RUNNING"})
  void jobThatIsEndingOrCommittingIsLeftAlone(JobStateInternal state) {
    fail();
    when(job.getInternalState()).thenReturn(state); // between the error and the dispatcher
    dispatch();
    verify(job, never()).handle(any());
  }
}
