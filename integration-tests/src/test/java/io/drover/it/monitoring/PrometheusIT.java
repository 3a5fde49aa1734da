// SPDX-License-Identifier: Apache-2.0
package io.drover.it.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.drover.it.JobsUnderTest;
import io.drover.speculator.DroverCounter;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus beside a real ResourceManager, after a job that was cloned. */
class PrometheusIT {
  private static final Path MONITORING =
      Path.of(System.getProperty("drover.home"), "conf/monitoring").toAbsolutePath().normalize();
  private static final Pattern METRIC = Pattern.compile("drover_scheduler_\\w+");
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static DroverCluster cluster;
  private static PrometheusServer prometheus;
  private static RunResult job;

  @BeforeAll
  static void run(@TempDir Path home) throws Exception {
    Optional<Path> program = PrometheusServer.installed();
    assumeTrue(program.isPresent(), "no prometheus on the path");
    cluster =
        DroverCluster.builder()
            .droverScheduler()
            // In processes of their own: of two daemons in one, only the first has an endpoint.
            .standbyResourceManager()
            .daemonConf("hadoop.prometheus.endpoint.enabled", "true")
            .start(StartListener.NONE);
    String resourceManager = URI.create(cluster.resourceManagerPage()).getAuthority();
    prometheus = PrometheusServer.start(program.get(), home, resourceManager, MONITORING);
    DemoJobSpec small = JobsUnderTest.lean(Scenario.SLOW_ATTEMPT);
    job =
        JobsUnderTest.succeeded(
            new JobRunner(cluster).run(small, RunMode.DROVER, Map.of(), RunListener.NONE));
  }

  @AfterAll
  static void stop() throws Exception {
    if (prometheus != null) {
      prometheus.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void tellsWhatTheJobCounted() {
    long launched = JobsUnderTest.counter(job, DroverCounter.CLONES_LAUNCHED);
    assertThat(launched).isPositive();
    Awaitility.await("Prometheus knows of the clones")
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(prometheus.value(clones("launched"))).hasValue(launched));
    Awaitility.await("and of their fate")
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              assertThat(prometheus.value(clones("won")))
                  .hasValue(JobsUnderTest.counter(job, DroverCounter.CLONES_WON));
              assertThat(prometheus.value(clones("lost")))
                  .hasValue(JobsUnderTest.counter(job, DroverCounter.CLONES_LOST));
            });
  }

  private static String clones(String figure) {
    return "drover_scheduler_clones_" + figure;
  }

  @Test
  void hasAllThatRulesAskFor() throws Exception {
    Set<String> asked =
        METRIC
            .matcher(Files.readString(MONITORING.resolve("drover-alerts.yml")))
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(asked).hasSizeGreaterThan(15);
    Awaitility.await("all of them at once: none is known for a while after a request has failed")
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(asked)
                    .allSatisfy(metric -> assertThat(prometheus.value(metric)).isPresent()));
  }

  @Test
  void rulesCanBeEvaluatedAndNoneIsAboutToFire() throws Exception {
    Awaitility.await("all rules evaluated")
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(rules("health")).hasSizeGreaterThan(10).containsOnly("ok"));
    assertThat(rules("state")).containsOnly("inactive");
  }

  private static List<String> rules(String field) throws IOException, InterruptedException {
    List<String> values = new ArrayList<>();
    for (JsonNode group : prometheus.api("rules").get("groups")) {
      group.get("rules").forEach(rule -> values.add(rule.path(field).asText()));
    }
    return values;
  }

  @Test
  void servesTheDashboardAsItIs() throws Exception {
    String served = prometheus.get("consoles/drover.html").body();
    assertThat(lines(served))
        .hasSizeGreaterThan(200)
        .isEqualTo(lines(Files.readString(MONITORING.resolve("drover.html"))));
  }

  /** Returns the lines without comments, which Prometheus leaves out. */
  private static List<String> lines(String page) {
    return page.replaceAll("(?s)<!--.*?-->|/\\*.*?\\*/", "")
        .replaceAll("(?m)(^|\\s)//.*$", "")
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .toList();
  }
}
