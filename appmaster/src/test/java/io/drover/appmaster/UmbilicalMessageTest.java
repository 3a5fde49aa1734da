// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.junit.jupiter.api.Test;

class UmbilicalMessageTest {
  private static final String COLLECTOR = "mapreduce.job.map.output.collector.class";
  private static final String SHUFFLE = "mapreduce.job.reduce.shuffle.consumer.plugin.class";
  private static final JobID JOB = JobID.forName("job_1_0001");
  private static final TaskAttemptID MAP = TaskAttemptID.forName("attempt_1_0001_m_000000_0");

  private final Configuration conf = new JobConf();
  private final String stockCollector = conf.get(COLLECTOR);
  private final String stockShuffle = conf.get(SHUFFLE);
  private final TaskUmbilicalProtocol appMaster = mock(TaskUmbilicalProtocol.class);

  @Test
  void taskSpeaksIfItsAppMasterAskedForThisKindOfLine() {
    assertThat(UmbilicalMessage.ask(conf, JOB, new TaskDuties(true, false, false, false))).isTrue();
    assertThat(conf.get(COLLECTOR))
        .isEqualTo("org.apache.hadoop.mapred.DroverMapOutput," + stockCollector);
    assertThat(conf.get(SHUFFLE)).isEqualTo(stockShuffle);
    assertThat(UmbilicalMessage.isHeard(new JobConf(conf), JOB, Fetches.KIND)).isFalse();
    assertThat(UmbilicalMessage.isHeard(new JobConf(conf), JOB, "partition-sizes:1")).isFalse();
    assertThat(UmbilicalMessage.isHeard(new JobConf(conf), JOB, PartitionSizes.KIND)).isTrue();
  }

  @Test
  void taskIsSilentInAnyOtherAppMaster() {
    assertThat(UmbilicalMessage.isHeard(conf, JOB, Fetches.KIND)).isFalse();
    // stock's, or one of an older Drover, for a class that names itself
    conf.set("yarn.app.mapreduce.am.command-opts", "io.drover.appmaster.DroverAppMaster");
    conf.setBoolean("yarn.app.mapreduce.am.drover", true);
    assertThat(UmbilicalMessage.isHeard(conf, JOB, Fetches.KIND)).isFalse();
    // a newer one, which wants other lines
    conf.set(UmbilicalMessage.ACCEPTED, "job_1_0001,fetches:2");
    assertThat(UmbilicalMessage.isHeard(conf, JOB, Fetches.KIND)).isFalse();
    // one of a job that a task of Drover's submits with its own job's configuration
    UmbilicalMessage.ask(conf, JOB, new TaskDuties(true, true, false, false));
    assertThat(UmbilicalMessage.isHeard(conf, JobID.forName("job_1_0002"), Fetches.KIND)).isFalse();
  }

  @Test
  void whatATaskSubmitsWithItsOwnConfigurationKnowsNothingOfDrover() {
    UmbilicalMessage.ask(conf, JOB, new TaskDuties(true, true, false, false));
    assertThat(conf.get(SHUFFLE)).isEqualTo(MeasuredShuffle.class.getName());
    UmbilicalMessage.isHeard(conf, JOB, Fetches.KIND);
    assertThat(conf.get(COLLECTOR)).isEqualTo(stockCollector);
    assertThat(conf.get(SHUFFLE)).isEqualTo(stockShuffle);
    assertThat(conf.get(UmbilicalMessage.ACCEPTED)).isNull();
  }

  @Test
  void whatTheUserChoseStays() {
    conf.set(COLLECTOR, "my.Collector");
    assertThat(UmbilicalMessage.ask(conf, JOB, new TaskDuties(true, true, false, false))).isTrue();
    assertThat(conf.get(COLLECTOR)).isEqualTo("my.Collector");
    assertThat(conf.get(UmbilicalMessage.ACCEPTED)).isEqualTo("job_1_0001," + Fetches.KIND);
    UmbilicalMessage.isHeard(conf, JOB, Fetches.KIND);
    assertThat(conf.get(COLLECTOR)).isEqualTo("my.Collector");
    conf.set(SHUFFLE, "my.Shuffle");
    assertThat(UmbilicalMessage.ask(conf, JOB, new TaskDuties(true, true, false, false))).isFalse();
    assertThat(conf.get(SHUFFLE)).isEqualTo("my.Shuffle");
  }

  @Test
  void slowAppMasterDelaysNoTask() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    AtomicReference<Thread> speaker = new AtomicReference<>();
    doAnswer(
            call -> {
              speaker.set(Thread.currentThread());
              answers.await();
              return null;
            })
        .when(appMaster)
        .reportDiagnosticInfo(any(), any());
    UmbilicalMessage.send(
        appMaster, MAP, () -> List.of("one", "two")); // returns, though nobody answers
    await().until(() -> speaker.get() != null);
    assertThat(speaker.get()).isNotSameAs(Thread.currentThread());
    assertThat(speaker.get().isDaemon()).isTrue();
    answers.countDown();
    verify(appMaster, timeout(10_000)).reportDiagnosticInfo(MAP, "two");
  }

  @Test
  void nothingThatGoesWrongReachesTheTask() throws Exception {
    AtomicInteger uncaught = new AtomicInteger();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.incrementAndGet());
    try {
      for (Throwable thrown :
          List.of(
              new IOException("the AppMaster is gone"),
              new IllegalStateException(),
              new NoSuchMethodError(),
              new OutOfMemoryError("unable to create native thread"))) {
        AtomicReference<Thread> speaker = new AtomicReference<>();
        doThrow(thrown).when(appMaster).reportDiagnosticInfo(any(), any());
        UmbilicalMessage.send(
            appMaster,
            MAP,
            () -> {
              speaker.set(Thread.currentThread());
              return List.of("one");
            });
        await().until(() -> speaker.get() != null);
        speaker.get().join(10_000);
      }
      UmbilicalMessage.send(
          appMaster,
          MAP,
          () -> {
            throw new IOException("no index");
          });
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(uncaught).hasValue(0);
  }

  @Test
  void reducesComplainAtOnceUnlessTheUserHasSaidWhen() {
    TaskDuties complain = new TaskDuties(false, false, false, true);
    Configuration conf = new Configuration(false);
    assertThat(UmbilicalMessage.ask(conf, JOB, complain)).isTrue();
    assertThat(conf.getInt("mapreduce.reduce.shuffle.maxfetchfailures", 10)).isEqualTo(1);
    UmbilicalMessage.heard(conf, JOB);
    assertThat(conf.get("mapreduce.reduce.shuffle.maxfetchfailures"))
        .as("the task may submit other jobs with its configuration")
        .isNull();

    Configuration byTheUser = new Configuration(false);
    byTheUser.setInt("mapreduce.reduce.shuffle.maxfetchfailures", 7);
    assertThat(UmbilicalMessage.ask(byTheUser, JOB, complain)).isFalse();
    assertThat(byTheUser.getInt("mapreduce.reduce.shuffle.maxfetchfailures", 10)).isEqualTo(7);
  }
}
