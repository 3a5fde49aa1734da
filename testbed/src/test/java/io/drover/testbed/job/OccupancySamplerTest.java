// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.drover.testbed.cluster.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OccupancySamplerTest {
  private static final String METRICS =
      "{\"clusterMetrics\":{\"allocatedMB\":4096,\"totalMB\":6144,\"availableMB\":2048}}";

  /** A busy machine takes seconds until it answers itself. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void seesUtilisationClonesAndKills() throws Exception {
    Instant began = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    answer("/metrics", METRICS);
    answer(
        "/drover",
        "{\"settings\":{\"maxUtilisation\":0.6},\"clones\":{\"running\":6,\"memoryMB\":1536},"
            + "\"killedLately\":["
            + kill("c2", began.plusMillis(1500))
            + ","
            + kill("c1", began.plusMillis(1000))
            + ","
            + kill("earlier", began.minusSeconds(60))
            + "]}");

    Occupancy seen = seen(true, began, occupancy -> occupancy.samples().size() >= 2);

    assertThat(seen.tau()).isEqualTo(0.6);
    assertThat(seen.missed()).isZero();
    Occupancy.Sample sample = seen.samples().get(0);
    assertThat(sample.utilisation()).isCloseTo(2 / 3.0, within(1e-9));
    assertThat(sample.clones()).isEqualTo(6);
    assertThat(sample.cloneShare()).isEqualTo(0.25);
    assertThat(seen.kills())
        .extracting(Duration::toMillis)
        .containsExactly(1000L, 1500L); // each kill once, though every sample has it
  }

  @Test
  void withoutDroversSchedulerThereAreNoClonesAndTauIsTheDefault() throws Exception {
    answer("/metrics", METRICS);

    Occupancy seen = seen(false, Instant.now(), occupancy -> !occupancy.samples().isEmpty());

    assertThat(seen.tau()).isEqualTo(0.7);
    assertThat(seen.peakClones()).isZero();
    assertThat(seen.missed()).isZero();
  }

  @Test
  void failedLooksAreCountedAndTheNextMaySucceed() throws Exception {
    Instant began = Instant.now();
    Predicate<Occupancy> done =
        occupancy -> {
          if (occupancy.missed() > 0 && occupancy.samples().isEmpty()) {
            answerOnce();
          }
          return !occupancy.samples().isEmpty();
        };

    Occupancy seen = seen(false, began, done);

    assertThat(seen.missed()).isPositive();
    assertThat(seen.why()).contains("/metrics answered 404");
  }

  private boolean answered;

  private void answerOnce() {
    if (!answered) {
      answered = true;
      answer("/metrics", METRICS);
    }
  }

  private Occupancy seen(boolean hasDrover, Instant zero, Predicate<Occupancy> done)
      throws Exception {
    String services = "http://127.0.0.1:" + server.getAddress().getPort();
    try (OccupancySampler sampler = OccupancySampler.start(services, hasDrover, PATIENCE)) {
      assertThat(
              Await.until(
                  PATIENCE, Duration.ofMillis(20), () -> done.test(sampler.since(zero, List.of()))))
          .isTrue();
      return sampler.since(zero, List.of());
    }
  }

  private void answer(String path, String json) {
    server.createContext(path, exchange -> send(exchange, json));
  }

  private static void send(HttpExchange exchange, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String kill(String container, Instant at) {
    return String.format(
        "{\"at\":%d,\"container\":\"%s\",\"why\":\"Drover: the clone gave way to an ordinary"
            + " request\"}",
        at.toEpochMilli(), container);
  }
}
