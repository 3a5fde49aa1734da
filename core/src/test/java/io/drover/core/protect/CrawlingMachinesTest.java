// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.protect.CrawlingMachines.Fetching;
import io.drover.core.protect.CrawlingMachines.Reader;
import io.drover.core.protect.CrawlingMachines.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each task needs 100 bytes from each machine, and reads on a machine of its own. */
class CrawlingMachinesTest {
  private final CrawlingMachines machines = new CrawlingMachines();
  private final List<Set<String>> tasks = new ArrayList<>();
  private Share share = new Share(100, 100);

  private void fetches(String task, double received, double rate, double usual, double at) {
    fetches("m", new Reader(task, "machine of " + task), received, rate, usual, at);
  }

  private void fetches(
      String machine, Reader reader, double received, double rate, double usual, double at) {
    machines.report(machine, reader, new Fetching(received, rate, usual, at));
  }

  /** A task that reads, or has yet to begin. */
  private void reads(String... places) {
    tasks.add(Set.of(places));
  }

  private OptionalDouble fetchSeconds(double now) {
    return fetchSeconds("m", now);
  }

  private OptionalDouble fetchSeconds(String machine, double now) {
    Double seconds = machines.fetchSeconds(asked -> share, tasks, now).get(machine);
    return seconds == null ? OptionalDouble.empty() : OptionalDouble.of(seconds);
  }

  @Test
  void whatIsLeftAtTheRatesOfNowIsHowLongItTakes() {
    fetches("r1", 20, 1, 100, 50);
    fetches("r2", 40, 3, 100, 52);
    assertThat(fetchSeconds(55)).hasValue((80 + 60) / 4.0);
    fetches("r1", 60, 1, 100, 54);
    assertThat(fetchSeconds(55)).hasValue((40 + 60) / 4.0);
    assertThat(fetchSeconds("other", 55)).isEmpty();
  }

  @Test
  void whatWasReceivedIsAlsoOfOutputsThatAreMadeAgain() {
    fetches("r1", 50, 1, 100, 50);
    share = new Share(40, 100);
    assertThat(fetchSeconds(50)).as("half of what is there").hasValue(20);
    share = new Share(0, 0);
    assertThat(fetchSeconds(50)).hasValue(0);
  }

  @Test
  void machineDoesNotCrawlForReadersThatAreSlowEverywhere() {
    fetches("slow", 20, 1, 3, 50);
    assertThat(fetchSeconds(50)).isEmpty();
    fetches("fast", 20, 1, 100, 50);
    assertThat(fetchSeconds(50)).as("one of two").isEmpty();
    fetches("also fast", 20, 1, 100, 50);
    assertThat(fetchSeconds(50)).isPresent();
  }

  @Test
  void readerThatReadsFromNobodyElseCannotTell() {
    fetches("r1", 20, 1, 0, 50);
    fetches("r2", 20, 1, 0, 50);
    assertThat(fetchSeconds(50)).isEmpty();
    fetches("r3", 20, 2, 100, 50);
    assertThat(fetchSeconds(50)).hasValue(3 * 80 / 4.0);
  }

  @Test
  void readerThatHasNotReportedLatelyDoesNotCount() {
    fetches("r1", 20, 5, 100, 10);
    fetches("r2", 40, 2, 100, 50);
    assertThat(machines.isQuiet()).isFalse();
    assertThat(fetchSeconds(55)).hasValue(60 / 2.0);
    assertThat(fetchSeconds(61)).as("nobody fetches").isEmpty();
    assertThat(machines.isQuiet()).isTrue();
  }

  @Test
  void oneReaderOfManyMayHaveABadPath() {
    reads("machine of r1");
    reads("machine of r2");
    fetches("r1", 20, 1, 100, 50);
    assertThat(fetchSeconds(50)).isEmpty();
    fetches("cannot tell", 20, 1, 0, 50);
    assertThat(fetchSeconds(50)).isEmpty();
    assertThat(machines.slow(50)).as("one of too few").isEmpty();
    fetches("r2", 20, 1, 100, 50);
    assertThat(fetchSeconds(50)).hasValue(80);
  }

  @Test
  void readersOnOneMachineMayShareABadPath() {
    reads("a");
    reads("a");
    reads("b");
    fetches("m", new Reader("r1", "a"), 20, 1, 100, 50);
    fetches("m", new Reader("r2", "a"), 20, 1, 100, 50);
    assertThat(fetchSeconds(50)).isEmpty();
    fetches("m", new Reader("r3", "b"), 20, 1, 100, 50);
    assertThat(fetchSeconds(50)).hasValue(80);
  }

  @Test
  void twoTasksOnTheOnlyMachineThatCanTellAreEnough() {
    reads("a");
    reads("a");
    reads("m");
    fetches("m", new Reader("r1", "a"), 20, 1, 100, 50);
    assertThat(fetchSeconds(50)).isEmpty();
    fetches("m", new Reader("r2", "a"), 20, 1, 100, 50);
    assertThat(fetchSeconds(50)).hasValue(80);
  }

  @Test
  void onlyTaskThatReadsIsEnoughThoughItHasACopy() {
    reads("a", "b");
    fetches("m", new Reader("r1", "a"), 20, 1, 100, 50);
    assertThat(fetchSeconds(50)).hasValue(80);
  }

  @Test
  void taskThatHasYetToBeginMayTellLater() {
    reads("a");
    reads();
    fetches("m", new Reader("r1", "a"), 20, 1, 100, 50);
    fetches("m", new Reader("r2", "a"), 20, 1, 100, 50);
    assertThat(fetchSeconds(50)).isEmpty();
  }

  @Test
  void readersOnASlowMachineCannotTellOfOthers() {
    for (String place : List.of("a", "b", "c", "slow", "slow")) {
      reads(place);
    }
    fetches("slow", new Reader("r1", "a"), 20, 1, 100, 50);
    fetches("slow", new Reader("r2", "b"), 20, 1, 100, 50);
    assertThat(fetchSeconds("slow", 50)).isPresent();
    fetches("a", new Reader("r3", "slow"), 20, 1, 100, 51);
    fetches("a", new Reader("r4", "b"), 20, 1, 100, 51);
    assertThat(fetchSeconds("a", 51)).isEmpty();
    fetches("a", new Reader("r5", "c"), 60, 1, 100, 51);
    assertThat(fetchSeconds("a", 51)).as("those of r4 and r5").hasValue(60);
    assertThat(machines.slow(51)).containsExactlyInAnyOrder("slow", "a");
  }

  @Test
  void machineThatIsKnownToBeSlowStaysSoWhileOneReaderFindsIt() {
    reads("a");
    reads("b");
    fetches("r1", 20, 1, 100, 50);
    fetches("r2", 20, 1, 100, 50);
    assertThat(fetchSeconds(50)).isPresent();
    fetches("r2", 40, 1, 100, 61);
    assertThat(fetchSeconds(61)).as("r1 has all it needs from there").hasValue(60);
  }

  @Test
  void machinesThatAccuseOnlyEachOtherAreNotSlow() {
    for (String place : List.of("a", "b", "a", "b")) {
      reads(place);
    }
    for (String task : List.of("r1", "r2")) {
      fetches("b", new Reader(task, "a"), 20, 1, 100, 50);
      fetches("a", new Reader(task + "'", "b"), 20, 1, 100, 50);
    }
    assertThat(fetchSeconds("a", 50)).isEmpty();
    assertThat(fetchSeconds("b", 50)).isEmpty();
    assertThat(machines.slow(50)).isEmpty();
  }

  @Test
  void whatAReaderSaysOfItsOwnMachineDoesNotCount() {
    for (String place : List.of("m", "m", "m", "a", "b")) {
      reads(place);
    }
    for (String task : List.of("r1", "r2", "r3")) {
      fetches("m", new Reader(task, "m"), 20, 90, 100, 50);
    }
    fetches("m", new Reader("r4", "a"), 20, 1, 100, 50);
    fetches("m", new Reader("r5", "b"), 20, 1, 100, 50);
    assertThat(fetchSeconds(50)).hasValue(80);
  }

  @Test
  void whatOnlyReadersOnSlowMachinesSaidIsTakenBack() {
    for (String place : List.of("slow", "slow too", "a", "b")) {
      reads(place);
    }
    fetches("good", new Reader("r1", "slow"), 20, 1, 100, 50);
    fetches("good", new Reader("r2", "slow too"), 20, 1, 100, 50);
    assertThat(fetchSeconds("good", 50)).isPresent();
    assertThat(machines.slow(50)).containsExactly("good");
    for (String machine : List.of("slow", "slow too")) {
      fetches(machine, new Reader("r3", "a"), 20, 1, 100, 51);
      fetches(machine, new Reader("r4", "b"), 20, 1, 100, 51);
    }
    assertThat(machines.fetchSeconds(asked -> share, tasks, 51))
        .containsOnlyKeys("slow", "slow too");
    assertThat(machines.slow(51)).containsExactlyInAnyOrder("slow", "slow too");
  }

  @Test
  void machineThatAlsoReceivesSlowlyIsSlowBothWays() {
    reads("a", "m");
    fetches("m", new Reader("r1", "a"), 20, 1, 100, 50);
    assertThat(fetchSeconds(50)).isPresent();
    assertThat(machines.slowBothWays(50)).as("it may only send slowly").isEmpty();
    fetches("b", new Reader("r1", "m"), 20, 30, 30, 51);
    assertThat(fetchSeconds(51)).isPresent();
    assertThat(machines.slowBothWays(51)).as("about as fast as others").isEmpty();
    fetches("b", new Reader("r1", "m"), 20, 2, 90, 52);
    assertThat(fetchSeconds(52)).isPresent();
    assertThat(machines.slowBothWays(52)).as("b is slow").isEmpty();
    fetches("b", new Reader("r1", "m"), 20, 2, 2, 53);
    assertThat(fetchSeconds(53)).isPresent();
    assertThat(machines.slowBothWays(53)).containsExactly("m");
    fetches("c", new Reader("r1", "m"), 20, 80, 2, 54);
    assertThat(fetchSeconds(54)).isPresent();
    assertThat(machines.slowBothWays(54)).as("it gets more from c").isEmpty();
  }

  @Test
  void linkStaysSlowAsLongAsItsMachineCountsAsSlow() {
    reads("a", "m");
    fetches("m", new Reader("r1", "a"), 20, 1, 100, 50);
    fetches("b", new Reader("r1", "m"), 20, 2, 2, 50);
    assertThat(fetchSeconds(50)).isPresent();
    machines.ended("r1");
    assertThat(fetchSeconds(90)).isEmpty();
    assertThat(machines.slowBothWays(90)).containsExactly("m");
    double later = 51 + CrawlingMachines.SLOW_SECONDS;
    assertThat(machines.slowBothWays(later)).isEmpty();
    fetches("m", new Reader("r2", "a"), 20, 1, 100, later);
    assertThat(fetchSeconds(later)).isPresent();
    assertThat(machines.slowBothWays(later)).as("nothing new was heard of its link").isEmpty();
  }

  @Test
  void readersOfATaskThatHasEndedNeedNothing() {
    fetches("m", new Reader("r1", "a"), 20, 1, 100, 50);
    fetches("m", new Reader("r2", "b"), 40, 1, 100, 50);
    fetches("m", new Reader("r2", "c"), 40, 1, 100, 50); // a copy
    machines.ended("r2");
    assertThat(fetchSeconds(50)).hasValue(80);
    machines.ended("r1");
    assertThat(fetchSeconds(50)).isEmpty();
  }

  @Test
  void nothingThatComesNeverComes() {
    fetches("r1", 20, 0, 100, 50);
    assertThat(fetchSeconds(50)).hasValue(Double.POSITIVE_INFINITY);
    share = new Share(20, 20);
    assertThat(fetchSeconds(50)).hasValue(0);
  }

  @Test
  void machineStaysSlowUntilAReaderFindsOtherwise() {
    fetches("r1", 20, 1, 100, 50);
    assertThat(machines.slow(50)).as("nobody has asked").isEmpty();
    assertThat(fetchSeconds(50)).isPresent();
    assertThat(machines.slow(50)).containsExactly("m");
    machines.ended("r1");
    assertThat(fetchSeconds(90)).isEmpty();
    fetches("cannot tell", 20, 1, 0, 90);
    assertThat(fetchSeconds(90)).isEmpty();
    assertThat(machines.slow(90)).containsExactly("m");
    fetches("r2", 20, 90, 100, 91);
    assertThat(fetchSeconds(91)).isEmpty();
    assertThat(machines.slow(91)).isEmpty();
  }

  @Test
  void machineIsNotSlowForEverIfNobodyReadsFromIt() {
    fetches("r1", 20, 1, 100, 50);
    assertThat(fetchSeconds(50)).isPresent();
    assertThat(machines.slow(50 + CrawlingMachines.SLOW_SECONDS)).containsExactly("m");
    assertThat(machines.slow(51 + CrawlingMachines.SLOW_SECONDS)).isEmpty();
  }
}
