// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drover.core.machine.OutlierDetector.Judgement;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class OutlierDetectorTest {
  private final OutlierDetector<String> judge = new OutlierDetector<>(new OutlierRule(2, 3));

  private void finished(String attempt, double... secondsPerUnit) {
    for (double seconds : secondsPerUnit) {
      judge.finished(attempt, seconds);
    }
  }

  private List<String> outliers() {
    return judge.judge().stream().filter(Judgement::outlier).map(Judgement::attempt).toList();
  }

  @Test
  void outlierIsSlowerThanTwiceTheMedian() {
    assertThat(OutlierRule.DOLLY.median(new double[] {9, 1, 3, 100, 2})).hasValue(3);
    assertThat(new OutlierRule(2, 2).median(new double[] {4, 2})).hasValue(3);
    assertThat(OutlierRule.DOLLY.isOutlier(6.1, 3)).isTrue();
    assertThat(OutlierRule.DOLLY.isOutlier(6, 3)).isFalse();
  }

  @Test
  void ofTooFewAttemptsNothingIsSaid() {
    assertThat(OutlierRule.DOLLY.median(new double[] {1, 1, 1, 9})).isEmpty();
    finished("a", 1, 9);
    assertThat(judge.judge()).isEmpty();
  }

  @Test
  void theRateIsRelativeToTheMedian() {
    finished("a", 1, 2);
    finished("b", 4);
    finished("c", 5);
    assertThat(judge.judge())
        .containsExactly(
            new Judgement<>("a", false, OptionalDouble.of(3)),
            new Judgement<>("a", false, OptionalDouble.of(1.5)),
            new Judgement<>("b", false, OptionalDouble.of(0.75)),
            new Judgement<>("c", false, OptionalDouble.of(0.6)));
  }

  @Test
  void slowerAttemptIsJudgedByWhatItWouldHaveTakenAndMovesNoMedian() {
    finished("a", 1, 1, 1);
    judge.endedAsSlower("b", 1.5);
    judge.endedAsSlower("c", 2.5);
    judge.endedAsSlower("d", Double.POSITIVE_INFINITY);
    judge.endedAsSlower("e", Double.NaN);
    judge.endedAsSlower("f", 0);
    assertThat(judge.judge())
        .filteredOn(judgement -> !judgement.attempt().equals("a"))
        .containsExactly(
            new Judgement<>("b", false, OptionalDouble.of(1 / 1.5)),
            new Judgement<>("c", true, OptionalDouble.of(0.4)),
            new Judgement<>("d", true, OptionalDouble.empty()));
    finished("g", 2.1);
    assertThat(outliers()).as("the median is still 1").containsExactly("g");
  }

  @Test
  void attemptsThatEndedTooEarlyToBeJudgedAreJudgedLater() {
    finished("slow", 9);
    assertThat(judge.judge()).isEmpty();
    finished("a", 1, 1, 1);
    assertThat(outliers()).containsExactly("slow");
  }

  @Test
  void eachIsJudgedOnceByTheMedianOfItsTime() {
    finished("a", 1, 1, 1);
    assertThat(judge.judge()).hasSize(3);
    assertThat(judge.judge()).isEmpty();
    finished("b", 3); // three times the current median
    assertThat(outliers()).containsExactly("b");
    finished("c", 3, 3, 3, 3, 3); // regardless of later attempts
    assertThat(outliers()).isEmpty();
  }

  @Test
  void attemptThatWasGivenUpCountsIfItWasAnOutlierByThen() {
    finished("a", 1, 1, 1);
    judge.gaveUp("early", 0.5, 0.1); // its final duration is unknown
    judge.gaveUp("half", 1.5, 0.9); // not slow enough
    judge.gaveUp("late", 2.5, 1);
    judge.gaveUp("slow", 1, 0.4);
    judge.gaveUp("still", 1, 0);
    assertThat(judge.judge())
        .containsExactly(
            new Judgement<>("a", false, OptionalDouble.of(1)),
            new Judgement<>("a", false, OptionalDouble.of(1)),
            new Judgement<>("a", false, OptionalDouble.of(1)),
            new Judgement<>("late", true, OptionalDouble.of(0.4)),
            new Judgement<>("slow", true, OptionalDouble.of(0.4)),
            new Judgement<>("still", true, OptionalDouble.empty()));
    finished("a", 0.1, 0.1, 0.1, 0.1); // the median falls, but nothing more is known of the others
    assertThat(outliers()).isEmpty();
  }

  @Test
  void attemptThatWasGivenUpForAnOutlierIsOne() {
    finished("a", 1, 1, 1);
    judge.gaveUpAsOutlier("b", 0.5, 0.05);
    assertThat(outliers()).containsExactly("b");
  }

  @Test
  void attemptsThatWereGivenUpDoNotMakeTheMedian() {
    judge.gaveUp("b", 1, 0.5);
    judge.gaveUpAsOutlier("b", 1, 0.5);
    finished("a", 4, 4);
    assertThat(judge.judge()).isEmpty();
    finished("a", 4);
    assertThat(judge.judge()).hasSize(4);
  }

  @Test
  void whatIsNoTimeIsLeftOut() {
    finished("a", 1, 1, 1, 0, -1, Double.NaN, Double.POSITIVE_INFINITY);
    judge.gaveUp("b", Double.NaN, 0.5);
    judge.gaveUp("b", 9, Double.NaN);
    judge.gaveUp("b", 9, 1.1);
    judge.gaveUpAsOutlier("b", 9, -1);
    assertThat(judge.judge()).hasSize(3);
  }

  @Test
  void rulesOutOfRangeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OutlierRule(1, 5))
        .withMessageContaining("slowness");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OutlierRule(2, 1))
        .withMessageContaining("leastAttempts");
  }
}
