// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.Setting.Range;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SettingRangeTest {
  static Stream<Setting<?>> all() {
    return Stream.of(JobSettings.ALL, ClusterSettings.ALL, ChannelSettings.ALL)
        .flatMap(settings -> settings.stream());
  }

  @ParameterizedTest
  @MethodSource("all")
  void whatHasARangeIsANumberAndAllowsItsEnds(Setting<?> setting) throws BadSettingException {
    boolean numeric = Stream.of("integer", "number", "duration").anyMatch(setting.type()::equals);
    assertThat(setting.range().isPresent()).isEqualTo(numeric);
    if (numeric) {
      Range range = setting.range().orElseThrow();
      assertThat(range.least()).isLessThan(range.greatest());
      assertThat(number(setting, text(setting, range.least()))).isEqualByComparingTo(range.least());
      assertThat(number(setting, text(setting, range.greatest())))
          .isEqualByComparingTo(range.greatest());
    }
  }

  private static String text(Setting<?> setting, BigDecimal number) {
    return number.toPlainString() + (setting.type().equals("duration") ? "ms" : "");
  }

  private static BigDecimal number(Setting<?> setting, String text) throws BadSettingException {
    Object value = setting.parse(text);
    return value instanceof Duration duration
        ? BigDecimal.valueOf(duration.toMillis())
        : new BigDecimal(value.toString());
  }

  @Test
  void aDurationsRangeIsInMilliseconds() {
    assertThat(ClusterSettings.ROUND.range())
        .contains(new Range(BigDecimal.valueOf(50), BigDecimal.valueOf(5000)));
  }
}
