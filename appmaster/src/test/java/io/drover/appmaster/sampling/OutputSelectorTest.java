// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.appmaster.sampling.OutputSelector.Done;
import io.drover.appmaster.sampling.OutputSelector.Going;
import io.drover.appmaster.sampling.OutputSelector.Maps;
import io.drover.appmaster.sampling.OutputSelector.Selection;
import io.drover.core.placement.LinkBandwidths.Bandwidths;
import io.drover.core.placement.LinkBandwidths.Basis;
import io.drover.core.sampling.PastDurations;
import io.drover.core.sampling.SamplingSettings;
import io.drover.core.sampling.TaskDurations;
import io.drover.core.sampling.WaitRule.WaitDecision.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutputSelectorTest {
  private static final double NOW = 100;
  private static final double BANDWIDTH = 1e7;

  /** Ten seconds on a link. */
  private static final double BYTES = 1e8;

  private final OutputSelector selector = selector(false);

  private static OutputSelector selector(boolean bySize) {
    return selector(bySize, Optional.empty());
  }

  private static OutputSelector selector(boolean bySize, Optional<TaskDurations> history) {
    return new OutputSelector(SamplingSettings.KMN, bySize, history, OutputSelectorTest::links);
  }

  private static Bandwidths links(List<String> racks) {
    double[] links = new double[racks.size()];
    Arrays.fill(links, BANDWIDTH);
    return new Bandwidths(links, links, Basis.EQUAL);
  }

  private static Done done(int map, String rack, double bytes) {
    return new Done(map, "host-of-" + rack, rack, bytes, 60);
  }

  private static Going going(int map, String rack, double progress) {
    return new Going(map, "host-of-" + rack, rack, 0, progress);
  }

  private static Maps maps(List<Done> done, Going... going) {
    return new Maps(0, NOW, done, List.of(going));
  }

  private static List<Done> fourInOneRack() {
    List<Done> done = new ArrayList<>();
    for (int map = 0; map < 4; map++) {
      done.add(done(map, "/a", BYTES));
    }
    return done;
  }

  @Test
  void inOneRackTheReducesStartAtOnce() {
    Selection selection = selector.select(maps(fourInOneRack(), going(4, "/a", 0.99)), 4);
    assertThat(selection.delay().startsNow()).isTrue();
    assertThat(selection.racks()).isEqualTo(1);
    assertThat(selection.chosen().outputs()).containsExactly(0, 1, 2, 3);
    assertThat(selection.chosen().seconds()).isZero();
  }

  @Test
  void withoutRunningMapsThereIsNothingToWaitFor() {
    Selection selection = selector.select(maps(fourInOneRack()), 3);
    assertThat(selection.delay().startsNow()).isTrue();
    assertThat(selection.delay().reason()).isEqualTo(Reason.NOTHING_TO_WAIT_FOR);
    assertThat(selection.chosen().outputs()).hasSize(3);
  }

  @Test
  void outputOfAnEmptyRackThatIsAboutToComeIsWaitedFor() {
    Selection selection = selector.select(maps(fourInOneRack(), going(4, "/b", 0.995)), 4);
    assertThat(selection.delay().startsNow()).isFalse();
    assertThat(selection.racks()).isEqualTo(2);
    assertThat(selection.delay().outputs()).isEqualTo(5);
    assertThat(selection.delay().delaySeconds()).isBetween(0.4, 0.6); // by its progress
    assertThat(selection.delay().savedSeconds()).isPositive();
  }

  @Test
  void outputThatWillComeLateIsNotWaitedFor() {
    Selection selection = selector.select(maps(fourInOneRack(), going(4, "/b", 0.5)), 4);
    assertThat(selection.delay().startsNow()).isTrue();
    assertThat(selection.delay().reason()).isEqualTo(Reason.NO_GAIN);
    assertThat(selection.chosen().outputs()).containsExactly(0, 1, 2, 3);
  }

  @Test
  void mapOfWhichNothingIsKnownIsNotWaitedFor() {
    Selection selection = selector.select(maps(fourInOneRack(), going(4, "/b", 0.01)), 4);
    assertThat(selection.delay().reason()).isEqualTo(Reason.NOTHING_TO_WAIT_FOR);
  }

  @Test
  void otherMapsTellWhenOneWithoutProgressWillEnd() {
    List<Done> done = new ArrayList<>();
    for (int map = 0; map < 20; map++) {
      done.add(new Done(map, "a", "/a", BYTES, 99 + map * 0.1));
    }
    Selection selection = selector.select(maps(done, going(20, "/b", 0)), 20);
    assertThat(selection.delay().configurations()).isEqualTo(2);
    assertThat(selection.delay().startsNow()).isFalse();
  }

  @Test
  void anEarlierRunTellsWhenMapsWillEnd() {
    double[] untilSoon = {100.4, 100.5, 100.6};
    double[] untilLate = {150, 160, 170};
    Maps maps = maps(fourInOneRack(), going(4, "/b", 0));
    for (boolean isSoon : List.of(true, false)) {
      Optional<TaskDurations> history =
          Optional.of(new PastDurations(isSoon ? untilSoon : untilLate));
      assertThat(selector(false, history).select(maps, 4).delay().startsNow()).isEqualTo(!isSoon);
    }
  }

  @Test
  void mapsThatTakeLongerThanAnyOfAnEarlierRunAreForecastByThoseOfThisOne() {
    Optional<TaskDurations> history = Optional.of(new PastDurations(new double[] {20, 30, 40}));
    List<Done> done = new ArrayList<>();
    for (int map = 0; map < 8; map++) {
      done.add(new Done(map, "host-of-/a", "/a", BYTES, 98 + map / 2.));
    }
    Maps maps = maps(done, going(8, "/b", 0));
    assertThat(selector(false, history).select(maps, 8).delay().startsNow()).isFalse();
    assertThat(selector(false, Optional.empty()).select(maps, 8).delay().startsNow()).isFalse();
  }

  @Test
  void progressTellsMoreThanAnEarlierRun() {
    Optional<TaskDurations> history = Optional.of(new PastDurations(new double[] {170}));
    Maps maps = maps(fourInOneRack(), going(4, "/b", 0.995));
    assertThat(selector(false, history).select(maps, 4).delay().startsNow()).isFalse();
  }

  @Test
  void outputsOfTheLeastLoadedRacksAreChosen() {
    List<Done> done = new ArrayList<>(fourInOneRack());
    done.add(done(4, "/b", BYTES));
    done.add(done(5, "/b", BYTES));
    Selection selection = selector.select(maps(done), 4);
    assertThat(selection.chosen().outputs()).hasSize(4).contains(4, 5);
  }

  @Test
  void sizesDoNotMatterUnlessTheJobSaysSo() {
    List<Done> done =
        List.of(
            done(0, "/a", 9 * BYTES),
            done(1, "/a", BYTES),
            done(2, "/b", 9 * BYTES),
            done(3, "/b", BYTES));
    List<Done> reversed =
        List.of(
            done(0, "/a", BYTES),
            done(1, "/a", 9 * BYTES),
            done(2, "/b", BYTES),
            done(3, "/b", 9 * BYTES));
    assertThat(selector(true).select(maps(done), 2).chosen().outputs()).containsExactly(1, 3);
    assertThat(selector(true).select(maps(reversed), 2).chosen().outputs()).containsExactly(0, 2);
    assertThat(selector.select(maps(done), 2).chosen().outputs())
        .isEqualTo(selector.select(maps(reversed), 2).chosen().outputs());
  }

  @Test
  void overdueAndEmptyOutputsAreNoProblem() {
    List<Done> done = List.of(new Done(0, "a", "/a", 0, 0), new Done(1, "b", "/b", 0, 0));
    Maps maps = new Maps(NOW, NOW - 1, done, List.of(going(2, "/c", 1), going(3, "", 0.5)));
    Selection selection = selector.select(maps, 2);
    assertThat(selection.delay().startsNow()).isTrue();
    assertThat(selection.chosen().outputs()).containsExactly(0, 1);
  }

  @Test
  void neverFewerThanKDifferentOutputsAreChosen() {
    Random random = new Random(1);
    for (int job = 0; job < 300; job++) {
      int needed = 1 + random.nextInt(20);
      int there = needed + random.nextInt(5);
      List<Done> done = new ArrayList<>();
      for (int map = 0; map < there; map++) {
        String rack = "/r" + random.nextInt(4);
        double bytes = random.nextInt(4) == 0 ? 0 : BYTES * random.nextDouble();
        double seconds = 100 * random.nextDouble();
        done.add(new Done(map, "h" + random.nextInt(9) + rack, rack, bytes, seconds));
      }
      List<Going> going = new ArrayList<>();
      for (int map = there; map < there + random.nextInt(6); map++) {
        String rack = "/r" + random.nextInt(5);
        double start = NOW * random.nextDouble();
        going.add(new Going(map, "h" + rack, rack, start, random.nextDouble()));
      }
      Selection selection =
          selector(random.nextBoolean()).select(new Maps(0, NOW, done, going), needed);
      assertThat(selection.chosen().outputs())
          .hasSize(needed)
          .doesNotHaveDuplicates()
          .allMatch(output -> output >= 0 && output < there);
      assertThat(selection.delay().outputs()).isBetween(needed, there + going.size());
    }
  }
}
