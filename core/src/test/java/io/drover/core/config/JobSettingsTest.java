// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobSettingsTest {
  private static JobSettings read(Map<String, String> conf, long reportMillis)
      throws BadSettingException {
    return JobSettings.read(conf.keySet(), conf::get, Duration.ofMillis(reportMillis));
  }

  private static JobSettings read(String key, String value) throws BadSettingException {
    return read(Map.of(key, value), 1000);
  }

  @Test
  void defaultsAreThePapers() throws BadSettingException {
    JobSettings settings = read(Map.of("mapreduce.job.name", "x"), 1000);
    assertThat(settings.restartMode()).isEqualTo(Mode.ON);
    assertThat(settings.restart()).isEqualTo(io.drover.core.restart.RestartSettings.DEFAULT);
    assertThat(settings.estimator())
        .isEqualTo(io.drover.core.model.EstimatorSettings.withPeriod(Duration.ofSeconds(1)));
    assertThat(settings.decisionLogDir()).isNull();
    assertThat(settings.logReports()).isFalse();
  }

  @Test
  void everyDefaultIsAllowed() throws BadSettingException {
    for (Setting<?> setting : JobSettings.ALL) {
      setting.parse(setting.defaultText());
    }
  }

  @ParameterizedTest
  @CsvSource({"18000, 10000", "1000, 1000", "1, 100", "0, 100"})
  void periodIsTheReportsWithinBounds(long interval, long period) throws BadSettingException {
    assertThat(read(Map.of(), interval).estimator().period()).hasMillis(period);
  }

  @Test
  void unknownKeyIsRefusedWithTheNearest() {
    assertThatThrownBy(() -> read("mapreduce.drover.restrat.mode", "on"))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContaining("mapreduce.drover.restrat.mode")
        .hasMessageContaining("'on'")
        .hasMessageContaining("nearest: mapreduce.drover.restart.mode");
  }

  @Test
  void allBadSettingsAreNamedAndNotOnlyTheFirst() {
    Map<String, String> conf =
        Map.of(
            "mapreduce.drover.restart.mode", "maybe",
            "mapreduce.drover.order.mod", "on",
            "mapreduce.drover.clone.mode", "observe",
            "mapreduce.map.memory.mb", "many");

    assertThat(JobSettings.complaints(conf.keySet(), conf::get))
        .hasSize(2)
        .hasEntrySatisfying(
            "mapreduce.drover.order.mod",
            message -> assertThat(message).endsWith("nearest: mapreduce.drover.order.mode"))
        .hasEntrySatisfying(
            "mapreduce.drover.restart.mode",
            message -> assertThat(message).contains("is 'maybe'; allowed: off, observe, on"));
  }

  @ParameterizedTest
  @CsvSource({
    "mapreduce.drover.restart.mode, maybe, 'off, observe, on'",
    "mapreduce.drover.restart.delta, 1, 0.0 to 0.99",
    "mapreduce.drover.restart.delta, NaN, 0.0 to 0.99",
    "mapreduce.drover.restart.delta, x, 0.0 to 0.99",
    "mapreduce.drover.restart.rho, -1, 0.0 to 1000.0",
    "mapreduce.drover.restart.max-restarts, 101, 0 to 100",
    "mapreduce.drover.restart.max-copies, 1, 2 to 10",
    "mapreduce.drover.restart.max-copies, 2.5, 2 to 10",
    "mapreduce.drover.restart.max-moves, 99999999999, 0 to 100",
    "mapreduce.drover.estimate.window-reports, 1, 2 to 100",
    "mapreduce.drover.decision-log.reports, yes, 'true, false'",
  })
  void badValueIsRefusedWithKeyValueAndRange(String key, String value, String allowed) {
    assertThatThrownBy(() -> read(key, value))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContaining(key)
        .hasMessageContaining("'" + value + "'")
        .hasMessageContaining(allowed);
  }

  @Test
  void blankStandsForTheDefaultAndBlanksAroundAreIgnored() throws BadSettingException {
    assertThat(read("mapreduce.drover.restart.mode", " Observe ").restartMode())
        .isEqualTo(Mode.OBSERVE);
    assertThat(read("mapreduce.drover.restart.mode", " ").restartMode()).isEqualTo(Mode.ON);
  }

  @Test
  void listsAreTrimmedAndEmptyItemsDropped() throws BadSettingException {
    assertThat(read("mapreduce.drover.restart.excluded-outputs", " a ,, b,").outputs().excluded())
        .containsExactly("a", "b");
  }
}
