// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import static io.drover.cli.report.SampleJob.steady;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.cli.report.SampleJob.Attempt;
import io.drover.testbed.history.JobRecord.State;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterAnalysisTest {
  private final ClusterAnalysis cluster = new ClusterAnalysis();

  private static SampleJob slowOn(String node, int number) {
    return new SampleJob(number)
        .maps(10, 5, 25)
        .map(new Attempt(node, 5, 65).splits(steady(2, 60)));
  }

  private void add(SampleJob job, String name, String user) {
    cluster.add(JobAnalysis.of(job.record(name, user, State.SUCCEEDED)));
  }

  @Test
  void machineThatIsSlowInMostJobsIsSlowThoughEachJobRanOneAttemptThere() {
    for (int number = 1; number <= 4; number++) {
      add(slowOn("n8", number), "count", "ada");
    }
    add(slowOn("n1", 5), "count", "ada");

    Map.Entry<Cause, ClusterAnalysis.Sum> first = cluster.causes().get(0);
    assertThat(first.getKey()).isEqualTo(Cause.SLOW_MACHINE);
    assertThat(first.getValue().tasks()).isEqualTo(4);
    assertThat(first.getValue().jobs()).isEqualTo(4);
    assertThat(first.getValue().costSeconds()).isCloseTo(160, within(0.1));
    assertThat(cluster.causes().get(1).getKey()).isEqualTo(Cause.SLOW_ATTEMPT);
    assertThat(cluster.causes().get(1).getValue().costSeconds()).isCloseTo(40, within(0.1));
    assertThat(cluster.machines().get(0).getKey()).isEqualTo("n8");
  }

  @Test
  void jobsOfOneProgramAreToldByTheirNamesWithoutNumbers() {
    add(slowOn("n1", 1), "count 2026-11-28", "ada");
    add(slowOn("n2", 2), "count 2026-11-29", "bob");
    add(new SampleJob(3).maps(10, 5, 25), "sort", "bob");

    assertThat(cluster.programs().get(0).getKey()).isEqualTo("count #-#-#");
    assertThat(cluster.programs().get(0).getValue().jobs()).isEqualTo(2);
    assertThat(cluster.users()).extracting(Map.Entry::getKey).containsExactly("ada", "bob");
    assertThat(cluster.users().get(1).getValue().jobs()).isEqualTo(2);
    assertThat(cluster.costSeconds()).isCloseTo(80, within(0.1));
    assertThat(cluster.actedOnSeconds()).isEqualTo(cluster.costSeconds());
  }

  @Test
  void worstJobsAreFewAndDearestFirst() {
    for (int number = 1; number <= 60; number++) {
      SampleJob job = new SampleJob(number).maps(10, 5, 25);
      add(job.map(new Attempt("n1", 5, 65 + number)), "count", "ada");
    }

    assertThat(cluster.worstJobs()).hasSize(20);
    assertThat(cluster.worstJobs().get(0).id()).endsWith("_0060");
    assertThat(cluster.worstJobs().get(19).id()).endsWith("_0041");
    assertThat(cluster.jobs()).isEqualTo(60);
  }

  @Test
  void whatDroverDidIsToldAndNotCountedAsWhatItWouldHaveSaved() {
    Map<String, Long> counters =
        Map.of(
            "io.drover.speculator.DroverCounter/COPIES_LAUNCHED", 3L,
            "io.drover.speculator.DroverCounter/COPIES_WON", 2L,
            "io.drover.speculator.DroverCounter/OUTPUTS_REMADE", 4L,
            "io.drover.speculator.DroverCounter/WASTED_MILLIS", 59_960L,
            "io.drover.speculator.DroverCounter/REPLICATED_BYTES", 100_000L,
            "org.apache.hadoop.mapreduce.FileSystemCounter/HDFS_BYTES_READ", 8_000_000L,
            "org.apache.hadoop.mapreduce.TaskCounter/CPU_MILLISECONDS", 9L);
    cluster.add(JobAnalysis.of(slowOn("n1", 1).record("a", "ada", State.SUCCEEDED, counters)));
    assertThat(cluster.savedSeconds()).isZero();
    add(slowOn("n1", 2), "a", "ada");

    double saved = JobAnalysis.of(slowOn("n1", 2).record()).savedSeconds();
    assertThat(cluster.savedSeconds()).isPositive().isEqualTo(saved);
    assertThat(cluster.drover().sentence())
        .isEqualTo(
            "Drover acted in 1 of these jobs: 3 copies (2 won), 0 restarts, 0 clones (0 won), 4 map"
                + " outputs remade; what lost took 1:00. 100.0 KB of map outputs"
                + " replicated, 1.25 % of what the jobs in which it acted read and wrote.");
    assertThat(new ClusterReport(cluster, new LeftOut(false)).json().path("drover").toString())
        .isEqualTo(
            "{\"jobs\":1,\"ioBytes\":8000000,\"counters\":{\"COPIES_LAUNCHED\":3,\"COPIES_WON\":2,"
                + "\"WASTED_MILLIS\":59960,\"OUTPUTS_REMADE\":4,"
                + "\"REPLICATED_BYTES\":100000}}");
  }
}
