// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.PlacementSettings;
import io.drover.core.placement.LinkBandwidths.Bandwidths;
import io.drover.core.placement.LinkBandwidths.Basis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LinkBandwidthsTest {
  private static final double MB = 1e6;

  private final LinkMeter meter = new LinkMeter();

  @Test
  void bandwidthIsWhatCrossedWhileSomethingDid() {
    meter.add("/a", "/b", 10, 12, 4 * MB);
    meter.add("/a", "/c", 11, 13, 5 * MB); // overlaps
    meter.add("/a", "/b", 20, 21, 3 * MB); // after a pause
    assertThat(meter.up("/a")).hasValue(12 * MB / 4);
    assertThat(meter.down("/b")).hasValue(7 * MB / 3);
    assertThat(meter.down("/c")).hasValue(5 * MB / 2);
    assertThat(meter.sent("/a")).isEqualTo(12 * MB);
    assertThat(meter.received("/b")).isEqualTo(7 * MB);
  }

  @Test
  void intervalThatSpansOthersIsBusyOnce() {
    meter.add("/a", "/b", 1, 2, MB);
    meter.add("/a", "/b", 3, 4, MB);
    meter.add("/a", "/b", 0, 5, MB);
    meter.add("/a", "/b", 2, 3, MB);
    assertThat(meter.up("/a")).hasValue(4 * MB / 5);
  }

  @Test
  void fetchWithinARackCrossesNoLink() {
    meter.add("/a", "/a", 0, 10, 100 * MB);
    assertThat(meter.up("/a")).isEmpty();
    assertThat(meter.sent("/a")).isZero();
  }

  @Test
  void fewBytesOrAMomentSayNothing() {
    meter.add("/a", "/b", 0, 10, 1000);
    meter.add("/c", "/b", 0, 0.01, 100 * MB);
    assertThat(meter.up("/a")).isEmpty();
    assertThat(meter.up("/c")).isEmpty();
  }

  private LinkBandwidths bandwidths(Map<String, PlacementSettings.Link> said) {
    return new LinkBandwidths(
        new PlacementSettings(Duration.ZERO, said, Duration.ofSeconds(60)), meter);
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
  void measuredLinksCountNowAndAreAlikeInTheLongRun() {
    meter.add("/a", "/d", 0, 1, 10 * MB);
    meter.add("/b", "/d", 0, 1, 30 * MB);
    meter.add("/c", "/d", 0, 1, 20 * MB);
    List<String> racks = List.of("/a", "/b", "/c", "/d", "/e");
    LinkBandwidths links = bandwidths(Map.of("/b", new PlacementSettings.Link(7 * MB, 8 * MB)));
    Bandwidths now = links.now(racks);
    assertThat(now.basis()).isEqualTo(Basis.MEASURED);
    // what was said of /b goes before; /d and /e send as the median of those that were measured
    assertThat(now.up()).containsExactly(10 * MB, 7 * MB, 20 * MB, 15 * MB, 15 * MB);
    assertThat(now.down()).containsExactly(60 * MB, 8 * MB, 60 * MB, 60 * MB, 60 * MB);
    Bandwidths equal = links.equal(racks);
    assertThat(equal.basis()).isEqualTo(Basis.EQUAL);
    assertThat(equal.up()).containsExactly(15 * MB, 7 * MB, 15 * MB, 15 * MB, 15 * MB);
  }
}
