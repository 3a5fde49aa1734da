// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebClientTest {
  private final WebClient web = new WebClient(Duration.ofSeconds(30), System::currentTimeMillis);
  private HttpServer server;
  private URI home;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    home = URI.create("http://localhost:" + server.getAddress().getPort() + "/");
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(int status, String text) {
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
          }
        });
  }

  @Test
  void jsonIsRead() throws IOException {
    answer(200, "{\"a\": 7}");
    assertThat(web.json(home).path("a").asInt()).isEqualTo(7);
  }

  @Test
  void anotherStatusIsNamed() {
    answer(404, "");
    assertThatThrownBy(() -> web.json(home))
        .isInstanceOf(IOException.class)
        .hasMessage(home + " answers with status 404");
  }

  @Test
  void whatIsNoJsonIsRefused() {
    answer(200, "{\"tasks\": [");
    assertThatThrownBy(() -> web.json(home))
        .isInstanceOf(IOException.class)
        .hasMessage(home + " answers without JSON");
  }

  @Test
  void silentServerIsNamed() {
    stop();
    assertThatThrownBy(() -> web.json(home))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(home + " does not answer: ");
  }

  /** Answers with blanks without end, long before the time-out of a part. */
  private static void drip(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    ScheduledExecutorService drops = Executors.newSingleThreadScheduledExecutor();
    drops.scheduleWithFixedDelay(
        () -> {
          try {
            exchange.getResponseBody().write(' ');
            exchange.getResponseBody().flush();
          } catch (IOException e) {
            drops.shutdown(); // the server has been stopped
          }
        },
        0,
        50,
        TimeUnit.MILLISECONDS);
  }

  @Test
  void serverThatNeverEndsItsAnswerIsGivenUp() {
    server.createContext("/", WebClientTest::drip);
    WebClient impatient =
        new WebClient(Duration.ofSeconds(30), Duration.ofMillis(300), System::currentTimeMillis);

    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () ->
            assertThatThrownBy(() -> impatient.get(home))
                .isInstanceOf(IOException.class)
                .hasMessage("no whole answer within 0.3 s"));
  }

  @Test
  void answerThatEndsInTimeIsAsWithoutALimit() throws IOException {
    answer(200, "{\"a\": 7}");
    WebClient limited =
        new WebClient(Duration.ofSeconds(30), Duration.ofSeconds(30), System::currentTimeMillis);

    assertThat(limited.json(home).path("a").asInt()).isEqualTo(7);
    stop();
    assertThatThrownBy(() -> limited.json(home))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(home + " does not answer: ");
  }
}
