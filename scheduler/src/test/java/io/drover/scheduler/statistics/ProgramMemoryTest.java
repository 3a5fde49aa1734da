// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.channel.JobStart;
import io.drover.core.restart.SlowTasks;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class ProgramMemoryTest {
  private static final double WEEK = 7 * 86_400;

  private final ProgramMemory programs = new ProgramMemory();

  private static ApplicationAttemptId attempt(int number) {
    return attempt(number, 1);
  }

  private static ApplicationAttemptId attempt(int number, int attempt) {
    return ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, number), attempt);
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

  private SlowTasks slow(int number, String user, double withMore, double likeOthers, double now) {
    return slow(attempt(number), user, withMore, likeOthers, now);
  }

  private SlowTasks slow(
      ApplicationAttemptId attempt, String user, double withMore, double likeOthers, double now) {
    JobStart job = job("p", false).withSlowTasks(new SlowTasks(withMore, likeOthers));
    programs.onReport(attempt, user, job, WEEK, now);
    return programs.slowTasks(attempt, now);
  }

  @Test
  void laterJobsOfTheProgramAreToldWhatBecameOfSlowTasks() {
    assertThat(slow(1, "ann", 1, 0, 0)).isEqualTo(SlowTasks.NONE);
    assertThat(slow(1, "ann", 3, 1, 10)).as("its own").isEqualTo(SlowTasks.NONE);
    assertThat(slow(2, "ann", 0, 0, 20)).isEqualTo(new SlowTasks(3, 1));
    assertThat(slow(2, "ann", 1, 0, 30)).isEqualTo(new SlowTasks(3, 1));
    assertThat(slow(1, "ann", 2, 2, 40)).as("it sees more clearly").isEqualTo(new SlowTasks(1, 0));
    assertThat(slow(3, "ann", 0, 0, 50)).isEqualTo(new SlowTasks(3, 2));
    assertThat(slow(4, "mallory", 0, 0, 50)).isEqualTo(SlowTasks.NONE);
    assertThat(slow(5, "ann", 0, 0, 40 + WEEK)).isEqualTo(SlowTasks.NONE);
    assertThat(programs.size()).as("all of them bear two attempts").isZero();
  }

  @Test
  void whatALaterAppMasterOfAJobHasNotSeenIsKept() {
    slow(1, "ann", 3, 1, 0);
    slow(attempt(1, 2), "ann", 0, 0, 1);
    slow(attempt(1, 2), "ann", 1, 0, 2);
    assertThat(slow(2, "ann", 0, 0, 3)).isEqualTo(new SlowTasks(3, 1));
    slow(attempt(1, 2), "ann", 4, 1, 4);
    assertThat(slow(2, "ann", 0, 0, 5)).isEqualTo(new SlowTasks(4, 1));
  }

  @Test
  void anAppMasterMayFindLaterThatFewerTasksWereSlowByThemselves() {
    slow(1, "ann", 2, 1, 0);
    slow(1, "ann", 1, 1, 1);
    assertThat(slow(2, "ann", 0, 0, 2)).isEqualTo(new SlowTasks(1, 1));
    slow(1, "ann", 0, 0, 3);
    assertThat(slow(2, "ann", 0, 0, 4)).isEqualTo(SlowTasks.NONE);
    assertThat(programs.slowTasks()).isEmpty();
  }

  @Test
  void slowTasksOfTheLatestJobsCountAsTwentyAtMost() {
    slow(0, "ann", 48, 16, 0);
    assertThat(slow(100, "ann", 0, 0, 1)).isEqualTo(new SlowTasks(15, 5));
    for (int i = 1; i <= SlowTaskMemory.MAX_JOBS; i++) {
      slow(i, "ann", 0, 1, 1);
    }
    assertThat(slow(100, "ann", 0, 0, 1)).isEqualTo(new SlowTasks(0, SlowTaskMemory.MAX_JOBS));
  }

  @Test
  void slowTasksOfManyProgramsDoNotMakeSingleOnesForgotten() {
    fails(0, "ann", "single", 0);
    for (int i = 0; i < 1000; i++) {
      JobStart job = job("p" + i, false).withSlowTasks(new SlowTasks(1, 0));
      programs.onReport(attempt(i), "ann", job, WEEK, 1);
    }
    assertThat(isSingle(2000, "ann", "single", 2)).isTrue();
    assertThat(programs.slowTasks()).hasSize(ProgramMemory.MAX_OF_A_USER);
  }

  @Test
  void aLaterResourceManagerKnowsSlowTasksToo() {
    slow(1, "ann", 3, 1, 0);
    slow(2, "ann", 1, 0, 0);
    slow(4, "ann", 0, 4, 0);
    slow(5, "ann", 0, 2, 0);
    ProgramMemory later = new ProgramMemory();
    JobStart goesOn = job("p", false).withSlowTasks(new SlowTasks(4, 1));
    later.onReport(attempt(1), "ann", goesOn, WEEK, 5);
    JobStart fewer = job("p", false).withSlowTasks(new SlowTasks(0, 1));
    later.onReport(attempt(4, 2), "ann", fewer, WEEK, 5); // has not seen all
    later.onReport(attempt(5), "ann", fewer, WEEK, 5);
    later.restoreSlowTasks(programs.slowTasks());
    later.onReport(attempt(3), "ann", job("p", false), WEEK, 5);
    assertThat(later.slowTasks(attempt(3), 5)).as("none twice").isEqualTo(new SlowTasks(5, 6));
    assertThat(later.isSingle(attempt(3), 5)).isFalse();
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
