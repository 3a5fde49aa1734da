// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.cli.demo.ReportData.ReportPage;
import io.drover.testbed.job.Scenario;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReportPageTest {
  private static final Pattern DATA =
      Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>");
  private static final Instant ZERO = Instant.ofEpochMilli(1_000_000);

  @Test
  void thePageAsksForNothingFromOutside() throws Exception {
    String page = ReportPage.of(SampleSources.result(1, Scenario.SLOW_NODE));

    assertThat(page.replace("http://www.w3.org/2000/svg", ""))
        .doesNotContain("http://", "https://", "//cdn", "@import", "url(//", " src=");
    assertThat(page).contains("default-src 'none'", "prefers-color-scheme: dark", "@media print");
  }

  @Test
  void thePageHoldsEveryAttemptAndDecisionWithTimesSinceSubmit() throws Exception {
    JsonNode data = data(SampleSources.result(1, Scenario.SLOW_NODE));

    assertThat(data.path("nodes")).hasSize(6);
    JsonNode scenario = data.path("scenarios").path(0);
    assertThat(scenario.path("runs")).hasSize(4);
    JsonNode drover = scenario.path("runs").path(3);
    assertThat(drover.path("attempts")).hasSize(19);
    assertThat(drover.path("attempts").path(0).path("start").asDouble()).isBetween(4.0, 5.0);
    assertThat(drover.path("faultNode").asText()).isEqualTo("n5");
    assertThat(drover.path("decisions").findValuesAsText("action"))
        .contains("DUPLICATE", "KILL_AND_RESTART", "LEAVE");
    assertThat(scenario.path("runs").path(0).has("faultNode")).isFalse();
    assertThat(scenario.path("typical").path("drover").asInt()).isEqualTo(1);
  }

  @Test
  void thePageHoldsHowFullTheClusterWas() throws Exception {
    DemoResult result = SampleSources.result(SampleSources.lasting(25, 25.3), 1, Scenario.CEILING);

    JsonNode runs = data(result).path("scenarios").path(0).path("runs");
    assertThat(runs).hasSize(2);
    for (JsonNode run : runs) {
      assertThat(run.path("ceiling").path("samples").size()).isGreaterThan(100);
      assertThat(run.has("faultNode")).isFalse();
    }
    assertThat(ReportPage.of(result))
        .contains(
            "<h1>Clones leave within 0.4 seconds, and a big job takes 1.2\u00a0% longer than"
                + " without them</h1>")
        .contains("No fault, but small cloned jobs, followed by a big ordinary job.");
  }

  @Test
  void thePageHoldsWhichBlocksWereReadWhere() throws Exception {
    DemoResult result = SampleSources.result(1, Scenario.SAMPLING);

    JsonNode scenarios = data(result).path("scenarios");
    assertThat(scenarios.findValuesAsText("name")).contains("sampling-at-50", "sampling-at-80");
    for (JsonNode scenario : scenarios) {
      assertThat(scenario.path("load").isNumber()).isTrue();
      for (JsonNode run : scenario.path("runs")) {
        assertThat(run.path("sample").path("reads").size()).isBetween(20, 21);
        assertThat(run.path("links")).hasSize(3);
      }
    }
    assertThat(ReportPage.of(result))
        .contains(
            "<h1>On a busy cluster, 100\u00a0% of the blocks are read on their own node instead of"
                + " 35\u00a0%</h1>")
        .contains("any 20 of 72 blocks and 4 reduces");
  }

  @Test
  void thePageHoldsWhatTheJobsOfAStreamHaveComeTo() throws Exception {
    JsonNode scenario = data(SampleSources.result(1, Scenario.FAILING_JOBS)).at("/scenarios/0");
    JsonNode runs = scenario.path("runs");
    assertThat(runs).hasSize(2);
    JsonNode drover = runs.get(1).path("stream");
    assertThat(drover.path("failing").asInt()).isEqualTo(4);
    assertThat(drover.path("failingEnded").asInt()).isEqualTo(3);
    assertThat(drover.path("othersEnded").asInt()).isZero();
    assertThat(drover.path("jobs")).hasSize(10);
    assertThat(drover.at("/jobs/1/end").asText()).isEqualTo("ended");
    assertThat(runs.at("/0/stream/jobs/1/end").asText()).isEqualTo("failed");
    JsonNode summary = scenario.at("/summary/drover");
    assertThat(summary.at("/failingEnded/max").asInt()).isEqualTo(3);
    assertThat(summary.at("/othersEnded/max").isNumber()).isTrue();
    assertThat(summary.at("/otherMachineSeconds/max").isNumber()).isTrue();
  }

  @Test
  void theHeadlineStandsInThePageWithoutItsScript() throws Exception {
    String page =
        ReportPage.of(
            SampleSources.result(SampleSources.lasting(20, 100, 80, 36), 1, Scenario.SLOW_NODE));

    assertThat(page)
        .contains(
            "<h1>One slow node cost this job 80 seconds. Drover won back 80\u00a0% of them</h1>");
  }

  @Test
  void noMoreIsWonBackThanWasLost() throws Exception {
    String page =
        ReportPage.of(
            SampleSources.result(SampleSources.lasting(20, 100, 80, 19), 1, Scenario.SLOW_NODE));

    assertThat(page)
        .contains("<h1>One slow node cost this job 80 seconds. Drover won all of them back</h1>");
  }

  @Test
  void unknownAndBrokenLinesOfTheDecisionLogArePassedBy() {
    assertThat(ReportData.decision("{\"type\":\"decision\",\"time\":1000500,\"new\":{}}", ZERO))
        .hasValueSatisfying(node -> assertThat(node.path("at").asDouble()).isEqualTo(0.5));
    assertThat(ReportData.decision("{\"type\":\"report\",\"time\":1000500}", ZERO)).isEmpty();
    assertThat(ReportData.decision("{\"type\":\"weather\",\"time\":1000500}", ZERO)).isEmpty();
    assertThat(ReportData.decision("{\"type\":\"decision\"}", ZERO)).isEmpty();
    assertThat(ReportData.decision("{\"type\":\"decis", ZERO)).isEmpty();
    assertThat(ReportData.decision("[1]", ZERO)).isEmpty();
    assertThat(ReportData.decision("", ZERO)).isEmpty();
  }

  private static JsonNode data(DemoResult result) throws Exception {
    Matcher matcher = DATA.matcher(ReportPage.of(result));
    assertThat(matcher.find()).isTrue();
    return new ObjectMapper().readTree(matcher.group(1));
  }
}
