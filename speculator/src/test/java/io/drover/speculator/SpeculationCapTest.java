// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class SpeculationCapTest {
  private static final String PREFIX = "mapreduce.job.speculative.";

  private final PhaseModel phase =
      new PhaseModel(TaskKind.MAP, EstimatorSettings.withPeriod(Duration.ofSeconds(1)));

  private static SpeculationCap cap(String least, String ofAll, String ofRunning) {
    Configuration conf = new Configuration(false);
    conf.set(PREFIX + "minimum-allowed-tasks", least);
    conf.set(PREFIX + "speculative-cap-total-tasks", ofAll);
    conf.set(PREFIX + "speculative-cap-running-tasks", ofRunning);
    return SpeculationCap.of(conf);
  }

  private TaskModel running() {
    TaskModel task = phase.addTask();
    task.addAttempt(0, 0).launched(0, "n1");
    return task;
  }

  @Test
  void defaultsAreHadoops() {
    assertThat(SpeculationCap.of(new Configuration(false)))
        .isEqualTo(new SpeculationCap(10, 0.01, 0.1));
  }

  @Test
  void jobThatForbidsAllCopiesGetsNone() {
    running();
    assertThat(cap("0", "0", "0").free(phase)).isZero();
    assertThat(cap("0", "0", "0").isZero()).isTrue();
    assertThat(cap("1", "0", "0").isZero()).isFalse();
    assertThat(cap("0", "0.1", "0").isZero()).isFalse();
    assertThat(cap("0", "0", "0.1").isZero()).isFalse();
  }

  @Test
  void largestOfTheThreeHolds() {
    for (int i = 0; i < 200; i++) {
      phase.addTask();
    }
    for (int i = 0; i < 100; i++) {
      running();
    }
    assertThat(cap("1", "0.01", "0.02").free(phase)).isEqualTo(3); // of 300
    assertThat(cap("1", "0.01", "0.05").free(phase)).isEqualTo(5); // of 100
    assertThat(cap("7", "0.01", "0.05").free(phase)).isEqualTo(7);
  }

  @Test
  void taskThatHasACopyCountsAndOneThatHasACloneDoesNot() {
    running().addAttempt(1, 1);
    TaskModel cloned = running();
    cloned.cloned(cloned.addAttempt(1, 1));
    assertThat(cap("3", "0", "0").free(phase)).isEqualTo(2);
    cloned.addAttempt(2, 2);
    assertThat(cap("3", "0", "0").free(phase)).isEqualTo(1);
    assertThat(cap("1", "0", "0").free(phase)).as("fewer than none").isZero();
  }
}
