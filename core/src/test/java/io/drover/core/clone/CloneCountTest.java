// SPDX-License-Identifier: Apache-2.0
package io.drover.core.clone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.model.TaskKind;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CloneCountTest {
  private static final double EPS = 0.05;
  private static final int PLENTY = 1000;

  private final CloneCount count = new CloneCount(EPS, PLENTY);

  @ParameterizedTest
  @CsvSource({"1, 0.1, 2", "5, 0.1, 2", "6, 0.1, 3", "10, 0.1, 3", "10, 0.5, 8", "1, 0.05, 1"})
  void taskLevelCountsOfTheFormula(int tasks, double p, int copies) {
    assertThat(count.ofEachTask(tasks, tasks, p)).isEqualTo(copies);
  }

  @ParameterizedTest
  @CsvSource({"1, 0.1, 2", "5, 0.1, 4", "10, 0.1, 7", "100, 0.1, 1000"})
  void jobLevelCountsOfTheFormula(int tasks, double p, int copies) {
    assertThat(count.ofWholeJob(tasks, p)).isEqualTo(copies);
  }

  @Test
  void countsAreTheSmallestThatReachTheAim() {
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      int n = 1 + random.nextInt(50);
      double p = 0.01 + 0.8 * random.nextDouble();
      int c = count.ofEachTask(n, n, p);
      assertThat(taskLevelOutlier(n, p, c)).isLessThanOrEqualTo(EPS + 1e-9);
      assertThat(c == 1 || taskLevelOutlier(n, p, c - 1) > EPS).isTrue();
      int whole = count.ofWholeJob(n, p);
      if (whole < PLENTY) {
        assertThat(jobLevelOutlier(n, p, whole)).isLessThanOrEqualTo(EPS + 1e-9);
        assertThat(whole == 1 || jobLevelOutlier(n, p, whole - 1) > EPS).isTrue();
      }
      assertThat(whole).isGreaterThanOrEqualTo(c); // Dolly figure 5
    }
  }

  private static double taskLevelOutlier(int n, double p, int c) {
    return 1 - Math.pow(1 - Math.pow(p, c), n);
  }

  private static double jobLevelOutlier(int n, double p, int c) {
    return Math.pow(1 - Math.pow(1 - p, n), c);
  }

  @Test
  void whereNothingIsAnOutlierOneCopyIsEnough() {
    assertThat(count.ofEachTask(10, 5, 0)).isEqualTo(1);
    assertThat(count.ofWholeJob(10, 0)).isEqualTo(1);
  }

  @Test
  void countIsLimited() {
    CloneCount limited = new CloneCount(EPS, 3);
    assertThat(limited.ofEachTask(10, 5, 0.9)).isEqualTo(3);
    assertThat(limited.ofEachTask(10, 5, 1)).isEqualTo(3);
  }

  @Test
  void nonsenseIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new CloneCount(0, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> new CloneCount(EPS, 1.1, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> new CloneCount(0.05, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> count.ofWholeJob(0, 0.1));
    assertThatIllegalArgumentException().isThrownBy(() -> count.ofWholeJob(1, 1.1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> count.ofTask(1, 1, 0.1, new double[] {Double.NaN}));
  }

  @Test
  void clonesAreKnownByTheirPriority() {
    for (TaskKind kind : TaskKind.values()) {
      assertThat(ClonePriority.isClone(ClonePriority.of(kind))).isTrue();
    }
    assertThat(ClonePriority.isClone(20)).isFalse();
    assertThat(ClonePriority.of(TaskKind.MAP)).isNotEqualTo(ClonePriority.of(TaskKind.REDUCE));
  }

  @Test
  void copiesOnBadMachinesAreJoinedByMoreAndOnGoodOnesByFewer() {
    CloneCount count = new CloneCount(0.05, 10);
    assertThat(count.ofEachTask(5, 4, 0.1)).isEqualTo(2);
    assertThat(count.ofTask(5, 4, 0.1, new double[] {})).isEqualTo(2);
    assertThat(count.ofTask(5, 4, 0.1, new double[] {0.1})).isEqualTo(2);
    assertThat(count.ofTask(5, 4, 0.1, new double[] {0.9})).isEqualTo(3);
    assertThat(count.ofTask(5, 4, 0.1, new double[] {0.9, 0.9})).isEqualTo(4);
    assertThat(count.ofTask(5, 4, 0.1, new double[] {0.001})).isEqualTo(1);
    assertThat(count.ofTask(5, 4, 0.1, new double[] {0})).isEqualTo(1);
    assertThat(count.ofTask(5, 4, 0, new double[] {0.5})).isEqualTo(2);
    assertThat(count.ofTask(5, 4, 1, new double[] {0.5})).isEqualTo(10);
    assertThat(new CloneCount(0.05, 2).ofTask(5, 4, 0.1, new double[] {1, 1, 1})).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 1, 0.03, 2", // 0.01 is less than 0.03
    "2, 2, 0.025, 1", // 1 - (1 - 0.05)^(1/2) = 0.0253
    "10, 1, 0.1, 3", // 1 - (1 - 0.05)^(1/10) = 0.005 is less than 0.01
    "1, 1, 0.1, 2",
    "1, 1, 0.005, 1",
    "1, 1, 0, 1"
  })
  void taskAloneInItsPhaseIsHeldToItsOwnAim(int tasks, int inPhase, double p, int copies) {
    CloneCount count = new CloneCount(EPS, 0.01, PLENTY);
    assertThat(count.ofEachTask(tasks, inPhase, p)).isEqualTo(copies);
    assertThat(count.ofTask(tasks, inPhase, p, new double[0])).isEqualTo(copies);
    assertThat(count.ofTask(tasks, inPhase, p, new double[] {p})).isEqualTo(copies);
    assertThat(new CloneCount(EPS, 0.9, PLENTY).ofEachTask(tasks, inPhase, p))
        .as("an aim above eps makes no difference")
        .isEqualTo(new CloneCount(EPS, PLENTY).ofEachTask(tasks, inPhase, p));
  }

  @Test
  void jobThatIsUnlikelyToSucceedNeedsFewerCopies() {
    CloneSettings usual = new CloneSettings(10, 5, 0.05, 0.005, 0.1);
    assertThat(usual.forSuccess(1)).isEqualTo(usual);
    assertThat(usual.count().ofEachTask(5, 4, 0.1)).isEqualTo(2);
    // 0.05 / 0.1 = 0.5 is accepted: 1 - 0.5^(1/5) = 0.13 of each task
    assertThat(usual.forSuccess(0.1).count().ofEachTask(5, 4, 0.1)).isEqualTo(1);
    assertThat(usual.forSuccess(0.1).count().ofEachTask(5, 4, 0.3)).isEqualTo(2);
    for (double success : new double[] {0.05, 0.01, 0}) { // at most one in twenty succeeds
      CloneCount none = usual.forSuccess(success).count();
      assertThat(none.ofEachTask(5, 4, 0.9)).isEqualTo(1);
      assertThat(none.ofEachTask(5, 4, 1)).isEqualTo(1);
    }
    // a task alone in its phase is held to its own eps: 0.005 / 0.05 = 0.1 is above 0.3^2
    assertThat(usual.forSuccess(0.05).count().ofEachTask(5, 1, 0.3)).isEqualTo(2);
    assertThat(usual.forSuccess(0.05).count().ofEachTask(5, 1, 0.1)).isEqualTo(1);
    assertThat(usual.forSuccess(0.05).singleTaskEps()).isCloseTo(0.1, within(1e-12));
  }

  @Test
  void copiesOnOrdinaryMachinesAreAsManyAsAnywhere() {
    CloneCount count = new CloneCount(0.05, 100);
    for (int n = 1; n <= 10; n++) {
      for (double p : new double[] {0.01, 0.1, 0.3, 0.6}) {
        int copies = count.ofEachTask(n, n, p);
        for (int placed = 0; placed <= copies; placed++) {
          double[] ordinary = new double[placed];
          Arrays.fill(ordinary, p);
          assertThat(count.ofTask(n, n, p, ordinary))
              .as(n + " " + p + " " + placed)
              .isEqualTo(copies);
        }
      }
    }
  }
}
