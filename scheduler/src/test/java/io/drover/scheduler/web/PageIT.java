// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import io.drover.channel.ChannelClient;
import io.drover.scheduler.MockCluster;
import io.drover.scheduler.Reports;
import io.drover.scheduler.web.DroverWebServices.DroverPage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The page in a real browser: with a real ResourceManager, and with answers that one seldom gives.
 * What it looked like is in {@code target/page}.
 */
class PageIT {
  private static final String ELSEWHERE = "http://rm.test/ws/v1/cluster/drover";
  private static final Path PICTURES = Path.of("target", "page");

  private static InstalledBrowser browser;

  private final List<String> complaints = new ArrayList<>();
  private BrowserContext context;
  private Page page;

  @BeforeAll
  static void start() {
    browser = InstalledBrowser.start();
    PlaywrightAssertions.setDefaultAssertionTimeout(InstalledBrowser.PATIENCE_MILLIS);
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void open() {
    context =
        browser.browser().newContext(new Browser.NewContextOptions().setViewportSize(1100, 900));
    context.setDefaultTimeout(InstalledBrowser.PATIENCE_MILLIS);
    page = context.newPage();
    page.onPageError(complaints::add);
    page.onConsoleMessage(
        message -> {
          if (message.text().contains("Content Security Policy")) {
            complaints.add(message.text());
          }
        });
  }

  @AfterEach
  void close() {
    context.close();
    assertThat(complaints).as("of the browser").isEmpty();
  }

  private void picture(String name) {
    page.screenshot(
        new Page.ScreenshotOptions().setPath(PICTURES.resolve(name + ".png")).setFullPage(true));
  }

  private void shows(String part, String words) {
    assertThat(page.locator(part)).containsText(words);
  }

  // --- a real ResourceManager

  @Test
  void showsNothingThenEverythingThenThatItHasLostTheResourceManager() throws Exception {
    Configuration conf = DroverWebServicesIT.configuration();
    Reports.configure(conf);
    MockCluster cluster = new MockCluster(conf, 4, 4);
    try {
      page.navigate(DroverWebServicesIT.services(conf).resolve("drover/page").toString());
      shows("h1", "No clone runs.");
      shows("#state", "mapreduce.drover.clone.mode=on");
      shows("#room", "Default partition");
      shows("#room", "admits clones");
      shows("#killed", "No clone was killed");
      shows("#machines", "no job has reported");
      shows("#links", "at least 3 jobs");
      picture("empty");

      List<ChannelClient> clients = DroverWebServicesIT.report(cluster);
      cloneAndKill(cluster);
      assertThat(page.locator("#killed tbody tr")).hasCount(4);
      shows("#killed tbody tr >> nth=0", "above the ceiling");
      shows("h1", "3 clones run");
      shows("#room", "admits none until 65");
      assertThat(page.locator("#room .room rect.cloned")).hasAttribute("width", "18.75%");
      assertThat(page.locator("#machines tbody tr")).hasCount(4);
      shows("#machines tr.slow", cluster.host(3));
      shows("#links tbody", "118\u00a0MB/s");
      shows("#force", "open, port");
      picture("full");
      clients.forEach(ChannelClient::close);
    } finally {
      cluster.close();
    }
    shows("#trouble", "The ResourceManager does not answer.");
    shows("#age", "The figures below are");
    shows("h1", "3 clones run");
    picture("lost");
  }

  /** Room for 7 clones beside four AppMasters, and then for 3. */
  private static void cloneAndKill(MockCluster cluster) throws Exception {
    MockCluster.App small = cluster.submit("MAPREDUCE", "default", "v");
    small.ask(MockCluster.CLONE, 1, 8);
    small.awaitClones(7);
    small.ask(MockCluster.ORDINARY, 1, 4);
    cluster.heartbeat();
    cluster.clones().round();
  }

  // --- answers that are made up

  /** The page from a place that there is not, which answers what it is told to. */
  private void visit(Consumer<Route> answer) {
    DroverPage ours = DroverPage.OF_THE_SCHEDULER;
    page.route(
        ELSEWHERE + "/page",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("text/html; charset=utf-8")
                    .setHeaders(Map.of("Content-Security-Policy", ours.policy()))
                    .setBody(ours.html())));
    page.route(ELSEWHERE + "?machines=50", answer);
    page.navigate(ELSEWHERE + "/page");
  }

  private static Consumer<Route> figures(ObjectNode figures) {
    return route ->
        route.fulfill(
            new Route.FulfillOptions()
                .setContentType("application/json")
                .setBody(figures.toString()));
  }

  private static Consumer<Route> status(int status, String body) {
    return route -> route.fulfill(new Route.FulfillOptions().setStatus(status).setBody(body));
  }

  @Test
  void saysWhichMachinesAreInQuarantine() throws Exception {
    ObjectNode figures = PageFigures.quiet();
    visit(figures(figures)); // of a ResourceManager that is not upgraded
    shows("#quarantine", "yarn.drover.quarantine.mode=observe");
    PageFigures.quarantine(figures, "observe", "statistics");
    visit(figures(figures));
    shows("#quarantine", "nothing is kept off them unless an operator has ordered it");
    shows("#quarantine tbody tr", "n7 observed");
    shows("#quarantine tbody tr", "ordered by ann: disk");
    shows("#quarantine tbody tr", "28\u00a0min left");
    PageFigures.quarantine(figures, "observe", "operator").put("machine", "n6");
    visit(figures(figures));
    shows("#quarantine tbody tr >> nth=1", "n6 waived");
    PageFigures.quarantine(figures, "on", "operator").put("machine", "n8").put("closed", true);
    visit(figures(figures));
    shows("#quarantine tbody tr >> nth=0", "n7 waived");
    shows("#quarantine tbody tr >> nth=2", "n8 closed");
    shows("#force", "Quarantine of machines");
    figures.withObject("/quarantine").putArray("machines");
    visit(figures(figures));
    shows("#quarantine", "No machine is in quarantine.");
    figures.withObject("/quarantine").put("off", true);
    visit(figures(figures));
    shows("#quarantine", "Errors have switched the quarantine off");
  }

  @Test
  void saysWhichMachinesOthersCallSlow() throws Exception {
    ObjectNode figures = PageFigures.quiet();
    for (String name : List.of("n1", "n2")) {
      figures
          .withObject("/statistics")
          .withArray("calledSlow")
          .addObject()
          .put("machine", name)
          .put("why", "named by an operator")
          .put("told", name.equals("n1"));
    }
    visit(figures(figures));
    shows("#machines", "n1 (named by an operator): copies avoid them.");
    shows("#machines", "n2 (named by an operator): nothing avoids them");
    figures.withObject("/settings").put("slowNodeOffers", "on");
    visit(figures(figures));
    shows("#machines", "n1 (named by an operator): copies avoid them, and other containers go");
  }

  @Test
  void saysWhatIsPredictedAndHowItTurnedOut() throws Exception {
    ObjectNode figures = PageFigures.quiet();
    visit(figures(figures));
    shows("#failing", "There is no model yet: 7 jobs that have ended are known");
    ObjectNode prediction = figures.withObject("/prediction");
    prediction.withObject("/model").put("applications", 40).put("failures", 20);
    visit(figures(figures));
    shows("#failing", "Nothing is ended because it is called failing.");
    shows("#failing", "No job that was called has ended yet.");
    shows("#failing", "No running job is called failing.");
    prediction.put("stopped", true); // nothing is ended anyway
    visit(figures(figures));
    shows("#failing", "none would be ended now if yarn.drover.predict.mode were on");
    prediction.put("mode", "off");
    visit(figures(figures));
    shows("#failing", "yarn.drover.predict.mode=observe");
    figures.remove("prediction"); // of a ResourceManager that is not upgraded
    visit(figures(figures));
    shows("#failing", "Failures are not predicted.");
    visit(figures(PageFigures.large()));
    shows("#failing", "Of 76 jobs called failing, 75 failed, 0 did not, and 1 was ended.");
    shows("#failing", "Of 22 others, 22 failed.");
    shows("#failing", "Too many good jobs would be ended");
  }

  @Test
  void saysWhatStateItIsInAndWhatToDo() throws Exception {
    ObjectNode figures = PageFigures.quiet();
    visit(figures(figures));
    shows("#room", "There is no node yet.");
    shows("#machines", "yarn.drover.channel.address");

    figures.withObject("/settings").put("mode", "observe").put("statisticsMode", "off");
    page.reload();
    shows("h1", "Drover watches clones and kills none.");
    shows("#figures", "would be killed");
    shows("#machines", "yarn.drover.statistics.mode=on");

    figures.withObject("/settings").put("mode", "off");
    page.reload();
    shows("h1", "Clones are switched off.");
    shows("#state", "yarn rmadmin -refreshQueues");

    figures.put("badSettings", "yarn.drover.clone.mood is no setting of Drover's");
    page.reload();
    shows("h1", "Drover is off: its settings are invalid.");
    shows("#bad-settings", "yarn.drover.clone.mood");

    figures.remove("badSettings");
    figures.withObject("/settings").put("mode", "on");
    figures.withObject("/clones").put("off", true);
    figures.withObject("/statistics").put("off", true);
    figures
        .withArray("errors")
        .addObject()
        .put("part", "clones")
        .put("off", true)
        .put("failures", 3)
        .withObject("/kinds")
        .put("ArithmeticException", 3);
    page.reload();
    shows("h1", "Clones are off for now.");
    shows("#state", "one warning that says why");
    shows("#state", "clones: 3 steps have failed (ArithmeticException 3)");
    shows("#machines", "Errors have switched learning off");
  }

  @Test
  void saysWhyThereIsNothingToShow() throws Exception {
    visit(status(403, "no"));
    shows("#trouble", "You may not see this page (403).");
    shows("#age", "There are no earlier figures to show.");
    assertThat(page.locator("main")).isHidden();

    page.unroute(ELSEWHERE + "?machines=50");
    page.route(ELSEWHERE + "?machines=50", status(404, "The scheduler is not Drover's."));
    shows("#trouble", "no longer there (404)");

    page.unroute(ELSEWHERE + "?machines=50");
    page.route(ELSEWHERE + "?machines=50", status(200, "There is no active RM right now."));
    page.reload();
    shows("#trouble", "has no figures");

    page.unroute(ELSEWHERE + "?machines=50");
    page.route(
        ELSEWHERE + "?machines=50",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setStatus(307)
                    .setHeaders(Map.of("Location", "http://other.test/"))));
    page.reload();
    shows("#trouble", "redirects this page");

    page.unroute(ELSEWHERE + "?machines=50");
    page.route(ELSEWHERE + "?machines=50", figures(PageFigures.quiet()));
    shows("h1", "No clone runs.");
    assertThat(page.locator("#trouble")).isEmpty();
    assertThat(page.locator("#age")).isHidden();
  }

  @Test
  void whatComesFromOutsideIsText() throws Exception {
    visit(figures(PageFigures.large()));
    assertThat(page.locator("#machines tbody tr")).hasCount(50);
    shows("#machines", "and 9,900 more");
    shows("#machines tbody tr >> nth=1", "u and 1 more");
    shows("#machines tbody tr >> nth=0", "<img src=x onerror=alert(1)>");
    assertThat(page.locator("img, td b")).hasCount(0);
    assertThat(page.locator("a[href^='javascript']")).hasCount(0);
    assertThat(page.locator("#killed tbody tr")).hasCount(12);
    page.getByText("All 100").click();
    assertThat(page.locator("#killed tbody tr")).hasCount(100);
    assertThat(page.locator("#killed a >> nth=0"))
        .hasAttribute("href", "../../../../cluster/app/application_1795219200000_1");
  }

  @Test
  void fitsEveryWidthInLightAndInDark() throws Exception {
    visit(figures(PageFigures.large()));
    assertThat(page.locator("#machines tbody tr")).hasCount(50);
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
      String paper = (String) page.evaluate("getComputedStyle(document.body).backgroundColor");
      assertThat(paper).startsWith(scheme == ColorScheme.DARK ? "rgb(1" : "rgb(2");
      for (int width : List.of(360, 800, 1600)) {
        page.setViewportSize(width, 900);
        assertThat(page.evaluate("document.documentElement.scrollWidth"))
            .as("%d, %s", width, scheme)
            .isEqualTo(width);
        picture("names-%d-%s".formatted(width, scheme.name().toLowerCase(Locale.ROOT)));
      }
    }
  }

  @Test
  void asksOnlyWhileItIsLookedAt() throws Exception {
    page.clock().install();
    page.addInitScript(
        "window.asked = 0; window.answered = 0; const ask = window.fetch; window.fetch ="
            + " (...what) => { asked++; return ask(...what).finally(() => answered++); };");
    visit(figures(PageFigures.quiet()));
    shows("h1", "No clone runs.");
    assertThat(asksInAMinute()).isBetween(3, 20);
    hide(true);
    assertThat(asksInAMinute()).isZero();
    asksAtOnceAfter(() -> hide(false));
    page.getByText("Pause").click();
    shows("#pulse", "paused");
    assertThat(asksInAMinute()).isZero();
    asksAtOnceAfter(() -> page.getByText("Resume").click());
  }

  /** How often the page has asked. */
  private int asked() {
    return ((Number) page.evaluate("asked")).intValue();
  }

  /** Of the browser's clock, which stands still until an answer is there. */
  private int asksInAMinute() {
    int before = asked();
    for (int passed = 0; passed < 60; passed += 5) {
      page.clock().runFor(5_000);
      page.waitForCondition(() -> (boolean) page.evaluate("answered === asked"));
    }
    return asked() - before;
  }

  private void asksAtOnceAfter(Runnable step) {
    int before = asked();
    step.run();
    page.waitForCondition(() -> asked() > before);
    shows("#pulse", "as of");
  }

  private void hide(boolean hidden) {
    page.evaluate(
        "hidden => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});"
            + " document.dispatchEvent(new Event('visibilitychange')); }",
        hidden);
  }
}
