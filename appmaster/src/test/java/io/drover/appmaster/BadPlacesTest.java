// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.drover.core.placement.LinkBandwidths.Bandwidths;
import io.drover.core.placement.LinkBandwidths.Basis;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hosts are named after their racks. All racks have links of 100 bytes per second. */
class BadPlacesTest {
  private final Map<String, double[]> links = new HashMap<>();
  private long nanos;
  private final BadPlaces places =
      new BadPlaces("slow"::equals, this::bandwidths, host -> "/" + host.charAt(0), () -> nanos);

  private Bandwidths bandwidths(List<String> racks) {
    return new Bandwidths(
        racks.stream().mapToDouble(rack -> link(rack)[0]).toArray(),
        racks.stream().mapToDouble(rack -> link(rack)[1]).toArray(),
        Basis.MEASURED);
  }

  private double[] link(String rack) {
    return links.getOrDefault(rack, new double[] {100, 100});
  }

  /** Shows the rule that there are racks a to e. */
  @BeforeEach
  void racksAreSeen() {
    for (String host : List.of("a1", "b1", "c1", "d1", "e1")) {
      assertThat(places.isBehindNarrowPath(Set.of(), host)).isFalse();
    }
  }

  @Test
  void hostsThatAreKnownForOutliersAreBad() {
    TaskAttempt attempt = mock(TaskAttempt.class);
    assertThat(places.test(attempt, "slow")).isTrue();
    assertThat(places.test(attempt, "a1")).isFalse();
  }

  @Test
  void narrowLinkIntoARackIsAvoidedByThoseWhoseInputIsElsewhere() {
    links.put("/d", new double[] {100, 50});
    assertThat(places.isBehindNarrowPath(Set.of("/a"), "d1")).isTrue();
    assertThat(places.isBehindNarrowPath(Set.of("/a", "/d"), "d1")).as("it is here").isFalse();
    assertThat(places.isBehindNarrowPath(Set.of(), "d1")).as("a reduce").isFalse();
    assertThat(places.isBehindNarrowPath(Set.of("/a"), "c1")).isFalse();
  }

  @Test
  void bandwidthsAreLookedUpOncePerSecond() {
    assertThat(places.isBehindNarrowPath(Set.of("/a"), "d1")).isFalse();
    links.put("/d", new double[] {100, 50});
    nanos = 1_000_000_000;
    assertThat(places.isBehindNarrowPath(Set.of("/a"), "d1")).isFalse();
    nanos++;
    assertThat(places.isBehindNarrowPath(Set.of("/a"), "d1")).isTrue();
  }

  @Test
  void linkThatIsSomewhatNarrowerIsTaken() {
    links.put("/d", new double[] {100, 51});
    assertThat(places.isBehindNarrowPath(Set.of("/a"), "d1")).isFalse();
  }

  @Test
  void whereTheInputComesOutSlowlyNoOtherRackIsBetter() {
    links.put("/a", new double[] {10, 100});
    links.put("/d", new double[] {100, 50});
    assertThat(places.isBehindNarrowPath(Set.of("/a"), "d1")).isFalse();
    assertThat(places.isBehindNarrowPath(Set.of("/a", "/b"), "d1"))
        .as("it can come from b")
        .isTrue();
  }
}
