// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.simulator.report.ReplaySamples.Made;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ComparisonPageTest {
  private static final Pattern DATA =
      Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>");
  private static final Made HADOOP = new Made("hadoop", 0.1, 0.1);
  private static final Made DROVER = new Made("drover", 0.4, 0.6);
  private static final Made ORACLE = new Made("clairvoyant", 0.5, 0.7);

  @Test
  void everySchemeHasItsRowAndItsCurves() throws Exception {
    SimulationReport report = ReplaySamples.report(HADOOP, DROVER, ORACLE);

    String page = page(report);
    assertThat(page)
        .contains("<h1>Drover makes the median phase 40 % shorter, hadoop 10 %</h1>")
        .contains("<th scope=\"row\">none</th>", "<th scope=\"row\">hadoop</th>")
        .contains("<tr class=\"marked\"><th scope=\"row\">drover</th><td class=\"first\">40.0</td>")
        .contains("<tr class=\"ideal\"><th scope=\"row\">clairvoyant</th>");
    JsonNode data = data(page);
    assertThat(data.path("schemes")).hasSize(3);
    assertThat(data.path("charts")).hasSize(4);
    for (JsonNode chart : data.path("charts")) {
      for (JsonNode scheme : data.path("schemes")) {
        assertThat(chart.path("curves").path(scheme.asText())).hasSize(data.path("points").size());
      }
    }
  }

  @Test
  void aCurveIsTheShareOfTheLifetimeUpToEachReduction() throws Exception {
    JsonNode data = data(page(ReplaySamples.report(DROVER)));

    // 100 of 110 seconds are 40 % shorter, and the other 10 are 60 % shorter.
    JsonNode curve = data.path("charts").path(0).path("curves").path("drover");
    assertThat(share(data, curve, 39.5)).isZero();
    assertThat(share(data, curve, 40.5)).isEqualTo(90.91);
    assertThat(share(data, curve, 60.5)).isEqualTo(100);
  }

  @Test
  void whatComesFromFilesIsEscaped() throws Exception {
    String page = page(ReplaySamples.report(DROVER));

    assertThat(page).doesNotContain("<img", "0.3<b>");
    assertThat(page).contains("&lt;/script&gt;&lt;img src=x", "0.3&lt;b&gt;");
    assertThat(page.split("</script>", -1)).hasSize(3);
  }

  @Test
  void thePageAsksForNothingFromOutside() throws Exception {
    String page = page(ReplaySamples.report(DROVER));
    String own =
        page.replace("https://github.com/leeoniya/uPlot", "") // in the licence
            .replace("http://www.w3.org/2000/svg", "")
            .replace("src=x", "");

    assertThat(own)
        .doesNotContain("http://", "https://", "@import", "url(", " src=", "<link rel=\"s");
    assertThat(page).contains("default-src 'none'", "prefers-color-scheme: dark", "@media print");
  }

  @Test
  void aWorkloadWithoutPhasesHasAPageThatSaysSo() throws Exception {
    String page = page(ReplaySamples.empty());

    assertThat(page)
        .contains("<h1>Nothing to compare</h1>", "no phase that takes time")
        .doesNotContain("<table class=\"results\">");
    assertThat(data(page).path("charts").path(0).path("curves")).isEmpty();
  }

  @Test
  void theSettingsStandAtTheEnd() throws Exception {
    assertThat(page(ReplaySamples.report(2, DROVER)))
        .contains("<th scope=\"row\">--machines</th><td class=\"text\">600</td>")
        .contains("--set mapreduce.drover.restart.delta", "seeds 7 to 8")
        .contains("<td class=\"first\">40.5<small>40.0 to 41.0</small></td>");
  }

  private static String page(SimulationReport report) throws Exception {
    return PageReport.of(report, "drover 1.0", Instant.EPOCH);
  }

  private static double share(JsonNode data, JsonNode curve, double percent) {
    int i = 0;
    while (data.path("points").path(i).asDouble() < percent) {
      i++;
    }
    return curve.path(i).asDouble();
  }

  private static JsonNode data(String page) throws Exception {
    Matcher matcher = DATA.matcher(page);
    assertThat(matcher.find()).isTrue();
    return new ObjectMapper().readTree(matcher.group(1));
  }
}
