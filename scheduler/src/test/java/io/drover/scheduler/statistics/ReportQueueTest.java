// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.channel.Report;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportQueueTest {
  private static final Report SMALL = Letters.of(List.of(Letters.outcome("m", false, true)));

  private final ReportQueue inbox = new ReportQueue();

  @Test
  void eachBoxHasItsBound() {
    for (int i = 0; i < 10 * ReportQueue.MAX_LETTERS; i++) {
      assertThat(inbox.put(Letters.attempt(1), SMALL, i)).isEqualTo(i < ReportQueue.MAX_LETTERS);
    }
    assertThat(inbox.dropped()).isEqualTo(9 * ReportQueue.MAX_LETTERS);
    assertThat(inbox.put(Letters.attempt(2), SMALL, 0)).as("another's").isTrue();
  }

  @Test
  void largeLettersAreBoundedByTheirBytes() {
    int taken = 0;
    while (inbox.put(Letters.attempt(1), Letters.large(), 0)) {
      taken++;
    }
    assertThat(taken).isBetween(2, ReportQueue.MAX_LETTERS - 1);
    assertThat(inbox.bytes()).isLessThanOrEqualTo(ReportQueue.MAX_BYTES_OF_ONE);
  }

  @Test
  void thoseWhoWriteWithoutEndKeepNobodyOut() {
    int speaker = 0;
    while (inbox.bytes() < ReportQueue.MAX_BYTES - ReportQueue.MAX_BYTES_OF_ONE) {
      while (inbox.put(Letters.attempt(speaker), Letters.large(), 0)) {}
      speaker++;
    }
    for (int other = 0; other < 1000; other++) {
      while (inbox.put(Letters.attempt(speaker + other), SMALL, 0)) {}
    }
    assertThat(inbox.put(Letters.attempt(1_000_000), SMALL, 0)).isTrue();
    for (int other = 0; other < 1000; other++) {
      inbox.put(Letters.attempt(2_000_000 + other), Letters.large(), 0);
    }
    assertThat(inbox.bytes()).isLessThanOrEqualTo(2 * ReportQueue.MAX_BYTES);
  }

  @Test
  void boxesAreEmptiedInTurns() {
    for (int i = 0; i < 3; i++) {
      inbox.put(Letters.attempt(1), SMALL, i);
    }
    inbox.put(Letters.attempt(2), SMALL, 7);
    assertThat(inbox.take()).extracting(ReportQueue.Post::attempt).hasSize(2);
    assertThat(inbox.take()).hasSize(1);
    assertThat(inbox.take()).hasSize(1);
    assertThat(inbox.take()).isEmpty();
    assertThat(inbox.bytes()).isZero();
  }

  @Test
  void endsAreCountedOfThoseWhoReport() {
    inbox.ended(Letters.attempt(1), "m");
    inbox.put(Letters.attempt(1), SMALL, 0);
    inbox.ended(Letters.attempt(1), "m");
    inbox.ended(Letters.attempt(1), "m");
    inbox.ended(Letters.attempt(1), "n");
    assertThat(inbox.take())
        .singleElement()
        .satisfies(post -> assertThat(post.ended()).isEqualTo(Map.of("m", 2, "n", 1)));
  }

  @Test
  void whatIsOverIsForgottenWithItsBytes() {
    inbox.put(Letters.attempt(1), SMALL, 0);
    inbox.put(Letters.attempt(2), Letters.large(), 0);
    inbox.retain(attempt -> attempt.equals(Letters.attempt(1)));
    assertThat(inbox.attempts()).hasSize(1);
    inbox.clear();
    assertThat(inbox.bytes()).isZero();
    assertThat(inbox.attempts()).hasSize(1);
  }

  @Test
  void lettersThatAreThrownAwayCountAsDropped() {
    inbox.put(Letters.attempt(1), SMALL, 0);
    inbox.put(Letters.attempt(1), SMALL, 1);
    inbox.put(Letters.attempt(2), SMALL, 0);
    inbox.clear();
    assertThat(inbox.dropped()).isEqualTo(3);
    inbox.put(Letters.attempt(1), SMALL, 2);
    inbox.retain(attempt -> false);
    assertThat(inbox.dropped()).as("of one that is over there is nothing to learn").isEqualTo(3);
  }
}
