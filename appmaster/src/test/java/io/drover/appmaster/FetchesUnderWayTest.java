// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.appmaster.FetchesUnderWay.FromHost;
import io.drover.appmaster.FetchesUnderWay.Said;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchesUnderWayTest {
  private long now;
  private final FetchesUnderWay fetches = new FetchesUnderWay(() -> now);

  private void fetched(String host, long bytes, long millis) {
    FetchesUnderWay.Transfer transfer = fetches.begin(host);
    transfer.received(bytes);
    now += millis;
    transfer.end(true);
  }

  private Optional<Said> said() {
    return fetches.encode().flatMap(FetchesUnderWay::decode);
  }

  @Test
  void nothingIsSaidOfFetchesThatAreNotLong() {
    assertThat(fetches.encode()).isEmpty();
    fetched("a", 1000, 100);
    fetches.begin("a");
    now += FetchesUnderWay.LONG_MILLIS - 1;
    assertThat(fetches.encode()).isEmpty();
  }

  @Test
  void longFetchIsSaidWithAllThatCameFromItsHostAndWhatIsUsual() {
    fetched("fast", 1_000_000, 100);
    fetched("faster", 2_000_000, 100);
    fetched("slow", 5_000, 1000);
    FetchesUnderWay.Transfer under = fetches.begin("slow");
    under.received(4_000);
    now += 4_000;
    assertThat(said()).contains(new Said(20_000_000, List.of(new FromHost("slow", 9_000, 1_000))));
    under.received(6_000);
    now += 1_000;
    assertThat(said()).contains(new Said(20_000_000, List.of(new FromHost("slow", 15_000, 2_000))));
    under.end(true);
    assertThat(said()).isEmpty();
  }

  @Test
  void fetchThatFailsBeginsAnew() {
    FetchesUnderWay.Transfer failed = fetches.begin("slow");
    failed.received(4_000);
    now += 4_000;
    failed.end(false);
    fetches.begin("slow").received(3_000);
    now += 3_000;
    assertThat(said()).contains(new Said(0, List.of(new FromHost("slow", 3_000, 1_000))));
  }

  @Test
  void hostIsListedOnceAndTheSlowestFirst() {
    fetches.begin("b").received(50_000);
    fetches.begin("a").received(9_000);
    fetches.begin("b").received(10_000);
    now += 10_000;
    assertThat(said())
        .hasValueSatisfying(
            said -> assertThat(said.hosts()).extracting(FromHost::host).containsExactly("a", "b"));
  }

  @Test
  void lineOfManyHostsIsShortEnough() {
    for (int i = 0; i < 2_000; i++) {
      fetches.begin("host.of.a.large.cluster.with.a.long.name." + i).received(i);
    }
    now += 10_000;
    assertThat(fetches.encode().orElseThrow()).hasSizeLessThan(UmbilicalMessage.MOST_CHARACTERS);
    assertThat(said()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "fetching:1:5;a,1,1;",
        "drover:fetching:1:",
        "drover:fetching:1:5",
        "drover:fetching:1:5;",
        "drover:fetching:1:5;a,1,1",
        "drover:fetching:1:-5;a,1,1;",
        "drover:fetching:1:5;a,1;",
        "drover:fetching:1:5;a,1,-1;",
        "drover:fetching:1:5;a,1,1,1;",
        "drover:fetching:1:5;a,1,9999999999999999999;",
        "drover:fetching:1:5;a,1,NaN;",
        "drover:fetching:2:5;a,1,1;"
      })
  void whatIsNoSuchLineIsIgnored(String line) {
    assertThat(FetchesUnderWay.decode(line)).isEmpty();
  }

  @Test
  void lineThatIsTooLongIsIgnored() {
    String line = "drover:fetching:1:5;" + "a,1,1;".repeat(5_000);
    assertThat(FetchesUnderWay.decode(line)).isEmpty();
    assertThat(FetchesUnderWay.decode("drover:fetching:1:5;" + "a,1,1;".repeat(51))).isEmpty();
    assertThat(FetchesUnderWay.decode("drover:fetching:1:5;" + "a,1,1;".repeat(50))).isPresent();
  }
}
