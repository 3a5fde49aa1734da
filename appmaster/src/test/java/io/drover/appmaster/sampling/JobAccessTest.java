// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.core.placement.LinkBandwidths.Bandwidths;
import io.drover.speculator.Breakers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobAccessTest {
  /** In all others, the job ends already, or has not begun. */
  private static final Set<JobStateInternal> GOES_ON =
      EnumSet.of(JobStateInternal.SETUP, JobStateInternal.RUNNING, JobStateInternal.COMMITTING);

  @ParameterizedTest
  @EnumSource(JobStateInternal.class)
  void jobWithAWrongSampleIsEndedOnceUnlessItIsEndingAlready(JobStateInternal state) {
    JobId id = MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1);
    JobImpl job = mock();
    when(job.getInternalState()).thenReturn(state);
    when(job.getState()).thenReturn(JobState.RUNNING); // until the AppMaster has unregistered
    List<Object> sent = new ArrayList<>();
    AppContext context = mock();
    when(context.getJob(id)).thenReturn(job);
    when(context.getEventHandler()).thenReturn(event -> sent.add(event.getType()));
    JobAccess access =
        new JobAccess(
            new Configuration(false),
            () -> id,
            () -> context,
            attempt -> 0,
            racks -> new Bandwidths(new double[0], new double[0], null),
            Runnable::run,
            (type, fields) -> {},
            Breakers.uncounted());
    access.fail("a test");
    access.fail("a test");
    if (GOES_ON.contains(state)) {
      assertThat(sent).containsExactly(JobEventType.JOB_DIAGNOSTIC_UPDATE, JobEventType.JOB_KILL);
    } else {
      assertThat(sent).isEmpty();
    }
  }
}
