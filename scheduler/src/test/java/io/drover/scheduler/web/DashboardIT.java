// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.drover.scheduler.MonitoringTest;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The dashboard of {@code conf/monitoring}, in a browser that gets its answers from here. */
class DashboardIT {
  /** As in {@link MonitoringTest}. */
  private static final Path DIRECTORY =
      Path.of(System.getProperty("basedir", "."))
          .toAbsolutePath()
          .getParent()
          .resolve("conf/monitoring");

  private static final String PROMETHEUS = "http://prometheus.example/";
  private static final Pattern NAME = Pattern.compile("drover_scheduler_\\w+");

  private static InstalledBrowser browser;

  private final Set<String> asked = new TreeSet<>();
  private final Map<String, Double> figures = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private String alerts = "";
  private Page page;

  @BeforeAll
  static void startBrowser() {
    browser = InstalledBrowser.start();
  }

  @AfterAll
  static void stopBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void open() {
    page = browser.browser().newPage();
    page.setDefaultTimeout(InstalledBrowser.PATIENCE_MILLIS);
    page.onPageError(problems::add);
    page.route(PROMETHEUS + "api/v1/**", this::answer);
    page.route(
        PROMETHEUS + "consoles/drover.html*",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setPath(DIRECTORY.resolve("drover.html"))
                    .setContentType("text/html")));
  }

  @AfterEach
  void close() {
    page.close();
  }

  /** Answers as Prometheus does. A query has the sum of the figures that it is about. */
  private void answer(Route route) {
    URI address = URI.create(route.request().url());
    String query =
        URLDecoder.decode(
            address.getRawQuery() == null ? "" : address.getRawQuery(), StandardCharsets.UTF_8);
    String path = address.getPath();
    if (path.endsWith("/alerts")) {
      fulfill(route, "{\"alerts\":[" + alerts + "]}");
      return;
    }
    Matcher name = NAME.matcher(query);
    Double value = null;
    while (name.find()) {
      asked.add(name.group());
      Double one = figures.get(name.group());
      value = one == null ? value : Double.valueOf(one + (value == null ? 0 : value));
    }
    if (value == null) {
      fulfill(route, "{\"result\":[]}");
    } else if (path.endsWith("/query")) {
      fulfill(route, "{\"result\":[{\"value\":[1,\"" + value + "\"]}]}");
    } else {
      long now = System.currentTimeMillis() / 1000;
      fulfill(
          route,
          String.format(
              "{\"result\":[{\"values\":[[%d,\"0\"],[%d,\"%s\"]]}]}", now - 30, now, value));
    }
  }

  private static void fulfill(Route route, String data) {
    route.fulfill(
        new Route.FulfillOptions()
            .setContentType("application/json")
            .setBody("{\"status\":\"success\",\"data\":" + data + "}"));
  }

  /** Waits until a chart has two lines. */
  private void awaitLines(String chart) {
    page.waitForCondition(() -> page.locator(chart + " path").count() == 2);
  }

  private void show() {
    page.navigate(PROMETHEUS + "consoles/drover.html");
    page.waitForCondition(() -> !page.textContent("#headline").startsWith("Asking"));
  }

  @Test
  void headlineSaysWhatWasGivenAndTaken() {
    MonitoringTest.names().forEach(name -> figures.put(MonitoringTest.prometheusName(name), 0.0));
    figures.put("drover_scheduler_copies_launched", 12.0);
    figures.put("drover_scheduler_copies_won", 9.0);
    figures.put("drover_scheduler_copies_lost", 3.0);
    figures.put("drover_scheduler_copies_seconds_saved", 5_400.0);
    figures.put("drover_scheduler_clones_seconds_wasted", 600.0);
    show();
    assertThat(page.textContent("#headline"))
        .isEqualTo(
            "Tasks were done 1 h 30 min sooner in the last hour, for 10 min of container time.");
    assertThat(page.textContent("#actions tr:first-child"))
        .contains("copies", "12", "9", "3", "75 %", "1 h 30 min");
    assertThat(page.isVisible("#alarms li")).isFalse();
    awaitLines("#chart0");
    assertThat(problems).isEmpty();
  }

  @Test
  void asksForFiguresThatThereAre() {
    MonitoringTest.names().forEach(name -> figures.put(MonitoringTest.prometheusName(name), 1.0));
    show();
    awaitLines("#chart6");
    assertThat(asked)
        .hasSizeGreaterThan(40)
        .isSubsetOf(MonitoringTest.names().stream().map(MonitoringTest::prometheusName).toList());
    assertThat(problems).isEmpty();
  }

  @Test
  void saysSoIfThereAreNone() {
    alerts =
        "{\"state\":\"firing\",\"labels\":{\"alertname\":\"DroverAbsent\"},"
            + "\"annotations\":{\"summary\":\"None <b>here</b>\"}},"
            + "{\"state\":\"firing\",\"labels\":{\"alertname\":\"Other\"},\"annotations\":{}}";
    show();
    assertThat(page.textContent("#headline")).isEqualTo("Prometheus has no figures of Drover.");
    page.waitForSelector("#alarms li");
    assertThat(page.textContent("#alarms")).isEqualTo("None <b>here</b>");
    assertThat(problems).isEmpty();
  }
}
