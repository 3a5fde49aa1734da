// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drover.core.model.TaskKind;
import io.drover.simulator.SampleWorkloads;
import io.drover.simulator.workload.SampledWorkload.Sampling;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampledWorkloadTest {
  private static List<JobSpec> jobs(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> SampleWorkloads.mapReduce("j" + i, i, new long[] {10, 20, 30}, new long[] {5}))
        .toList();
  }

  private static List<JobSpec> sampled(int count, double ratio, double share) {
    Workload workload = SampleWorkloads.workload(jobs(count));
    return Traces.jobs(new SampledWorkload(workload, new Sampling(ratio, share), 1));
  }

  @Test
  void theMapsOfAJobAreTheKOfManyBlocksThatAreAsLarge() {
    JobSpec job = sampled(1, 0.5, 1).get(0);
    PhaseSpec maps = job.phases().get(0);
    assertThat(job.samples()).isTrue();
    assertThat(maps.tasks()).isEqualTo(3);
    assertThat(maps.blocks()).isEqualTo(6);
    assertThat(IntStream.range(0, 6).mapToLong(maps::bytes))
        .containsExactly(10L, 20L, 30L, 10L, 20L, 30L);
    assertThat(maps.totalBytes()).as("of the K").isEqualTo(60);
    assertThat(job.tasks()).isEqualTo(4);
    PhaseSpec reduces = job.phases().get(1);
    assertThat(reduces.blocks()).isEqualTo(reduces.tasks());
  }

  @Test
  void whoseRatioIsOneDoesNotSample() {
    assertThat(sampled(1, 1, 1).get(0).samples()).isFalse();
  }

  @Test
  void soManyJobsSampleAsTheShareSaysAndAlwaysTheSame() {
    List<JobSpec> jobs = sampled(4000, 0.1, 0.25);
    assertThat(jobs).filteredOn(JobSpec::samples).hasSizeBetween(1000 - 110, 1000 + 110);
    assertThat(jobs)
        .extracting(JobSpec::samples)
        .isEqualTo(sampled(4000, 0.1, 0.25).stream().map(JobSpec::samples).toList());
  }

  @Test
  void otherBlocksAreInTheRacksOfTheTrace() {
    PhaseSpec maps = new PhaseSpec(TaskKind.MAP, new long[] {1, 1}, 1, new int[] {4, 7}).ofAny(5);
    assertThat(IntStream.range(0, 5).mapToObj(maps::rack))
        .containsExactly(
            OptionalInt.of(4),
            OptionalInt.of(7),
            OptionalInt.of(4),
            OptionalInt.of(7),
            OptionalInt.of(4));
  }

  @Test
  void onlyTheFirstPhaseSamples() {
    PhaseSpec maps = new PhaseSpec(TaskKind.MAP, new long[] {1}, 1);
    PhaseSpec reduces = new PhaseSpec(TaskKind.REDUCE, new long[] {1}, 1).ofAny(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new JobSpec("job", 0, List.of(maps, reduces)))
        .withMessageContaining("has more blocks than tasks after its first phase");
    assertThatIllegalArgumentException().isThrownBy(() -> maps.ofAny(0));
  }

  @Test
  void afterTheLastJobThereIsNone() {
    Iterator<JobSpec> jobs =
        new SampledWorkload(SampleWorkloads.workload(List.of()), new Sampling(0.1, 1), 1).jobs();
    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(jobs::next);
  }

  @Test
  void peopleAreToldWhatIsModelled() {
    assertThat(
            new SampledWorkload(SampleWorkloads.workload(List.of()), new Sampling(0.1, 0.5), 1)
                .provenance())
        .last()
        .asString()
        .contains("50.0 % of the jobs", "K/N = 0.1.");
  }

  @ParameterizedTest
  @CsvSource({"0.009, 1", "1.1, 1", "NaN, 1", "0.1, 0", "0.1, 1.1"})
  void aRatioOrShareThatCannotBeIsRefused(double ratio, double share) {
    assertThatIllegalArgumentException().isThrownBy(() -> new Sampling(ratio, share));
  }
}
