// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.drover.testbed.cluster.Await;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.job.ContainerHolder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A cluster that has seen one program fail again and again, and another one succeed, ends the jobs
 * of the first after their grace period, and no others. It has learnt that from applications whose
 * AppMaster is this process, which start no processes; {@link FailingJobsScenarioIT} learns from
 * jobs.
 */
class FailurePredictionIT {
  /** A model needs ten jobs of each kind in four fifths of all. */
  private static final int OF_EACH = 14;

  private static final Duration GRACE = Duration.ofSeconds(8);
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** The failing jobs take longer than the grace period, or there would be nothing to save. */
  private static final Duration LONGER_THAN_IT_MAY = GRACE.plusSeconds(3);

  private static DroverCluster cluster;

  @BeforeAll
  static void learn() throws Exception {
    cluster =
        DroverCluster.builder()
            .droverScheduler()
            .daemonConf("yarn.drover.predict.mode", "on")
            .daemonConf("yarn.drover.predict.grace", GRACE.toSeconds() + "s")
            .daemonConf("yarn.drover.predict.controls", "0.01")
            .daemonConf("yarn.drover.predict.retrain", "2s")
            // With a hundred jobs nothing smaller can be told.
            .daemonConf("yarn.drover.predict.max-misjudged", "0.5")
            .daemonConf("yarn.drover.predict.exempt-users", "nobody")
            .daemonConf("yarn.drover.channel.period", "500ms")
            .jobConf("yarn.drover.channel.period", "500ms")
            .start(StartListener.NONE);
    List<ContainerHolder> failing = new ArrayList<>();
    try {
      for (int i = 0; i < 2 * OF_EACH; i++) {
        boolean fails = i % 2 == 0;
        ContainerHolder application = new ContainerHolder(name(fails, i));
        application.start(cluster.clientConf());
        if (fails) {
          failing.add(application);
        } else {
          application.end(FinalApplicationStatus.SUCCEEDED);
        }
      }
      Thread.sleep(LONGER_THAN_IT_MAY.toMillis());
    } finally {
      for (ContainerHolder application : failing) {
        application.end(FinalApplicationStatus.FAILED);
      }
    }
    assertThat(Await.until(LIMIT, Duration.ofMillis(500), () -> prediction().has("model")))
        .as("a model: %s", prediction())
        .isTrue();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static String name(boolean fails, int number) {
    return (fails ? "leaky-report-" : "nightly-load-") + number;
  }

  private static Job program(boolean fails, Duration takes) throws Exception {
    return ProgramJob.of(cluster, name(fails, 100), takes.toMillis(), fails);
  }

  private static JsonNode prediction() throws IOException, InterruptedException {
    return SchedulerServices.status(cluster).get("prediction");
  }

  /** Submits a job, and returns what is said of it when it is called failing. */
  private static JsonNode submit(Job job) throws Exception {
    job.submit();
    String id = job.getJobID().toString().replace("job_", "application_");
    AtomicReference<JsonNode> called = new AtomicReference<>();
    assertThat(
            Await.until(
                LIMIT,
                Duration.ofMillis(200),
                () -> {
                  for (JsonNode one : prediction().get("failing")) {
                    if (one.get("application").asText().equals(id)) {
                      called.set(one);
                    }
                  }
                  return called.get() != null;
                }))
        .isTrue();
    return called.get();
  }

  private static JobStatus end(Job job) throws Exception {
    assertThat(Await.until(LIMIT, Duration.ofMillis(200), job::isComplete)).isTrue();
    return job.getStatus();
  }

  @Test
  void jobOfTheProgramThatFailsIsEndedAfterItsGraceAndToldWhy() throws Exception {
    long before = System.currentTimeMillis();
    Job failing = program(true, LIMIT);
    JsonNode called = submit(failing);
    while (called.get("control").asBoolean()) { // as one in a hundred is; none of them is ended
      failing.killJob();
      end(failing);
      before = System.currentTimeMillis();
      failing = program(true, LIMIT);
      called = submit(failing);
    }
    assertThat(called.get("program").asText()).isEqualTo("leaky-report-#");
    assertThat(called.get("reasons")).isNotEmpty();
    JobStatus status = end(failing);
    assertThat(status.getState()).isEqualTo(JobStatus.State.KILLED);
    assertThat(status.getFinishTime() - before).isGreaterThan(GRACE.toMillis());
    assertThat(status.getFailureInfo()).contains("Drover expects this job to fail");
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
    assertThat(
            Await.until(
                LIMIT,
                Duration.ofMillis(500),
                () -> prediction().get("turned").get("ended").asInt() == 1))
        .as("%s", prediction())
        .isTrue();
  }

  @Test
  void jobOfTheOtherProgramRunsAsLongAsItLikes() throws Exception {
    Job good = program(false, GRACE.multipliedBy(2));
    good.submit();
    JobStatus status = end(good);
    assertThat(status.getState()).as(status.getFailureInfo()).isEqualTo(JobStatus.State.SUCCEEDED);
  }
}
