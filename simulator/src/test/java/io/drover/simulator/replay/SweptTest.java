// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.RestartKeys;
import io.drover.core.config.Setting;
import io.drover.simulator.engine.SimulationSettings;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SweptTest {
  static List<Setting<?>> all() {
    return SimulationSettings.ofSchemes();
  }

  @ParameterizedTest
  @MethodSource("all")
  void theDefaultIsAmongTheValuesExactlyOnceAndAllOfThemAreAllowed(Setting<?> setting)
      throws BadSettingException {
    Swept swept = Swept.around(setting);

    Object usual = setting.parse(null);
    int defaults = 0;
    for (String value : swept.values()) {
      defaults += setting.parse(value).equals(usual) ? 1 : 0;
      assertThat(SimulationSettings.read(1, Map.of(setting.key(), value))).isNotNull();
    }
    assertThat(defaults).isEqualTo(1);
    assertThat(setting.parse(swept.byDefault())).isEqualTo(usual);
    assertThat(swept.values()).doesNotHaveDuplicates().hasSizeGreaterThan(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "delta                | 0 0.125 0.25 0.5 0.99",
        "rho                  | 0 1.5 3 6 12",
        "gamma                | 0 2 3 6 12",
        "restart.max-copies   | 2 3 4 6",
        "clone.max-copies     | 1 3 4 7 10",
        "eps                  | 0.0001 0.025 0.05 0.1 0.2",
        "tau                  | 0.01 0.35 0.7 0.85 1",
        "placement.short-shuffle | 0s 30s 60s 120s 240s",
        "report-period        | 1000 5000 10000 20000 40000",
        "clone.mode           | off observe on",
      })
  void theLeastHalfTheDefaultTwiceAndFourTimesAreTriedAsFarAsTheRangeGoes(
      String name, String values) throws BadSettingException {
    Swept swept = Swept.around(Swept.setting(name).orElseThrow());

    assertThat(String.join(" ", swept.values())).isEqualTo(values);
  }

  @Test
  void whereTheLeastIsNearTheDefaultTheDistanceFromItCounts() throws BadSettingException {
    assertThat(Swept.around(ClusterSettings.UPSTREAM_RATIO).values())
        .containsExactly("1", "1.025", "1.05", "1.1", "1.2");
  }

  @Test
  void whereTheLeastIsTheDefaultTwiceAndFourTimesAsMuchAreTried() throws BadSettingException {
    assertThat(Swept.around(RestartKeys.SLOWER_ATTEMPT_FACTOR).values())
        .containsExactly("1", "2", "4");
  }

  @Test
  void givenValuesAreSortedAndTheDefaultIsAdded() throws BadSettingException {
    Swept swept = Swept.of(RestartKeys.RHO, List.of("10", " 2 ", "1.50", "1.5"));

    assertThat(swept.values()).containsExactly("1.50", "2", "3", "10");
    assertThat(swept.byDefault()).isEqualTo("3");
  }

  @Test
  void aDefaultThatWasTypedIsNotAddedAgain() throws BadSettingException {
    Swept swept = Swept.of(RestartKeys.RHO, List.of("3.00", "4"));

    assertThat(swept.values()).containsExactly("3.00", "4");
    assertThat(swept.isDefault("3.00")).isTrue();
  }

  @Test
  void everySettingOfTheSchemesHasANameOfItsOwn() {
    List<String> names = SimulationSettings.ofSchemes().stream().map(Swept::name).toList();

    assertThat(new HashSet<>(names)).hasSameSizeAs(names);
    assertThat(Swept.names())
        .contains("delta", "rho", "gamma", "eps", "tau", "M/K", "report-period")
        .allMatch(name -> Collections.frequency(names, name) == 1);
    assertThat(Swept.settings()).noneMatch(setting -> setting.type().equals("mode"));
  }

  @Test
  void aSettingIsKnownByItsNameAndByItsKey() {
    assertThat(Swept.setting("tau")).contains(ClusterSettings.MAX_UTILISATION);
    assertThat(Swept.setting("yarn.drover.clone.max-utilisation"))
        .contains(ClusterSettings.MAX_UTILISATION);
    assertThat(Swept.setting("restart.mode")).contains(RestartKeys.MODE);
    assertThat(Swept.setting(SimulationSettings.SLOW_START))
        .as("slow start changes the baseline, too")
        .isEmpty();
  }
}
