// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.appmaster.FetchesUnderWay.FromHost;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchesUnderWayTest {
  private long now;
  private final FetchesUnderWay fetches = new FetchesUnderWay(() -> now, "own");

  private void fetched(String host, long bytes, long millis) {
    FetchesUnderWay.Transfer transfer = fetches.begin(host);
    transfer.received(bytes);
    now += millis;
    transfer.end(true);
  }

  private Optional<List<FromHost>> said() {
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
  void longFetchIsSaidWithAllThatCameFromItsHost() {
    fetched("slow", 5_000, 1000);
    FetchesUnderWay.Transfer under = fetches.begin("slow");
    under.received(4_000);
    now += 4_000;
    assertThat(said()).contains(List.of(new FromHost("slow", 9_000, 1_000, 0)));
    under.received(6_000);
    now += 1_000;
    assertThat(said()).contains(List.of(new FromHost("slow", 15_000, 2_000, 0)));
    under.end(true);
    assertThat(said()).isEmpty();
  }

  @Test
  void usualIsWhatOthersHaveSentMeanwhile() {
    fetched("before", 9_000_000, 100);
    FetchesUnderWay.Transfer under = fetches.begin("slow");
    under.received(3_000);
    now += 3_000;
    assertThat(said()).contains(List.of(new FromHost("slow", 3_000, 1_000, 90_000_000)));
    fetched("b", 1_000_000, 1_000);
    fetched("slow", 4_000, 1_000);
    fetched("c", 3_000_000, 1_000);
    fetched("a", 2_000_000, 1_000);
    assertThat(said()).contains(List.of(new FromHost("slow", 7_000, 429, 2_000_000)));
  }

  @Test
  void whatComesFromTheOwnHostIsNotUsual() {
    fetches.begin("slow").received(3_000);
    fetched("own", 9_000_000, 1_000);
    fetched("other", 2_000, 2_000);
    assertThat(said()).contains(List.of(new FromHost("slow", 3_000, 1_000, 1_000)));
  }

  /** As behind a link of 4 Mbit/s, whose answers began when all other outputs had come. */
  @Test
  void usualIsElseWhatOthersHaveSentShortlyBefore() {
    fetched("a", 200_000, 100);
    now += FetchesUnderWay.SHORTLY_MILLIS - 1;
    fetches.begin("slow").received(3_000);
    now += 3_000;
    assertThat(said()).contains(List.of(new FromHost("slow", 3_000, 1_000, 2_000_000)));
  }

  @Test
  void whatOthersHaveSentLongBeforeIsNotUsual() {
    fetched("a", 200_000, 100);
    now += FetchesUnderWay.SHORTLY_MILLIS;
    fetches.begin("slow").received(3_000);
    now += 3_000;
    assertThat(said()).contains(List.of(new FromHost("slow", 3_000, 1_000, 0)));
  }

  /** The reduce's own link may have become slow. */
  @Test
  void whatCameBeforeIsNotUsualWhileOthersSend() {
    fetched("a", 200_000, 100);
    fetches.begin("b");
    fetches.begin("slow").received(3_000);
    now += 3_000;
    assertThat(said())
        .hasValueSatisfying(said -> assertThat(said).extracting(FromHost::usual).containsOnly(0L));
  }

  @Test
  void fetchThatFailsBeginsAnew() {
    FetchesUnderWay.Transfer failed = fetches.begin("slow");
    failed.received(4_000);
    now += 4_000;
    failed.end(false);
    fetches.begin("slow").received(3_000);
    now += 3_000;
    assertThat(said()).contains(List.of(new FromHost("slow", 3_000, 1_000, 0)));
  }

  @Test
  void hostIsListedOnceAndTheSlowestFirst() {
    fetches.begin("b").received(50_000);
    fetches.begin("a").received(9_000);
    fetches.begin("b").received(10_000);
    now += 10_000;
    assertThat(said())
        .hasValueSatisfying(
            said -> assertThat(said).extracting(FromHost::host).containsExactly("a", "b"));
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
        "fetching:1:a,1,1,1;",
        "drover:fetching:1:",
        "drover:fetching:1:;",
        "drover:fetching:1:a,1,1,1",
        "drover:fetching:1:a,1,1;",
        "drover:fetching:1:a,1,1,1;b",
        "drover:fetching:1:a;b,1,1,1;",
        "drover:fetching:1:a,1,1,1;;",
        "drover:fetching:1:a,1,-1,1;",
        "drover:fetching:1:a,1,1,1,1;",
        "drover:fetching:1:a,1,9999999999999999999,1;",
        "drover:fetching:1:a,1,92233720368547758090,1;",
        "drover:fetching:1:a,1,NaN,1;",
        "drover:fetching:2:a,1,1,1;"
      })
  void whatIsNoSuchLineIsIgnored(String line) {
    assertThat(FetchesUnderWay.decode(line)).isEmpty();
  }

  @Test
  void lineThatIsTooLongIsIgnored() {
    String entry = "a,1,1,1;";
    String prefix = "drover:fetching:1:";
    assertThat(FetchesUnderWay.decode(prefix + entry.repeat(5_000))).isEmpty();
    assertThat(FetchesUnderWay.decode(prefix + entry.repeat(51))).isEmpty();
    assertThat(FetchesUnderWay.decode(prefix + entry.repeat(50))).isPresent();
  }
}
