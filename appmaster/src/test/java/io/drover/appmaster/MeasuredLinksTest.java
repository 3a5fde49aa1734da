// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.config.PlacementSettings;
import io.drover.core.placement.LinkBandwidths.Basis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MeasuredLinksTest {
  private static final long T = 1_700_000_000_000L;
  private static final PlacementSettings NOTHING_SAID =
      new PlacementSettings(Duration.ZERO, Map.of(), Duration.ofSeconds(60));

  private static void fetched(MeasuredLinks links, String from, long bytesPerSecond) {
    Fetches fetches = new Fetches();
    fetches.add(new Fetches.Fetch(from, T, T + 10_000, 10 * bytesPerSecond));
    fetches.encode().forEach(line -> links.onLine("/here", line, T, T + 60_000));
    links.publish();
  }

  /** The decision log, say, may hang: the allocator's heartbeat must go on. */
  @Test
  @Timeout(30)
  void readersWaitForNothing() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    AtomicInteger written = new AtomicInteger();
    MeasuredLinks links =
        new MeasuredLinks(
            NOTHING_SAID,
            host -> "/" + host,
            new ClusterChannel(),
            (type, fields) -> {
              if (written.incrementAndGet() > 2) {
                try {
                  hangs.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
            });
    fetched(links, "a", 1_000_000);
    int news = links.news();
    assertThat(news).isPositive();
    CompletableFuture<Void> working =
        CompletableFuture.runAsync(() -> fetched(links, "b", 2_000_000));
    await().until(() -> written.get() > 2);
    CompletableFuture<Void> asking =
        CompletableFuture.runAsync(
            () -> {
              assertThat(links.now(List.of("/a")).up()).containsExactly(1_000_000);
              assertThat(links.now(List.of("/a")).basis()).isEqualTo(Basis.MEASURED);
              assertThat(links.equal(List.of("/a")).basis()).isEqualTo(Basis.EQUAL);
              assertThat(links.news()).isEqualTo(news);
            });
    try {
      asking.get(10, TimeUnit.SECONDS);
    } finally {
      hangs.countDown();
    }
    working.get(10, TimeUnit.SECONDS);
    assertThat(links.news()).isGreaterThan(news);
    assertThat(links.now(List.of("/b")).up()).containsExactly(2_000_000);
  }

  @Test
  void rackOfAHostIsLookedUpOnce() {
    AtomicInteger lookedUp = new AtomicInteger();
    MeasuredLinks links =
        new MeasuredLinks(
            NOTHING_SAID,
            host -> "/" + host + lookedUp.incrementAndGet(),
            new ClusterChannel(),
            (type, fields) -> {});
    fetched(links, "a", 1_000_000);
    fetched(links, "a", 1_000_000);
    assertThat(lookedUp).hasValue(1);
  }
}
