// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
}
