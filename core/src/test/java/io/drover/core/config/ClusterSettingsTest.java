// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterSettingsTest {
  private static ClusterSettings read(Map<String, String> conf) throws BadSettingException {
    return ClusterSettings.read(conf.keySet(), conf::get);
  }

  @Test
  void theCeilingIsSeventyPercentWhereNothingIsSaid() throws BadSettingException {
    ClusterSettings settings = read(Map.of());
    assertThat(settings.cloneMode()).isEqualTo(Mode.ON);
    assertThat(settings.maxUtilisation()).isEqualTo(0.7);
    assertThat(settings.round()).isEqualTo(Duration.ofMillis(250));
  }

  @Test
  void anUnknownKeyIsRefusedWithTheNearestOne() {
    assertThatThrownBy(() -> read(Map.of("yarn.drover.clone.max-utilization", "0.5")))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContaining("yarn.drover.clone.max-utilization (value '0.5')")
        .hasMessageEndingWith("nearest: yarn.drover.clone.max-utilisation");
  }

  @Test
  void aValueOutOfRangeIsRefused() {
    assertThatThrownBy(() -> read(Map.of("yarn.drover.clone.max-utilisation", "70")))
        .hasMessageContaining("is '70'; allowed: 0.01 to 1.0");
  }

  @Test
  void allBadSettingsAreNamedThoseOfTheChannelToo() {
    Map<String, String> conf =
        Map.of(
            "yarn.drover.clone.max-utilisation", "70",
            "yarn.drover.channel.period", "3",
            "yarn.drover.channel.address.rm1", "host:8036",
            "yarn.drover.tau", "0.7");

    assertThat(ClusterSettings.complaints(conf.keySet(), conf::get))
        .containsOnlyKeys(
            "yarn.drover.channel.period", "yarn.drover.clone.max-utilisation", "yarn.drover.tau");
  }

  @Test
  void everySettingThatThereIsIsKnown() throws ReflectiveOperationException {
    for (Field field : ClusterSettings.class.getFields()) {
      if (field.get(null) instanceof Setting<?> setting) {
        assertThat(ClusterSettings.ALL).as(field.getName()).contains(setting);
      }
    }
  }

  @Test
  void aRefusedConfigurationLeavesNoClones() {
    assertThat(ClusterSettings.off().cloneMode()).isEqualTo(Mode.OFF);
  }

  @Test
  void smallHeapHoldsFewerJobsToLearnFrom() throws BadSettingException {
    PredictionSettings byDefault = ClusterSettings.read(List.of(), key -> null).prediction();
    assertThat(byDefault.within(15_000_000).training().mostJobs()).isEqualTo(10_000);
    assertThat(byDefault.within(Long.MAX_VALUE)).isEqualTo(byDefault);
  }
}
