// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.PlacementSettings;
import io.drover.core.placement.LinkBandwidths.Bandwidths;
import io.drover.core.placement.LinkBandwidths.Basis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class LinkBandwidthsTest {
  private static final double MB = 1e6;

  private final LinkMeter meter = new LinkMeter();

  /** Fills a link for some seconds with fetches that it limits, second by second. */
  private void full(String from, String to, int start, int seconds, double rate) {
    for (int i = 0; i < seconds; i++) {
      meter.add(from, to, start + i, start + i + 1, rate / 2);
      meter.add(from, to, start + i + 0.25, start + i + 0.75, rate / 2);
    }
  }

  /** Adds fetches whose demand comes and goes. */
  private void bursts(String from, String to, int start, int seconds, double peak) {
    for (int i = 0; i < seconds; i++) {
      meter.add(
          from, to, start + i, start + i + 1, peak * (1 + i % 4) / 4 * (i % 2 == 0 ? 0.2 : 1));
    }
  }

  @Test
  void linkThatCarriesTheSameAllTheTimeIsALimit() {
    full("/a", "/b", 0, 10, 10 * MB);
    full("/c", "/b", 20, 5, 40 * MB); // so that /b does not receive a steady 10 MB/s
    assertThat(meter.up("/a").orElseThrow()).isBetween(9.9 * MB, 10.1 * MB);
    assertThat(meter.up("/c").orElseThrow()).isBetween(39 * MB, 41 * MB);
    assertThat(meter.widest().orElseThrow()).isBetween(39 * MB, 41 * MB);
    assertThat(meter.sent("/a")).isEqualTo(100 * MB);
    assertThat(meter.received("/b")).isEqualTo(300 * MB);
  }

  @Test
  void linkThatFollowsTheDemandIsNone() {
    bursts("/a", "/b", 0, 40, 80 * MB);
    assertThat(meter.up("/a")).isEmpty();
    assertThat(meter.widest()).isPresent();
  }

  @Test
  void limitIsFoundBesideTheLinksThatItHoldsUp() {
    // /slow has 2 MB/s each way. The others exchange bursts and read from /slow.
    full("/slow", "/b", 0, 20, 1 * MB);
    full("/slow", "/c", 0, 20, 1 * MB);
    bursts("/b", "/c", 0, 20, 30 * MB);
    bursts("/c", "/b", 3, 20, 30 * MB);
    assertThat(meter.up("/slow").orElseThrow()).isBetween(1.9 * MB, 2.1 * MB);
    assertThat(meter.up("/b")).isEmpty();
    assertThat(meter.down("/c")).isEmpty();
  }

  @Test
  void longFetchIsSpreadOverItsTime() {
    meter.add("/a", "/b", 0.5, 10.5, 100 * MB);
    assertThat(meter.up("/a").orElseThrow()).isBetween(9.9 * MB, 10.1 * MB);
  }

  @Test
  void fetchWithinARackCrossesNoLink() {
    full("/a", "/a", 0, 10, 100 * MB);
    assertThat(meter.up("/a")).isEmpty();
    assertThat(meter.sent("/a")).isZero();
  }

  @Test
  void fewSecondsSayNothing() {
    full("/a", "/b", 0, 4, 100 * MB);
    assertThat(meter.up("/a")).isEmpty();
    assertThat(meter.widest()).isEmpty();
  }

  private LinkBandwidths bandwidths(Map<String, PlacementSettings.Link> said) {
    return bandwidths(said, known(Map.of()));
  }

  private LinkBandwidths bandwidths(
      Map<String, PlacementSettings.Link> said, LinkBandwidths.Known cluster) {
    return new LinkBandwidths(
        new PlacementSettings(Duration.ZERO, said, Duration.ofSeconds(60)), meter::rates, cluster);
  }

  /** Creates bandwidths that others have measured out of racks, and none into racks. */
  private static LinkBandwidths.Known known(Map<String, Double> up) {
    return new LinkBandwidths.Known() {
      @Override
      public OptionalDouble up(String rack) {
        return up.containsKey(rack) ? OptionalDouble.of(up.get(rack)) : OptionalDouble.empty();
      }

      @Override
      public OptionalDouble down(String rack) {
        return OptionalDouble.empty();
      }
    };
  }

  @Test
  void whatOthersMeasuredHoldsUntilTheJobHasMeasuredItself() {
    PlacementSettings.Link said = new PlacementSettings.Link(7 * MB, 8 * MB);
    LinkBandwidths.Known others = known(Map.of("/a", 50 * MB, "/b", 60 * MB, "/c", 40 * MB));
    List<String> racks = List.of("/a", "/b", "/c", "/d");
    Bandwidths before = bandwidths(Map.of("/b", said), others).now(racks);
    assertThat(before.basis()).isEqualTo(Basis.MEASURED);
    assertThat(before.up()).containsExactly(50 * MB, 7 * MB, 40 * MB, 60 * MB);
    full("/a", "/x", 0, 10, 10 * MB);
    Bandwidths after = bandwidths(Map.of("/b", said), others).now(racks);
    assertThat(after.up()).containsExactly(10 * MB, 7 * MB, 40 * MB, 60 * MB);
    assertThat(bandwidths(Map.of(), others).equal(racks).up()).containsOnly(60 * MB);
  }

  @Test
  void whereNothingIsMeasuredOnlyWhatIsSaidCounts() {
    PlacementSettings.Link fast = new PlacementSettings.Link(1250 * MB, 625 * MB);
    Bandwidths now = bandwidths(Map.of("/a", fast)).now(List.of("/a", "/b"));
    assertThat(now.basis()).isEqualTo(Basis.CONFIGURED);
    assertThat(now.up()).containsExactly(1250 * MB, 125 * MB);
    assertThat(now.down()).containsExactly(625 * MB, 125 * MB);
  }

  @Test
  void limitsCountNowAndAllAreAlikeInTheLongRun() {
    full("/a", "/d", 0, 10, 10 * MB);
    full("/b", "/d", 20, 10, 30 * MB);
    List<String> racks = List.of("/a", "/b", "/c");
    LinkBandwidths links = bandwidths(Map.of("/b", new PlacementSettings.Link(7 * MB, 8 * MB)));
    Bandwidths now = links.now(racks);
    assertThat(now.basis()).isEqualTo(Basis.MEASURED);
    // The configured /b takes precedence; racks without a measurement get the widest link.
    assertThat(now.up()).containsExactly(10 * MB, 7 * MB, 30 * MB);
    assertThat(now.down()).containsExactly(30 * MB, 8 * MB, 30 * MB);
    Bandwidths equal = links.equal(racks);
    assertThat(equal.basis()).isEqualTo(Basis.EQUAL);
    assertThat(equal.up()).containsExactly(30 * MB, 7 * MB, 30 * MB);
  }
}
