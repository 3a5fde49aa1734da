// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.RestartKeys;
import io.drover.simulator.replay.Sweep;
import io.drover.simulator.report.SweepSamples.Made;
import io.drover.simulator.report.SweepSamples.SweptSetting;
import org.junit.jupiter.api.Test;

class SweepVerdictTest {
  private static Sweep.Result rho(Made... made) {
    return SweepSamples.result(new SweptSetting(RestartKeys.RHO, made));
  }

  private static SweepVerdict verdict(Sweep.Result result) {
    return SweepVerdict.of(result, result.sweep().swept().get(0));
  }

  private static String sentence(Sweep.Result result) {
    return SweepReport.of(result).charts().orElseThrow().charts().get(0).finding();
  }

  @Test
  void theDefaultIsTheBestWhereNoValuesMedianIsGreater() {
    Sweep.Result result = rho(Made.of("3", 0.4, 0.4, 0.4), Made.of("6", 0.3, 0.5, 0.4));

    assertThat(sentence(result))
        .startsWith("rho, 3 by default: the best for the median phase; no difference for small")
        .endsWith("No value is better by one measure and worse by none.");
    assertThat(verdict(result).standings().get(0).rank()).isEqualTo(SweepVerdict.Rank.BEST);
    assertThat(verdict(result).standings().get(0).best()).isEqualTo("3");
  }

  @Test
  void whatIsNotBetterInEveryRepeatIsWithinTheSpread() {
    Sweep.Result result = rho(Made.of("3", 0.4, 0.4, 0.4), Made.of("6", 0.45, 0.39, 0.42));

    assertThat(sentence(result))
        .contains(
            "for the median phase within the spread of the best, 6 (+2.0 points; -1.0 to +5.0)");
    assertThat(verdict(result).beatenBy()).isEmpty();
  }

  @Test
  void theSpreadIsThatOfTheDifferencesAndNotThatOfTheSeeds() {
    Sweep.Result result = rho(Made.of("3", 0.1, 0.4, 0.7), Made.of("6", 0.11, 0.41, 0.71));

    assertThat(sentence(result))
        .contains("for the median phase beaten by 6 (+1.0 points; +1.0 to +1.0)");
  }

  @Test
  void whatIsBetterByOneMeasureAndWorseByNoneBeatsTheDefaultOutright() {
    Sweep.Result result = rho(Made.of("3", 0.4, 0.4), Made.of("6", 0.5, 0.5));

    assertThat(verdict(result).beatenBy()).contains("6");
    assertThat(sentence(result))
        .endsWith("6 beats it outright: better by one measure, worse by none.");
    assertThat(SweepReport.of(result).headline())
        .isEqualTo("The shipped rho is beaten outright by 6");
  }

  @Test
  void whatCostsMoreByAnotherMeasureDoesNotBeatTheDefaultOutright() {
    Sweep.Result result =
        rho(Made.of("3", 0.4, 0.4), Made.of("6", 0.5, 0.5).withSlots(-0.01, -0.01));

    assertThat(verdict(result).beatenBy()).isEmpty();
    assertThat(verdict(result).standings().get(0).rank()).isEqualTo(SweepVerdict.Rank.BEATEN);
    assertThat(SweepReport.of(result).headline())
        .isEqualTo("No value tried beats the shipped rho outright");
  }

  @Test
  void whatIsWorseInSomeRepeatAndBetterInNoneIsWorse() {
    Sweep.Result loses =
        rho(Made.of("3", 0.4, 0.4, 0.4), Made.of("6", 0.5, 0.5, 0.5).withSlots(0, -0.01, 0));
    Sweep.Result wavers =
        rho(Made.of("3", 0.4, 0.4, 0.4), Made.of("6", 0.5, 0.5, 0.5).withSlots(0.01, -0.01, 0));

    assertThat(verdict(loses).beatenBy()).isEmpty();
    assertThat(verdict(wavers).beatenBy()).contains("6");
  }

  @Test
  void ofSeveralValuesTheOneThatIsBetterInEveryRepeatIsNamed() {
    Sweep.Result result =
        rho(Made.of("1", 0.41, 0.41), Made.of("3", 0.4, 0.4), Made.of("6", 0.6, 0.39));

    assertThat(sentence(result)).contains("beaten by 1 (+1.0 points; +1.0 to +1.0)");
  }

  @Test
  void aDifferenceTooSmallToBeWrittenIsNone() {
    Sweep.Result result = rho(Made.of("3", 0.4, 0.4), Made.of("6", 0.4004, 0.3996));

    assertThat(sentence(result)).isEqualTo("rho, 3 by default: makes no difference here.");
    assertThat(verdict(result).isIndifferent()).isTrue();
  }

  @Test
  void oneRepeatHasNoSpread() {
    assertThat(sentence(rho(Made.of("3", 0.4), Made.of("6", 0.5))))
        .contains("beaten by 6 (+10.0 points);");
  }
}
