// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.cluster.ExistingCluster;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Jobs on a cluster that is only known by its configuration, with Drover switched on in it. */
@ExtendWith(SharedCluster.class)
class ExistingClusterIT {
  private static DroverCluster cluster;

  @BeforeAll
  static void start(DroverCluster shared) {
    cluster = shared;
  }

  /** As an administrator would have it. */
  private static Configuration site() {
    Configuration conf = cluster.clientConf();
    cluster.underDrover().forEach(conf::set);
    return conf;
  }

  @Test
  void stockJobsRunInHadoopsAppMasterAndDroversInDroversAndNothingIsLeft() throws Exception {
    FileSystem fs = FileSystem.get(site());
    ExistingCluster existing = ExistingCluster.connect(site(), StartListener.NONE);
    org.apache.hadoop.fs.Path files = new org.apache.hadoop.fs.Path(existing.jobFiles());
    Path directory = existing.directory();
    try (existing) {
      assertThat(existing.hosts())
          .extracting(host -> host.name() + host.rack())
          .containsExactlyElementsOf(
              cluster.hosts().stream().map(host -> host.name() + host.rack()).toList());

      JobRunner runner = new JobRunner(existing);
      RunResult stock =
          JobsUnderTest.succeeded(
              runner.run(JobsUnderTest.quick(), RunMode.STOCK, Map.of(), RunListener.NONE));
      RunResult drover =
          JobsUnderTest.succeeded(
              runner.run(JobsUnderTest.quick(), RunMode.DROVER, Map.of(), RunListener.NONE));

      assertThat(stock.counters().keySet()).noneMatch(name -> name.startsWith("io.drover."));
      assertThat(stock.decisions()).isEmpty();
      assertThat(JobsUnderTest.lines(drover, "clone")).as("Drover's AppMaster").isNotEmpty();
      assertThat(JobsUnderTest.lines(drover, "decision"))
          .as("with Drover's speculator")
          .isNotEmpty();
      assertThat(drover.output()).isEqualTo(stock.output());
      assertThat(drover.attempts()).isNotEmpty();
      assertThat(fs.exists(files)).isTrue();
    }
    assertThat(fs.exists(files)).isFalse();
    assertThat(directory).doesNotExist();
  }

  @Test
  void aJobThatStillRunsIsKilledAtTheEnd() throws Exception {
    ExistingCluster existing = ExistingCluster.connect(site(), StartListener.NONE);
    CountDownLatch submitted = new CountDownLatch(1);
    StringBuffer jobId = new StringBuffer();
    RunListener listener =
        new RunListener() {
          @Override
          public void submitted(String id) {
            jobId.append(id);
          }

          @Override
          public void progress(JobProgress job) {
            submitted.countDown();
          }
        };
    FutureTask<RunResult> run =
        new FutureTask<>(
            () ->
                new JobRunner(existing)
                    .run(JobsUnderTest.lean(Scenario.NONE), RunMode.STOCK, Map.of(), listener));
    Thread thread = new Thread(run, "run");
    thread.start();
    try {
      assertThat(submitted.await(JobsUnderTest.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      existing.close();
      Cluster client = new Cluster(cluster.clientConf());
      await()
          .atMost(JobsUnderTest.LIMIT)
          .until(
              () ->
                  client.getJob(JobID.forName(jobId.toString())).getStatus().getState()
                      == JobStatus.State.KILLED);
      client.close();
    } finally {
      thread.interrupt();
      thread.join(JobsUnderTest.LIMIT.toMillis());
    }
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
  }
}
