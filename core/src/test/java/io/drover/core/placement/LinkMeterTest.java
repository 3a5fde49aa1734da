// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkMeterTest {
  /** Follows the rule for one link literally: a number for each second, all of them sorted. */
  private static final class Slow {
    private final Map<Long, Double> seconds = new HashMap<>();
    private double bytes;

    void add(double start, double end, double amount) {
      bytes += amount;
      for (long second = (long) Math.floor(start); second <= (long) Math.floor(end); second++) {
        double overlap = Math.min(end, second + 1.0) - Math.max(start, (double) second);
        double share = end > start ? overlap / (end - start) : 1;
        if (share > 0) {
          seconds.merge(second, amount * share, Double::sum);
        }
      }
    }

    OptionalDouble rate() {
      List<Double> rates = new ArrayList<>(seconds.values());
      rates.sort(Comparator.reverseOrder());
      double faster = 0;
      for (double rate : rates) {
        faster += rate;
        if (seconds.size() >= 5 && faster > 0.1 * bytes) {
          return OptionalDouble.of(rate);
        }
      }
      return OptionalDouble.empty();
    }

    OptionalDouble limit() {
      OptionalDouble rate = rate();
      double atRate =
          seconds.values().stream()
              .filter(r -> r >= 0.7 * rate.orElse(0))
              .mapToDouble(Double::doubleValue)
              .sum();
      return atRate >= 0.6 * bytes ? rate : OptionalDouble.empty();
    }
  }

  private static void assertSame(OptionalDouble actual, OptionalDouble expected) {
    assertThat(actual.isPresent()).isEqualTo(expected.isPresent());
    expected.ifPresent(
        rate -> assertThat(actual.getAsDouble()).isCloseTo(rate, within(1e-6 * rate + 1e-6)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void figuresAreThoseOfTheRuleAtAnyTimeAndInAnyOrder(long seed) {
    Random random = new Random(seed);
    LinkMeter meter = new LinkMeter();
    Slow slow = new Slow();
    double origin = 1.7e9 + random.nextInt(1000);
    for (int i = 0; i < 400; i++) {
      double start = origin + Math.floor(random.nextDouble() * 3000_000) / 1000;
      double length =
          switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextInt(4);
            case 2 -> random.nextDouble();
            default -> random.nextInt(300_000) / 1000.0;
          };
      double bytes = random.nextInt(5) == 0 ? 0 : random.nextInt(1_000_000_000);
      meter.add("/a", "/b", start, start + length, bytes);
      slow.add(start, start + length, bytes);
      if (i % 7 == 0) {
        assertSame(meter.up("/a"), slow.limit());
        assertSame(meter.widest(), slow.rate());
      }
    }
    assertThat(meter.down("/b")).isEqualTo(meter.up("/a"));
    assertThat(meter.sent("/a")).isCloseTo(slow.bytes, within(1e-3));
  }

  @Test
  void transfersOfNoBytesSayNothing() {
    LinkMeter meter = new LinkMeter();
    meter.add("/a", "/b", 0, 100, 0);
    assertThat(meter.up("/a")).isEmpty();
    assertThat(meter.widest()).isEmpty();
  }

  @Test
  void whatWasHoursAgoIsForgotten() {
    LinkMeter meter = new LinkMeter();
    for (int hour = 0; hour < 50; hour++) {
      double rate = 1e6 * (hour + 1);
      meter.add("/a", "/b", 3600.0 * hour + 0.5, 3600.0 * (hour + 1), 3599.5 * rate);
      assertThat(meter.widest().orElseThrow()).isCloseTo(rate, within(1.0));
    }
    meter.add("/a", "/b", 0, 10, 1e12); // too late to count for the rate, but not for the sum
    assertThat(meter.widest().orElseThrow()).isCloseTo(50e6, within(1.0));
    assertThat(meter.sent("/a")).isGreaterThan(1e12);
    meter.add("/a", "/b", 1e9, 1e9 + 10, 1e7); // so late that nothing before it counts
    assertThat(meter.up("/a").orElseThrow()).isCloseTo(1e6, within(1.0));
  }

  @Test
  void longTransferThatBeganBeforeWhatIsKeptCountsFromThere() {
    LinkMeter meter = new LinkMeter();
    meter.add("/a", "/b", 10_000, 10_010, 0);
    meter.add("/a", "/b", 10_010 - 4096 - 100, 10_010 - 4096 + 100, 200e6);
    assertThat(meter.widest().orElseThrow()).isCloseTo(1e6, within(1.0));
    assertThat(meter.up("/a").orElseThrow()).isCloseTo(1e6, within(1.0));
  }

  @Test
  void ratesStayAsTheyWereWhenTheyWereAskedFor() {
    LinkMeter meter = new LinkMeter();
    meter.add("/a", "/b", 0, 10, 10e6);
    LinkMeter.Rates before = meter.rates();
    meter.add("/a", "/b", 10, 20, 100e6);
    assertThat(before.up("/a").orElseThrow()).isCloseTo(1e6, within(1.0));
    assertThat(before.widest().orElseThrow()).isCloseTo(1e6, within(1.0));
    assertThat(meter.rates().down("/b").orElseThrow()).isCloseTo(10e6, within(1.0));
    assertThat(before.down("/c")).isEmpty();
  }
}
