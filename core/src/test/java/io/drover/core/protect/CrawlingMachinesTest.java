// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.protect.CrawlingMachines.Fetching;
import io.drover.core.protect.CrawlingMachines.Reader;
import org.junit.jupiter.api.Test;

class CrawlingMachinesTest {
  private final CrawlingMachines machines = new CrawlingMachines();

  private void fetches(String task, double received, double rate, double usual, double at) {
    fetches("m", new Reader(task, "machine of " + task), received, rate, usual, at);
  }

  private void fetches(
      String machine, Reader reader, double received, double rate, double usual, double at) {
    machines.report(machine, reader, new Fetching(received, rate, usual, at));
  }

  @Test
  void whatIsLeftAtTheRatesOfNowIsHowLongItTakes() {
    fetches("r1", 20, 1, 100, 50);
    fetches("r2", 40, 3, 100, 52);
    assertThat(machines.fetchSeconds("m", 100, 1, 55)).hasValue((80 + 60) / 4.0);
    fetches("r1", 60, 1, 100, 54);
    assertThat(machines.fetchSeconds("m", 100, 1, 55)).hasValue((40 + 60) / 4.0);
    assertThat(machines.fetchSeconds("other", 100, 1, 55)).isEmpty();
  }

  @Test
  void machineDoesNotCrawlForReadersThatAreSlowEverywhere() {
    fetches("slow", 20, 1, 3, 50);
    assertThat(machines.fetchSeconds("m", 100, 1, 50)).isEmpty();
    fetches("fast", 20, 1, 100, 50);
    assertThat(machines.fetchSeconds("m", 100, 1, 50)).as("one of two").isEmpty();
    fetches("also fast", 20, 1, 100, 50);
    assertThat(machines.fetchSeconds("m", 100, 1, 50)).isPresent();
  }

  @Test
  void readerThatReadsFromNobodyElseCannotTell() {
    fetches("r1", 20, 1, 0, 50);
    fetches("r2", 20, 1, 0, 50);
    assertThat(machines.fetchSeconds("m", 100, 1, 50)).isEmpty();
    fetches("r3", 20, 2, 100, 50);
    assertThat(machines.fetchSeconds("m", 100, 1, 50)).hasValue(3 * 80 / 4.0);
  }

  @Test
  void readerThatHasNotReportedLatelyDoesNotCount() {
    fetches("r1", 20, 5, 100, 10);
    fetches("r2", 40, 2, 100, 50);
    assertThat(machines.machines()).containsExactly("m");
    assertThat(machines.fetchSeconds("m", 100, 1, 55)).hasValue(60 / 2.0);
    assertThat(machines.fetchSeconds("m", 100, 1, 61)).as("nobody fetches").isEmpty();
    assertThat(machines.machines()).isEmpty();
  }

  @Test
  void oneReaderOfManyMayHaveABadPath() {
    fetches("r1", 20, 1, 100, 50);
    assertThat(machines.fetchSeconds("m", 100, 2, 50)).isEmpty();
    fetches("cannot tell", 20, 1, 0, 50);
    assertThat(machines.fetchSeconds("m", 100, 2, 50)).isEmpty();
    assertThat(machines.slow(50)).isEmpty();
    fetches("r2", 20, 1, 100, 50);
    assertThat(machines.fetchSeconds("m", 100, 2, 50)).hasValue(80);
  }

  @Test
  void readerThatHasEndedNeedsNothing() {
    fetches("r1", 20, 1, 100, 50);
    fetches("r2", 40, 1, 100, 50);
    machines.ended("r2");
    assertThat(machines.fetchSeconds("m", 100, 1, 50)).hasValue(80);
    machines.ended("r1");
    assertThat(machines.fetchSeconds("m", 100, 1, 50)).isEmpty();
  }

  @Test
  void nothingThatComesNeverComes() {
    fetches("r1", 20, 0, 100, 50);
    assertThat(machines.fetchSeconds("m", 100, 1, 50)).hasValue(Double.POSITIVE_INFINITY);
    assertThat(machines.fetchSeconds("m", 20, 1, 50)).hasValue(0);
  }

  @Test
  void machineStaysSlowUntilAReaderFindsOtherwise() {
    fetches("r1", 20, 1, 100, 50);
    assertThat(machines.slow(50)).as("nobody has asked").isEmpty();
    assertThat(machines.fetchSeconds("m", 100, 1, 50)).isPresent();
    assertThat(machines.slow(50)).containsExactly("m");
    machines.ended("r1");
    assertThat(machines.fetchSeconds("m", 100, 1, 90)).isEmpty();
    fetches("cannot tell", 20, 1, 0, 90);
    assertThat(machines.fetchSeconds("m", 100, 1, 90)).isEmpty();
    assertThat(machines.slow(90)).containsExactly("m");
    fetches("r2", 20, 90, 100, 91);
    assertThat(machines.fetchSeconds("m", 100, 1, 91)).isEmpty();
    assertThat(machines.slow(91)).isEmpty();
  }

  @Test
  void machineIsNotSlowForEverIfNobodyReadsFromIt() {
    fetches("r1", 20, 1, 100, 50);
    assertThat(machines.fetchSeconds("m", 100, 1, 50)).isPresent();
    assertThat(machines.slow(50 + CrawlingMachines.SLOW_SECONDS)).containsExactly("m");
    assertThat(machines.slow(51 + CrawlingMachines.SLOW_SECONDS)).isEmpty();
  }

  @Test
  void oneReaderOfTooFewMakesNoMachineSlow() {
    fetches("r1", 20, 1, 100, 50);
    assertThat(machines.fetchSeconds("m", 100, 2, 50)).isEmpty();
    assertThat(machines.slow(50)).isEmpty();
  }

  @Test
  void readersOnOneMachineMayShareABadPath() {
    fetches("m", new Reader("r1", "a"), 20, 1, 100, 50);
    fetches("m", new Reader("r2", "a"), 20, 1, 100, 50);
    assertThat(machines.fetchSeconds("m", 100, 2, 50)).isEmpty();
    fetches("m", new Reader("r2", "b"), 20, 1, 100, 50); // a copy
    assertThat(machines.fetchSeconds("m", 100, 2, 50)).hasValue(80);
    machines.ended("r2");
    assertThat(machines.fetchSeconds("m", 100, 1, 50)).as("both have ended").hasValue(80);
    assertThat(machines.fetchSeconds("m", 100, 2, 50)).isEmpty();
  }

  @Test
  void readersOnASlowMachineCannotTellOfOthers() {
    fetches("slow", new Reader("r1", "a"), 20, 1, 100, 50);
    fetches("slow", new Reader("r2", "b"), 20, 1, 100, 50);
    assertThat(machines.fetchSeconds("slow", 100, 2, 50)).isPresent();
    fetches("a", new Reader("r3", "slow"), 20, 1, 100, 51);
    assertThat(machines.fetchSeconds("a", 100, 1, 51)).isEmpty();
    fetches("a", new Reader("r2", "b"), 40, 1, 100, 51);
    assertThat(machines.fetchSeconds("a", 100, 1, 51)).as("that of r2 alone").hasValue(60);
    assertThat(machines.slow(51)).containsExactlyInAnyOrder("slow", "a");
  }
}
