// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.core.config.ClusterSettings;
import io.drover.testbed.cluster.DroverCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the ResourceManager about six times a second how full the cluster is and, if Drover's
 * scheduler runs, how many clones there are. It does so on its own thread until it is closed. A
 * sample that fails is counted in the {@link Occupancy}; the next one may succeed.
 */
final class OccupancySampler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OccupancySampler.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PERIOD = Duration.ofMillis(150);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final HttpClient client;
  private final Duration patience;
  private final URI metrics;
  private final Optional<URI> drover;
  private final Instant began = Instant.now();
  private final Thread thread = new Thread(this::run, "drover-occupancy");

  // Written by the thread. Each access holds the monitor.
  private final List<Seen> seen = new ArrayList<>();
  private final Map<String, Instant> kills = new LinkedHashMap<>();
  private double tau = ClusterSettings.off().maxUtilisation();
  private int missed;
  private String why = "";

  private record Seen(Instant at, double utilisation, int clones, double cloneShare) {}

  private OccupancySampler(String services, boolean hasDrover, Duration patience) {
    this.patience = patience;
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(patience)
            .build();
    metrics = URI.create(services + "/metrics");
    drover = hasDrover ? Optional.of(URI.create(services + "/drover")) : Optional.empty();
    thread.setDaemon(true);
  }

  /** Starts to sample a cluster. */
  static OccupancySampler start(DroverCluster cluster) {
    return start(cluster.resourceManagerServices(), cluster.hasDroverScheduler(), PATIENCE);
  }

  /**
   * Starts to sample a cluster whose web services have this address.
   *
   * @param patience how long it waits to be connected, and for an answer
   */
  static OccupancySampler start(String services, boolean hasDrover, Duration patience) {
    OccupancySampler sampler = new OccupancySampler(services, hasDrover, patience);
    sampler.thread.start();
    return sampler;
  }

  private void run() {
    long next = System.nanoTime();
    try {
      while (!Thread.currentThread().isInterrupted()) {
        look();
        next = Math.max(next + PERIOD.toNanos(), System.nanoTime());
        TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed: the thread ends
    }
  }

  private void look() throws InterruptedException {
    try {
      JsonNode cluster = get(metrics).path("clusterMetrics");
      JsonNode ours = drover.isPresent() ? get(drover.get()) : JSON.createObjectNode();
      take(Instant.now(), cluster, ours);
    } catch (IOException | RuntimeException e) {
      miss(e);
    }
  }

  private JsonNode get(URI uri) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri).header("Accept", "application/json").timeout(patience).build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException(uri + " answered " + response.statusCode());
    }
    return JSON.readTree(response.body());
  }

  /** Adds a sample from what the web services answered. */
  private synchronized void take(Instant at, JsonNode cluster, JsonNode ours) throws IOException {
    double total = cluster.path("totalMB").asDouble();
    if (total <= 0) {
      throw new IOException("the cluster has no memory: " + cluster);
    }
    JsonNode clones = ours.path("clones");
    seen.add(
        new Seen(
            at,
            cluster.path("allocatedMB").asDouble() / total,
            clones.path("running").asInt(),
            clones.path("memoryMB").asDouble() / total));
    tau = ours.path("settings").path("maxUtilisation").asDouble(tau);
    for (JsonNode kill : ours.path("killedLately")) {
      Instant time = Instant.ofEpochMilli(kill.path("at").asLong());
      if (!time.isBefore(began)) {
        kills.putIfAbsent(kill.path("container").asText(), time);
      }
    }
  }

  private synchronized void miss(Exception cause) {
    if (missed == 0) {
      LOG.warn("Could not find out how full the cluster is", cause);
      why = cause.toString();
    }
    missed++;
  }

  /**
   * Returns what was seen so far.
   *
   * @param zero the time from which all others are counted
   * @param smallJobs the results of the small jobs
   */
  synchronized Occupancy since(Instant zero, List<Occupancy.SmallJob> smallJobs) {
    return new Occupancy(
        tau,
        seen.stream()
            .map(
                s ->
                    new Occupancy.Sample(
                        Duration.between(zero, s.at), s.utilisation, s.clones, s.cloneShare))
            .toList(),
        kills.values().stream().sorted().map(at -> Duration.between(zero, at)).toList(),
        smallJobs,
        missed,
        why);
  }

  /** Ends the thread. A sample that is in progress is given up. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
