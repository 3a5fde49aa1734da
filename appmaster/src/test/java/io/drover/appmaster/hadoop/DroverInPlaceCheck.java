// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.appmaster.DroverAppMaster;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.app.MRApp;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverJob;
import org.apache.hadoop.mapreduce.v2.app.rm.DroverContainerAllocator;
import org.junit.jupiter.api.Test;

/** Runs with Hadoop's own tests, and not with Drover's: what do they test? */
class DroverInPlaceCheck {
  @Test
  void jobOfHadoopsTestsIsDroversWithAllItsParts() throws Exception {
    MRApp app = new MRApp(1, 1, true, getClass().getName(), true);
    Job job = app.submit(new Configuration());
    app.waitForState(job, JobState.SUCCEEDED);
    assertThat((Object) app).isInstanceOf(DroverAppMaster.class);
    assertThat(job).isInstanceOf(DroverJob.class);
    List<Task> tasks = List.copyOf(job.getTasks().values());
    assertThat(tasks)
        .extracting(DroverInPlaceCheck::name)
        .containsExactly("DroverMapTask", "DroverReduceTask");
    assertThat(tasks)
        .flatExtracting(task -> List.copyOf(task.getAttempts().values()))
        .extracting(DroverInPlaceCheck::name)
        .containsExactly("DroverMapAttempt", "DroverReduceAttempt");
  }

  @Test
  void allocatorOfHadoopsTestsIsDrovers() throws Exception {
    Class<?> allocator =
        Class.forName(
            "org.apache.hadoop.mapreduce.v2.app.rm.TestRMContainerAllocator$MyContainerAllocator");
    assertThat(DroverContainerAllocator.class).isAssignableFrom(allocator);
  }

  private static String name(Object part) {
    return part.getClass().getSimpleName();
  }
}
