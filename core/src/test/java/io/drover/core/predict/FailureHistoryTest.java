// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FailureHistoryTest {
  private static final double DAY = 86_400;
  private final FailureHistory history = new FailureHistory();

  private double feature(String name, double now, String what) {
    double[] features = new double[FailureHistory.FEATURES];
    history.write(name, now, features, 0);
    return features[FeatureSet.HISTORY.names().indexOf("user: " + what)];
  }

  private static double share(double logOdds) {
    return 1 / (1 + Math.exp(-logOdds));
  }

  private void end(String name, JobOutcome outcome, double at) {
    history.submitted(name);
    history.ended(name, outcome, at, 1);
    history.ended(outcome, at, 1);
  }

  @Test
  void nameWithoutPastHasTheShareOfAll() {
    for (int i = 0; i < 90; i++) {
      end("good", JobOutcome.SUCCEEDED, 0);
    }
    for (int i = 0; i < 10; i++) {
      end("bad", JobOutcome.FAILED, 0);
    }
    double all = 10.5 / 110;
    assertThat(share(feature("new", 0, "share of failed jobs"))).isCloseTo(all, within(1e-9));
    assertThat(share(feature("bad", 0, "share of failed jobs")))
        .isCloseTo((10 + all) / 11, within(1e-9));
    assertThat(share(feature("good", 0, "share of failed jobs"))).isCloseTo(all / 91, within(1e-9));
  }

  @Test
  void olderJobsCountLess() {
    end("u", JobOutcome.FAILED, 0);
    assertThat(feature("u", 10 * DAY, "number of jobs")).isCloseTo(Math.log1p(0.5), within(1e-9));
    double slow = share(feature("u", 10 * DAY, "share of failed jobs"));
    double fast = share(feature("u", 10 * DAY, "share of failed jobs lately"));
    assertThat(fast).isLessThan(slow);
  }

  @Test
  void lastEndAndFailuresInARow() {
    end("u", JobOutcome.FAILED, 0);
    end("u", JobOutcome.FAILED, 60);
    assertThat(feature("u", 100, "last job failed")).isEqualTo(1);
    assertThat(feature("u", 100, "failures in a row")).isEqualTo(2);
    assertThat(feature("u", 100, "time since the last failure"))
        .isCloseTo(Math.log1p(40), within(1e-9));
    end("u", JobOutcome.KILLED, 200);
    assertThat(feature("u", 200, "last job failed")).isZero();
    assertThat(feature("u", 200, "last job killed")).isEqualTo(1);
    assertThat(feature("u", 200, "failures in a row")).isZero();
  }

  @Test
  void runningJobsAreCountedAndOnesThatLeaveTellNothing() {
    history.submitted("u");
    history.submitted("u");
    assertThat(feature("u", 0, "jobs running")).isCloseTo(Math.log(3), within(1e-9));
    history.left("u");
    assertThat(feature("u", 0, "jobs running")).isCloseTo(Math.log(2), within(1e-9));
    assertThat(feature("u", 0, "number of jobs")).isZero();
  }

  @Test
  void timeThatGoesBackChangesNothing() {
    end("u", JobOutcome.FAILED, 1e9);
    assertThat(feature("u", 0, "number of jobs")).isCloseTo(Math.log(2), within(1e-9));
    assertThat(feature("u", 0, "time since the last failure")).isZero();
  }

  @Test
  void onlySoManyNamesAreRemembered() {
    end("first", JobOutcome.FAILED, 0);
    for (int i = 0; i < 50_000; i++) {
      end("name " + i, JobOutcome.SUCCEEDED, 0);
    }
    assertThat(feature("first", 0, "number of jobs")).isZero();
    assertThat(feature("name 49999", 0, "number of jobs")).isPositive();
  }
}
