// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.api.Assertions;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SystemLoadTest {
  private final SystemLoad load = new SystemLoad();

  /** Returns a feature of a job of a priority, which the names of the features tell. */
  private double feature(int priority, String name) {
    double[] features = new double[FeatureSet.SYSTEM.size()];
    load.write(priority, features, 0);
    int place = FeatureSet.SYSTEM.names().indexOf(name);
    assertThat(place).as(name).isNotNegative();
    return features[place];
  }

  private double number(int priority, String name) {
    return Math.expm1(feature(priority, name));
  }

  @Test
  void jobSeesTheLastWindowThatHasEnded() {
    load.advance(0);
    load.submitted(5, 3);
    load.submitted(5, 7);
    assertThat(number(5, "jobs arriving, same priority")).isZero(); // the window goes on
    load.advance(SystemLoad.WINDOW);
    assertThat(number(5, "jobs arriving, same priority")).isCloseTo(2, within());
    assertThat(number(5, "tasks arriving, same priority")).isCloseTo(10, within());
    assertThat(number(5, "tasks pending, same priority")).isCloseTo(10, within());
    load.advance(2 * SystemLoad.WINDOW);
    assertThat(number(5, "jobs arriving, same priority")).isZero();
    assertThat(number(5, "tasks pending, same priority")).isCloseTo(10, within());
  }

  private static Offset<Double> within() {
    return Assertions.within(1e-9);
  }

  @Test
  void prioritiesAreTheSameLowerOrHigher() {
    load.advance(0);
    load.submitted(1, 1);
    load.submitted(5, 10);
    load.submitted(9, 100);
    load.advance(SystemLoad.WINDOW);
    assertThat(number(5, "tasks arriving, lower priority")).isCloseTo(1, within());
    assertThat(number(5, "tasks arriving, same priority")).isCloseTo(10, within());
    assertThat(number(5, "tasks arriving, higher priority")).isCloseTo(100, within());
    assertThat(number(9, "tasks arriving, lower priority")).isCloseTo(11, within());
    assertThat(number(3, "tasks arriving, same priority")).isZero();
  }

  @Test
  void tasksWaitThenRunThenEnd() {
    load.advance(0);
    load.submitted(0, 4);
    load.started(0, 4);
    load.advance(SystemLoad.WINDOW);
    assertThat(number(0, "tasks pending, same priority")).isZero();
    assertThat(number(0, "tasks running, same priority")).isCloseTo(4, within());
    load.ended(0, 4, true);
    load.advance(2 * SystemLoad.WINDOW);
    assertThat(number(0, "tasks running, same priority")).isZero();
    assertThat(number(0, "jobs ending, same priority")).isCloseTo(1, within());
    assertThat(number(0, "tasks ending, same priority")).isCloseTo(4, within());
  }

  @Test
  void changesAreBetweenTheLastTwoWindows() {
    load.advance(0);
    load.submitted(0, 1);
    load.advance(SystemLoad.WINDOW);
    load.submitted(0, 1);
    load.submitted(0, 1);
    load.advance(2 * SystemLoad.WINDOW);
    assertThat(feature(0, "change of jobs arriving, same priority"))
        .isCloseTo(Math.log(3) - Math.log(2), within());
  }

  @Test
  void clocksMayJump() {
    load.advance(1e9);
    load.submitted(0, 1);
    load.advance(0); // back: nothing ends
    assertThat(number(0, "jobs arriving, same priority")).isZero();
    load.advance(2e9); // far ahead: both windows are empty
    assertThat(number(0, "jobs arriving, same priority")).isZero();
    assertThat(number(0, "tasks pending, same priority")).isCloseTo(1, within());
  }

  @Test
  void numbersOfTasksThatAreCorrectedDoNotFallBelowZero() {
    load.advance(0);
    load.submitted(0, 1);
    load.corrected(0, 99, false);
    load.advance(SystemLoad.WINDOW);
    assertThat(number(0, "tasks pending, same priority")).isCloseTo(100, within());
    load.ended(0, 500, false);
    load.advance(2 * SystemLoad.WINDOW);
    assertThat(number(0, "tasks pending, same priority")).isZero();
  }
}
