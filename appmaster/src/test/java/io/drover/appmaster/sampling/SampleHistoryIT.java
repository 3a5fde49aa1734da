// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.appmaster.PatientApp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.jobhistory.EventType;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryEventHandler;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.jobhistory.JobHistoryUtils;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.event.EventHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An AppMaster that leaves a history, and what the next one finds of it. */
class SampleHistoryIT {
  /** Hadoop's AppMaster of a job of two maps, with a real history. */
  private static class WithHistory extends PatientApp {
    private final CountDownLatch written = new CountDownLatch(1);

    WithHistory(String name, int number) {
      super(2, 0, name, number, new AtomicLong(System.currentTimeMillis()));
    }

    @Override
    protected EventHandler<JobHistoryEvent> createJobHistoryHandler(AppContext context) {
      return new JobHistoryEventHandler(context, getStartCount()) {
        @Override
        public void handle(JobHistoryEvent event) {
          super.handle(event);
          if (event.getType() == EventType.TASK_FINISHED) {
            written.countDown();
          }
        }
      };
    }

    /** Lets the first map succeed, and ends before the job does. */
    TaskId finishOneMap(Configuration conf) throws Exception {
      Job job = submit(conf);
      waitForState(job, JobState.RUNNING);
      Task map = job.getTasks().values().iterator().next();
      waitForState(map, TaskState.RUNNING);
      TaskAttempt attempt = map.getAttempts().values().iterator().next();
      await().until(() -> attempt.getState() == TaskAttemptState.RUNNING);
      getContext()
          .getEventHandler()
          .handle(new TaskAttemptEvent(attempt.getID(), TaskAttemptEventType.TA_DONE));
      waitForState(map, TaskState.SUCCEEDED);
      written.await();
      stop();
      return map.getID();
    }
  }

  private static Configuration conf(Path output) {
    Configuration conf = new Configuration();
    conf.setBoolean(MRJobConfig.MR_AM_JOB_RECOVERY_ENABLE, true);
    conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
    conf.setBoolean(MRJobConfig.JOB_UBERTASK_ENABLE, false);
    conf.set(FileOutputFormat.OUTDIR, output.toUri().toString());
    conf.set("hadoop.http.temp.dir", Path.of("target", "http").toAbsolutePath().toString());
    return conf;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void hadoopsNextAppMasterRecoversNothingOfAJobThatSamples(boolean samples, @TempDir Path output)
      throws Exception {
    String name = "SampleHistoryIT" + samples;
    WithHistory first =
        new WithHistory(name, 1) {
          @Override
          public int getStartCount() {
            return samples ? SampleHistory.number(super.getStartCount()) : super.getStartCount();
          }
        };
    TaskId done = first.finishOneMap(conf(output));
    try (WithHistory second = new WithHistory(name, 2)) {
      Job job = second.submit(conf(output));
      second.waitForState(job, JobState.RUNNING);
      second.waitForState(job.getTask(done), samples ? TaskState.RUNNING : TaskState.SUCCEEDED);
      assertThat(second.recovered()).isEqualTo(!samples);
    }
  }

  @Test
  void droversNextAppMasterFindsItWhereHadoopLooks(@TempDir Path staging) throws Exception {
    Configuration conf = new Configuration();
    conf.set(MRJobConfig.MR_AM_STAGING_DIR, staging.toUri().toString());
    ApplicationAttemptId third =
        ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 7), 3);
    Path stock = Path.of(JobHistoryUtils.getPreviousJobHistoryPath(conf, third).toUri());
    assertThat(stock.getFileName()).hasToString("job_1_0007_2.jhist");
    SampleHistory.take(conf, third);
    assertThat(stock).as("there is none").doesNotExist();

    Files.createDirectories(stock.getParent());
    Path apart = stock.resolveSibling("job_1_0007_" + SampleHistory.number(2) + ".jhist");
    Files.writeString(apart, "events");
    SampleHistory.take(conf, third);
    assertThat(stock).hasContent("events");
    assertThat(apart).doesNotExist();
  }
}
