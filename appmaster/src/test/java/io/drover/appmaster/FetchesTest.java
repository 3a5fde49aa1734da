// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.appmaster.Fetches.Fetch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchesTest {
  private static final long T = 1_700_000_000_000L;

  private final Fetches fetches = new Fetches();

  private List<Fetch> told() {
    List<Fetch> told = new ArrayList<>();
    for (String line : fetches.encode()) {
      assertThat(line.length()).isLessThanOrEqualTo(UmbilicalMessage.MOST_CHARACTERS);
      told.addAll(Fetches.decode(line, T, T + 1_000_000_000).orElseThrow());
    }
    return told;
  }

  @Test
  void fetchesComeBackAsTheyWere() {
    Fetch one = new Fetch("n1.example", T, T + 20, 1000);
    Fetch two = new Fetch("n1.example", T + 500, T + 700, 2000);
    Fetch other = new Fetch("n2", T + 5, T + 6, 0);
    List.of(other, two, one).forEach(fetches::add);
    assertThat(told()).containsExactly(one, two, other);
  }

  @Test
  void overlappingFetchesFromOneHostAreOne() {
    fetches.add(new Fetch("n", T, T + 10, 1));
    fetches.add(new Fetch("n", T + 10, T + 20, 2));
    fetches.add(new Fetch("n", T + 5, T + 12, 4));
    assertThat(told()).containsExactly(new Fetch("n", T, T + 20, 7));
  }

  @Test
  void ofManyFetchesFromOneHostTheLongestPausesAreKept() {
    long start = T;
    for (int i = 1; i <= 20; i++) {
      fetches.add(new Fetch("n", start, start + 5, 100));
      start += 5 + i; // each pause is longer than the one before
    }
    List<Fetch> told = told();
    assertThat(told).hasSize(8);
    assertThat(told.stream().mapToLong(Fetch::bytes).sum()).isEqualTo(2000);
    assertThat(told.get(0).bytes()).isEqualTo(1300); // those with the 12 shortest pauses
    assertThat(told.get(7).start()).isEqualTo(start - 5 - 20);
  }

  @Test
  void ofTensOfThousandsOfFetchesFewAreKept() {
    for (int i = 0; i < 50_000; i++) {
      fetches.add(new Fetch("n" + i % 3, T + 20L * i, T + 20L * i + 10, 1));
    }
    assertThat(told()).hasSize(3 * 8);
    assertThat(told().stream().mapToLong(Fetch::bytes).sum()).isEqualTo(50_000);
  }

  @Test
  void littleIsToldOfThousandsOfHosts() {
    for (int host = 0; host < 4000; host++) {
      for (int i = 0; i < 4; i++) {
        fetches.add(new Fetch("node-" + host, T + 10L * i, T + 10L * i + 1, 1));
      }
    }
    assertThat(told()).hasSize(4000).allMatch(fetch -> fetch.bytes() == 4);
  }

  @Test
  void nothingFetchedIsALineToo() {
    assertThat(told()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "drover:fetches:1:n,1700000000000,1",
        "drover:fetches:1:n,1700000000000,1,2,3;",
        "drover:fetches:1:n,x,1,2;",
        "drover:fetches:1:n,1700000000000,-1,2;",
        "drover:fetches:1:n,1700000000000,1,-2;",
        "drover:fetches:1:n,1699999999999,1,2;",
        "drover:fetches:1:n,1700000000000,9223372036854775807,2;",
        "drover:fetches:2:n,1700000000000,1,2;",
        "Error: java heap space"
      })
  void whatIsNoSuchLineIsLetGo(String line) {
    assertThat(Fetches.decode(line, T, T + 1000)).isEmpty();
  }
}
