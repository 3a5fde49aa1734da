// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SampleSettingsTest {
  private static final String PREFIX = "mapreduce.drover.sample.";

  /** Reads settings from pairs of a key without its prefix and a value. */
  private static SampleSettings read(String... pairs) throws BadSettingException {
    Map<String, String> conf = new HashMap<>();
    conf.put("mapreduce.job.name", "x");
    for (int i = 0; i < pairs.length; i += 2) {
      conf.put(PREFIX + pairs[i], pairs[i + 1]);
    }
    return SampleSettings.read(conf.keySet(), conf::get);
  }

  private static void assertRefused(String[] pairs, String... words) {
    assertThatThrownBy(() -> read(pairs))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void jobThatSetsNothingAsksForNoSample() throws BadSettingException {
    SampleSettings settings = read();
    assertThat(settings.isAsked()).isFalse();
    assertThat(settings.mode()).isEqualTo(Mode.ON);
    assertThat(settings.blocks()).isEmpty();
    assertThat(settings.ratio()).isEmpty();
    assertThat(settings.sampler()).isEmpty();
    assertThat(settings.record()).isEmpty();
    assertThat(settings.chooseBySize()).isFalse();
    assertThat(settings.localityWait()).isEqualTo(Duration.ofSeconds(3));
    assertThat(settings.needed(10)).isEmpty();
  }

  @Test
  void everyDefaultIsAllowed() throws BadSettingException {
    for (Setting<?> setting : SampleSettings.ALL) {
      setting.parse(setting.defaultText());
      assertThat(setting.key()).startsWith(PREFIX);
    }
  }

  @Test
  void everyKeyIsRead() throws BadSettingException {
    SampleSettings settings =
        read(
            "mode", "observe",
            "blocks", "7",
            "sampler", "org.example.Strata",
            "choose-by-size", "true",
            "locality-wait", "500ms");
    assertThat(settings.mode()).isEqualTo(Mode.OBSERVE);
    assertThat(settings.blocks()).hasValue(7);
    assertThat(settings.sampler()).contains("org.example.Strata");
    assertThat(settings.chooseBySize()).isTrue();
    assertThat(settings.localityWait()).isEqualTo(Duration.ofMillis(500));
    assertThat(read("ratio", "0.25").ratio()).hasValue(0.25);
    assertThat(read("record", "hdfs://n/out").record()).contains("hdfs://n/out");
  }

  @ParameterizedTest
  @CsvSource({"blocks, 1", "ratio, 1", "sampler, org.example.Strata", "record, /out"})
  void anyOneOfTheseAsksForASample(String key, String value) throws BadSettingException {
    assertThat(read(key, value).isAsked()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"mode, off", "choose-by-size, true", "locality-wait, 1s", "blocks, ' '"})
  void theOthersDoNot(String key, String value) throws BadSettingException {
    assertThat(read(key, value).isAsked()).isFalse();
  }

  @Test
  void numberAndShareTogetherAreRefused() {
    assertRefused(
        new String[] {"blocks", "3", "ratio", "0.5"},
        PREFIX + "blocks is 3",
        PREFIX + "ratio is 0.5");
  }

  @ParameterizedTest
  @CsvSource({"blocks, 3", "ratio, 0.5", "sampler, org.example.Strata"})
  void recordBesideAnotherRequestIsRefused(String key, String value) {
    assertRefused(
        new String[] {"record", "/out", key, value}, PREFIX + "record names", PREFIX + key);
  }

  @ParameterizedTest
  @CsvSource({
    "ratio, 0",
    "ratio, 0.0",
    "ratio, -0.0",
    "ratio, 1.5",
    "ratio, -0.1",
    "ratio, NaN",
    "ratio, half",
    "blocks, 0",
    "blocks, -1",
    "blocks, 2.5",
    "blocks, 99999999999",
    "mode, perhaps",
    "choose-by-size, 1",
    "locality-wait, 3",
    "locality-wait, 11m"
  })
  void badValueIsRefusedWithItsKey(String key, String value) {
    assertRefused(new String[] {key, value}, PREFIX + key + " is ");
  }

  @Test
  void unknownKeyIsRefusedWithTheNearest() {
    assertRefused(
        new String[] {"bloks", "3"}, PREFIX + "bloks", "'3'", "nearest: " + PREFIX + "blocks");
  }

  @ParameterizedTest
  @CsvSource({
    "0.1, 30, 3",
    "0.1, 31, 4",
    "0.1, 1, 1",
    "0.07, 100, 7", // 7.000000000000001 as a product of doubles
    "0.29, 100, 29", // 28.999999999999996
    "0.55, 100, 55", // 55.00000000000001
    "0.333, 3, 1",
    "0.334, 3, 2",
    "1e-9, 1000, 1",
    "1, 1, 1",
    "1, 2147483647, 2147483647",
    "1.0, 123457, 123457"
  })
  void shareIsRoundedUpToBlocks(String ratio, int total, int needed) throws BadSettingException {
    assertThat(read("ratio", ratio).needed(total)).hasValue(needed);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 10, 49, 1000, 99_991})
  void shareOfKBlocksIsKBlocks(int total) throws BadSettingException {
    for (int k = 1; k <= total; k += 1 + total / 50) {
      String ratio = Double.toString((double) k / total);
      assertThat(read("ratio", ratio).needed(total)).hasValue(k);
    }
  }

  @Test
  void moreBlocksThanThereAreAreRefused() throws BadSettingException {
    SampleSettings settings = read("blocks", "5");
    assertThat(settings.needed(5)).hasValue(5);
    assertThatThrownBy(() -> settings.needed(4))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContainingAll(PREFIX + "blocks is 5", "4 splits");
    assertThatThrownBy(() -> settings.needed(0)).isInstanceOf(BadSettingException.class);
  }

  @Test
  void shareOfNothingIsRefused() throws BadSettingException {
    SampleSettings settings = read("ratio", "0.5");
    assertThatThrownBy(() -> settings.needed(0))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContaining(PREFIX + "ratio");
  }

  @Test
  void settingsWithoutADefaultHaveTheirRangeAndNoValue() throws BadSettingException {
    assertThat(SampleSettings.BLOCKS.defaultText()).isEmpty();
    assertThat(SampleSettings.BLOCKS.parse(null)).isNull();
    assertThat(SampleSettings.BLOCKS.parse(" ")).isNull();
    assertThat(SampleSettings.BLOCKS.parse("12")).isEqualTo(12);
    assertThat(SampleSettings.BLOCKS.type()).isEqualTo("integer");
    assertThat(SampleSettings.RATIO.parse(null)).isNull();
    assertThat(SampleSettings.RATIO.parse("0.5")).isEqualTo(0.5);
    assertThat(SampleSettings.RATIO.allowed()).isEqualTo("0.0 to 1.0");
    assertThat(SampleSettings.RATIO.type()).isEqualTo("number");
  }
}
