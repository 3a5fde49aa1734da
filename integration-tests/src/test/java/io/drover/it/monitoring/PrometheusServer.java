// SPDX-License-Identifier: Apache-2.0
package io.drover.it.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A Prometheus that asks a ResourceManager every few seconds, set up as docs/monitoring.md says.
 */
final class PrometheusServer implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Process process;
  private final URI address;

  private PrometheusServer(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  /** Returns where Prometheus is installed. */
  static Optional<Path> installed() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(directory -> Path.of(directory, "prometheus"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts one, and waits until it answers.
   *
   * @param program where it is installed
   * @param home for all that it writes
   * @param resourceManager host and port of the web pages
   * @param monitoring the directory with the rules and the dashboard
   */
  static PrometheusServer start(Path program, Path home, String resourceManager, Path monitoring)
      throws IOException {
    Path config = home.resolve("prometheus.yml");
    Files.writeString(
        config,
        String.join(
            "\n",
            // An answer that takes longer than an interval is none.
            "global: {scrape_interval: 5s, scrape_timeout: 5s, evaluation_interval: 1s}",
            "scrape_configs:",
            "  - job_name: resourcemanager",
            "    metrics_path: /prom",
            "    static_configs:",
            "      - targets: ['" + resourceManager + "']",
            "rule_files: ['" + monitoring.resolve("drover-alerts.yml") + "']",
            ""));
    String listen = "127.0.0.1:" + freePort();
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--config.file=" + config,
                "--storage.tsdb.path=" + home.resolve("data"),
                "--web.console.templates=" + monitoring,
                "--web.listen-address=" + listen)
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("prometheus.log").toFile())
            .start();
    PrometheusServer server = new PrometheusServer(process, URI.create("http://" + listen + "/"));
    boolean runs = false;
    try {
      Awaitility.await("Prometheus answers")
          .atMost(LIMIT)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> server.get("-/ready").statusCode() == 200);
      runs = true;
      return server;
    } finally {
      if (!runs) {
        server.close();
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }

  /** Returns the answer to a request for a page. */
  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(address.resolve(path)).timeout(LIMIT).build();
    return HTTP.send(request, BodyHandlers.ofString());
  }

  /** Returns the data of an answer of the HTTP API. */
  JsonNode api(String path) throws IOException, InterruptedException {
    JsonNode answer = JSON.readTree(get("api/v1/" + path).body());
    if (!answer.path("status").asText().equals("success")) {
      throw new IOException(path + ": " + answer);
    }
    return answer.get("data");
  }

  /** Returns the value of a metric; empty if there is none. */
  OptionalDouble value(String metric) throws IOException, InterruptedException {
    String query = URLEncoder.encode(metric, StandardCharsets.UTF_8);
    JsonNode result = api("query?query=" + query).get("result");
    return result.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(result.get(0).get("value").get(1).asDouble());
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
