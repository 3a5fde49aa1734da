// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelSettingsTest {
  @Test
  void everyDefaultIsAllowed() throws BadSettingException {
    ChannelSettings settings = ChannelSettings.read(key -> null);
    assertThat(settings.period()).hasSeconds(3);
    assertThat(settings.handlers()).isEqualTo(4);
    assertThat(settings.maxConnections()).isEqualTo(10_000);
    assertThat(ChannelSettings.ADDRESS.parse(null)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "yarn.drover.channel.period, 99ms, 100ms to 300s",
    "yarn.drover.channel.period, 3, 100ms to 300s",
    "yarn.drover.channel.handlers, 0, 1 to 100",
    "yarn.drover.channel.max-connections, -1, 1 to 1000000",
  })
  void badValueIsRefusedWithKeyValueAndRange(String key, String value, String allowed) {
    assertThatThrownBy(() -> ChannelSettings.read(Map.of(key, value)::get))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContaining(key)
        .hasMessageContaining("'" + value + "'")
        .hasMessageContaining(allowed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rm.example.org:8036", "10.0.0.1:0", "[::1]:65535", " rm:8036 "})
  void hostAndPortAreAnAddress(String text) throws BadSettingException {
    assertThat(ChannelSettings.ADDRESS.parse(text)).isEqualTo(text.trim());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rm", "rm:", ":8036", "rm:65536", "rm:-1", "a b:1", "http://rm:1", "::1:1"})
  void nothingElseIs(String text) {
    assertThatThrownBy(() -> ChannelSettings.ADDRESS.of("rm1").parse(text))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContaining("yarn.drover.channel.address.rm1 is '" + text + "'")
        .hasMessageContaining("host:port");
  }
}
