// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.RestartKeys;
import io.drover.simulator.report.SweepSamples.Made;
import io.drover.simulator.report.SweepSamples.SweptSetting;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SweepPageTest {
  private static final Pattern DATA =
      Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>");

  private static String page() throws Exception {
    SimulationReport report =
        SweepReport.of(
            SweepSamples.result(
                new SweptSetting(
                    RestartKeys.RHO, Made.of("1", 0.5, 0.52, 0.54), Made.of("3", 0.4, 0.41, 0.42)),
                new SweptSetting(
                    ClusterSettings.MAX_UTILISATION,
                    Made.of("0.5", 0.2, 0.2, 0.2),
                    Made.of("0.7", 0.4, 0.41, 0.42))));
    return PageReport.of(report, "drover 1.0", Instant.EPOCH);
  }

  @Test
  void everySettingHasAPictureASentenceAndItsRows() throws Exception {
    String page = page();

    assertThat(page)
        .contains("<h1>Of 2 shipped defaults 1 is beaten outright: rho by 1</h1>")
        .contains("<figure class=\"beaten\"><figcaption><h3>rho</h3>")
        .contains("<figure><figcaption><h3>tau</h3>", "yarn.drover.clone.max-utilisation</p>")
        .contains("<p class=\"finding\">tau, 0.7 by default: the best for the median phase")
        .contains("<tr class=\"marked\"><th scope=\"row\">0.7 *</th><td class=\"first\">41.0")
        .contains("<small>40.0 to 42.0</small>");
    assertThat(page.split("<div class=\"plot\">", -1)).hasSize(3);
  }

  @Test
  void whatIsDrawnAreTheGainsOverTheDefaultInPointsWithTheirEnds() throws Exception {
    JsonNode rho = data(page()).path("settings").path(0);

    assertThat(rho.path("name").asText()).isEqualTo("rho");
    assertThat(rho.path("usual").asInt()).isEqualTo(1);
    JsonNode phases = rho.path("gains").path(0);
    assertThat(phases.path("least").path(0).asDouble()).isEqualTo(10);
    assertThat(phases.path("median").path(0).asDouble()).isEqualTo(11);
    assertThat(phases.path("greatest").path(0).asDouble()).isEqualTo(12);
    assertThat(phases.path("greatest").path(1).asDouble()).as("the default's own").isZero();
    assertThat(rho.path("gains")).hasSameSizeAs(data(page()).path("aims"));
  }

  @Test
  void thePageAsksForNothingFromOutsideAndEscapesWhatComesFromFiles() throws Exception {
    String page = page();
    String own =
        page.replace("https://github.com/leeoniya/uPlot", "") // in the licence
            .replace("http://www.w3.org/2000/svg", "")
            .replace("src=x", "");

    assertThat(own)
        .doesNotContain("http://", "https://", "@import", "url(", " src=", "<link rel=\"s", "<img");
    assertThat(page).contains("default-src 'none'", "prefers-color-scheme: dark", "&lt;img src=x");
    assertThat(page.split("</script>", -1)).hasSize(3);
  }

  private static JsonNode data(String page) throws Exception {
    Matcher matcher = DATA.matcher(page);
    assertThat(matcher.find()).isTrue();
    return new ObjectMapper().readTree(matcher.group(1));
  }
}
