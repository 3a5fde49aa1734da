// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.channel.JobStart;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class ProgramMemoryTest {
  private static final double WEEK = 7 * 86_400;

  private final ProgramMemory programs = new ProgramMemory();

  private static ApplicationAttemptId attempt(int number) {
    return ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, number), 1);
  }

  private static JobStart job(String program, boolean singleAttempts) {
    return new JobStart(
        4,
        0,
        Optional.empty(),
        Optional.empty(),
        true,
        Optional.of(program),
        singleAttempts,
        Optional.empty(),
        Optional.empty());
  }

  private void fails(int number, String user, String program, double now) {
    programs.onReport(attempt(number), user, job(program, true), WEEK, now);
  }

  private boolean isSingle(int number, String user, String program, double now) {
    programs.onReport(attempt(number), user, job(program, false), WEEK, now);
    return programs.isSingle(attempt(number), now);
  }

  @Test
  void laterJobsOfTheProgramAreToldForAsLongAsTheAdministratorSays() {
    assertThat(isSingle(1, "ann", "p", 0)).isFalse();
    fails(1, "ann", "p", 10);
    assertThat(isSingle(2, "ann", "p", 20)).isTrue();
    assertThat(isSingle(3, "ann", "q", 20)).isFalse();
    assertThat(isSingle(4, "ann", "p", 10 + WEEK)).isFalse();
  }

  @Test
  void aUserSpeaksOfTheOwnProgramsOnly() {
    fails(1, "mallory", "p", 0);
    assertThat(isSingle(2, "ann", "p", 1)).isFalse();
  }

  @Test
  void nothingIsRememberedWhereTheAdministratorWantsThat() {
    programs.onReport(attempt(1), "ann", job("p", true), 0, 0);
    assertThat(programs.size()).isZero();
  }

  @Test
  void aUserOfManyProgramsForgetsTheOwnEldest() {
    fails(0, "ann", "p", 0);
    for (int i = 0; i < 1000; i++) {
      fails(i, "mallory", "m" + i, i);
    }
    assertThat(programs.size()).isEqualTo(1 + ProgramMemory.MAX_OF_A_USER);
    assertThat(isSingle(1, "ann", "p", 1000)).isTrue();
    assertThat(isSingle(2, "mallory", "m999", 1000)).isTrue();
    assertThat(isSingle(3, "mallory", "m0", 1000)).isFalse();
  }

  @Test
  void programsAreBoundedInAll() {
    for (int i = 0; i < 2 * ProgramMemory.MAX_PROGRAMS; i++) {
      fails(i, "user" + i, "p", i);
    }
    assertThat(programs.size()).isEqualTo(ProgramMemory.MAX_PROGRAMS);
  }

  @Test
  void whatIsOverIsForgotten() {
    fails(1, "ann", "p", 0);
    programs.forget(attempt -> false, 1);
    assertThat(programs.isSingle(attempt(1), 1)).isFalse();
    assertThat(programs.size()).isEqualTo(1);
    programs.forget(attempt -> false, WEEK);
    assertThat(programs.size()).isZero();
  }

  @Test
  void aLaterResourceManagerGoesOnWithIt() {
    fails(1, "ann", "p", 0);
    ProgramMemory later = new ProgramMemory();
    later.restore(programs.snapshot());
    later.onReport(attempt(2), "ann", job("p", false), WEEK, 5);
    assertThat(later.isSingle(attempt(2), 5)).isTrue();
  }
}
