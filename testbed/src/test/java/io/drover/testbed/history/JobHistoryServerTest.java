// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a real server answers is read in {@code SmokeIT}. */
class JobHistoryServerTest {
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(404, -1);
          }
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @ParameterizedTest
  @CsvSource({"'',''", "/,''", "/gateway/mr,/gateway/mr", "/gateway/mr/,/gateway/mr"})
  void interfaceIsBelowTheAddress(String given, String asked) {
    String address = "http://127.0.0.1:" + server.getAddress().getPort();
    JobHistoryServer history = new JobHistoryServer(URI.create(address + given));

    assertThatThrownBy(() -> history.read("job_1_0001"))
        .hasMessage(
            address + asked + "/ws/v1/history/mapreduce/jobs/job_1_0001 answers with status 404");
  }
}
