// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.drover.simulator.world.Losses.LossSettings;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares with the figures of Mantri sections 4.2 and 6.5. */
class ModelledLossesTest {
  private static final double DAY = 86_400;
  private final ModelledLosses published = new ModelledLosses(LossSettings.PUBLISHED, 1);

  @Test
  void halfOfTheLossesHappenOnAFewMachines() {
    int machines = 20_000;
    double all = 0;
    double ofBad = 0;
    int bad = 0;
    for (int m = 0; m < machines; m++) {
      all += published.lossesPerSecond(m);
      ofBad += published.isBad(m) ? published.lossesPerSecond(m) : 0;
      bad += published.isBad(m) ? 1 : 0;
    }
    assertThat(bad / (double) machines).isCloseTo(0.05, within(0.005));
    assertThat(ofBad / all).isCloseTo(0.5, within(0.03));
  }

  /** Keeps outputs on a bad machine for a minute each, at random times of two hundred days. */
  @Test
  void anOutputIsLostAsOftenAsItsMachineLosesThem() {
    int bad = IntStream.range(0, 1000).filter(published::isBad).findFirst().orElseThrow();
    int outputs = 100_000;
    double keep = 60;
    int lost = 0;
    for (int i = 0; i < outputs; i++) {
      // Outputs made during a spell of losses are lost at once and do not count.
      double at = Draws.uniform(Draws.key(9, i), 0, 200 * DAY);
      double lostAt = published.lostAt(1, i, 0, bad, at);
      lost += lostAt > at && lostAt <= at + keep ? 1 : 0;
    }
    double expected = published.lossesPerSecond(bad) * keep;
    assertThat(lost / (double) outputs).isCloseTo(expected, within(0.2 * expected));
  }

  /**
   * Checks how often a machine loses another output within a minute in which it has lost one or
   * two.
   */
  @Test
  void whatElseAMachineKeepsIsLostAsOftenAsPrinted() {
    double[] first = new double[2];
    double[] second = new double[2];
    int bad = IntStream.range(0, 1000).filter(published::isBad).findFirst().orElseThrow();
    for (int trial = 0; trial < 200_000; trial++) {
      double from = 20 * DAY * trial / 200_000;
      boolean[] lost = new boolean[3];
      for (int task = 0; task < 3; task++) {
        double at = published.lostAt(trial, task, 0, bad, from);
        lost[task] = at > from && at <= from + 60;
      }
      count(first, lost[0], lost[1]);
      count(second, lost[0] && lost[1], lost[2]);
    }
    assertThat(first[1] / first[0]).isCloseTo(0.76, within(0.05));
    assertThat(second[1] / second[0]).isCloseTo(0.93, within(0.05));
  }

  private static void count(double[] counts, boolean given, boolean then) {
    counts[0] += given ? 1 : 0;
    counts[1] += given && then ? 1 : 0;
  }

  @Test
  void theSameSeedLosesTheSame() {
    Losses once = new LossSettings(true, 1, 0.1).with(5);
    Losses again = new LossSettings(true, 1, 0.1).with(5);
    Losses other = new LossSettings(true, 1, 0.1).with(6);
    assertThat(once.lostAt(1, 2, 3, 4, 50)).isEqualTo(again.lostAt(1, 2, 3, 4, 50));
    assertThat(once.lostAt(1, 2, 3, 4, 50)).isNotEqualTo(other.lostAt(1, 2, 3, 4, 50));
    assertThat(once.failsAfter(4, 50)).isEqualTo(again.failsAfter(4, 50));
  }

  @Test
  void machinesFailAsOftenAsSaidAndComeBack() {
    Losses losses = new LossSettings(false, 2, 0).with(1);
    int failures = 0;
    double now = losses.failsAfter(7, 0);
    while (now < 1000 * DAY) {
      failures++;
      double back = losses.isBackAt(7, now);
      assertThat(back).isGreaterThan(now);
      now = losses.failsAfter(7, back);
      assertThat(now).isGreaterThan(back);
    }
    assertThat(failures / 1000.0).isCloseTo(2, within(0.2));
    double failed = losses.failsAfter(7, 0);
    assertThat(losses.lostAt(1, 2, 0, 7, failed / 2)).as("with it").isEqualTo(failed);
  }

  @Test
  void asManyAttemptsAreEvictedAsSaid() {
    Losses losses = new LossSettings(false, 0, 0.1).with(1);
    long evicted =
        IntStream.range(0, 100_000).filter(i -> losses.evictedAfter(1, i, 0) < 1).count();
    assertThat(evicted / 1e5).isCloseTo(0.1, within(0.005));
    assertThat(losses.concernOutputs()).isFalse();
    assertThat(losses.failsAfter(0, 0)).isEqualTo(Double.POSITIVE_INFINITY);
  }

  @Test
  void provenanceTellsWhatIsPublishedAndWhatIsChosen() {
    assertThat(published.provenance())
        .hasSize(3)
        .first()
        .asString()
        .contains("Mantri", "not calibrated");
    assertThat(new LossSettings(false, 0.5, 0.25).with(1).provenance())
        .anyMatch(sentence -> sentence.contains("0.5 per machine and day"))
        .anyMatch(sentence -> sentence.contains("25.0 %"));
    assertThat(LossSettings.NONE.with(1)).isSameAs(Losses.NONE);
  }

  @Test
  void whatIsOutOfRangeIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new LossSettings(true, 11, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new LossSettings(true, 0, 0.6));
    assertThatIllegalArgumentException().isThrownBy(() -> new LossSettings(true, 0, Double.NaN));
  }
}
