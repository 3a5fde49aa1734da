// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.apache.commons.math3.stat.StatUtils;
import org.junit.jupiter.api.Test;

class SyntheticWorkloadTest {
  private static final SyntheticSettings SETTINGS = SyntheticSettings.of(100, 2);

  private static double slotSeconds(JobSpec job) {
    return job.phases().stream().mapToDouble(p -> p.totalBytes() * p.secondsPerByte()).sum();
  }

  @Test
  void sameSeedGivesTheSameJobsAndAnotherSeedOtherOnes() {
    SyntheticWorkload workload = new SyntheticWorkload(SETTINGS.withJobs(50));
    List<String> told = Traces.told(workload);
    assertThat(Traces.told(workload)).isEqualTo(told);
    assertThat(Traces.told(new SyntheticWorkload(SETTINGS.withJobs(50)))).isEqualTo(told);
    assertThat(Traces.told(new SyntheticWorkload(SETTINGS.withJobs(50).withSeed(2))))
        .isNotEqualTo(told);
    assertThat(workload.size()).isEqualTo(50);
    assertThat(workload.name()).isEqualTo("synthetic");
    assertThat(workload.provenance()).anyMatch(s -> s.contains("no trace"));
  }

  @Test
  void utilizationIsTheOneAskedFor() {
    for (double utilization : new double[] {0.21, 0.8}) {
      List<JobSpec> jobs =
          Traces.jobs(new SyntheticWorkload(SETTINGS.withJobs(3000).withUtilization(utilization)));
      double work = jobs.stream().mapToDouble(SyntheticWorkloadTest::slotSeconds).sum();
      double end = jobs.get(jobs.size() - 1).submitSeconds();
      // The end is a sum of 3,000 exponential gaps: within 5.5 % (three standard deviations).
      assertThat(work / (200 * end)).isCloseTo(utilization, within(0.055 * utilization));
    }
  }

  @Test
  void arrivalsAreAPoissonProcess() {
    List<JobSpec> jobs = Traces.jobs(new SyntheticWorkload(SETTINGS.withJobs(4000)));
    double[] gaps = new double[jobs.size() - 1];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = jobs.get(i + 1).submitSeconds() - jobs.get(i).submitSeconds();
    }
    assertThat(StatUtils.min(gaps)).isNotNegative();
    double coefficient = Math.sqrt(StatUtils.variance(gaps)) / StatUtils.mean(gaps);
    assertThat(coefficient).as("1 for exponential gaps").isCloseTo(1, within(0.07));
  }

  /** Dolly section 2: 82 % of the jobs have fewer than 10 tasks and take 6 % of the resources. */
  @Test
  void jobsAreAsSmallAndAsLargeAsDollySays() {
    assertThat(SyntheticWorkload.MOST_TASKS).isCloseTo(33_800, within(100.0));
    List<JobSpec> jobs = Traces.jobs(new SyntheticWorkload(SETTINGS.withJobs(10_000)));
    double small = jobs.stream().filter(job -> job.tasks() < 10).count() / 10_000.0;
    assertThat(small).isCloseTo(0.82, within(0.012));
    double all = jobs.stream().mapToDouble(JobSpec::tasks).sum();
    double tasksOfSmall =
        jobs.stream().filter(job -> job.tasks() < 10).mapToDouble(JobSpec::tasks).sum();
    assertThat(tasksOfSmall / all).as("whole numbers make it less").isBetween(0.03, 0.075);
    assertThat(jobs).allMatch(job -> job.tasks() <= 33_900);
  }

  @Test
  void onlyJobsOfOneTaskAreWithoutReduces() {
    for (JobSpec job : Traces.jobs(new SyntheticWorkload(SETTINGS))) {
      assertThat(job.phases()).hasSize(job.tasks() == 1 ? 1 : 2);
      long input = job.phases().get(0).totalBytes();
      assertThat(input).isEqualTo(job.phases().get(0).tasks() * SETTINGS.blockBytes());
    }
  }

  @Test
  void settingsHaveRanges() {
    assertThatIllegalArgumentException().isThrownBy(() -> SETTINGS.withJobs(0));
    assertThatIllegalArgumentException().isThrownBy(() -> SyntheticSettings.of(0, 2));
    assertThatIllegalArgumentException().isThrownBy(() -> SETTINGS.withUtilization(0));
    assertThatIllegalArgumentException().isThrownBy(() -> SETTINGS.withUtilization(1.1));
  }
}
