// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drover.core.action.ActionKind;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.metrics2.annotation.Metric;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.jupiter.api.Test;

/** Checks that documentation and alert rules know the metrics, and no others. */
public class MonitoringTest {
  /** Surefire passes the module's directory. Tests run in a directory below it. */
  private static final Path MODULE =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().normalize();

  private static final Path HOME = MODULE.getParent();
  private static final Path RULES = HOME.resolve("conf/monitoring/drover-alerts.yml");
  private static final Path DASHBOARD = HOME.resolve("conf/monitoring/drover.html");
  private static final Path STYLE =
      MODULE.resolve("src/main/resources/io/drover/scheduler/web/page.css");

  /** A colour in a style, for light pages or for dark ones, which come later. */
  private static final String COLOUR = "(--[\\w-]+: #\\w+);";

  /** Returns the names of all metrics but those of single kinds of errors. */
  public static Set<String> names() {
    Set<String> names = new TreeSet<>();
    Arrays.stream(SchedulerMetrics.class.getDeclaredMethods())
        .map(method -> method.getAnnotation(Metric.class))
        .filter(metric -> metric != null)
        .forEach(metric -> names.add(metric.value()[0]));
    for (ActionKind kind : ActionKind.values()) {
      Stream.of("Launched", "Won", "Lost", "SecondsWasted", "SecondsSaved")
          .forEach(figure -> names.add(SchedulerMetrics.prefix(kind) + figure));
    }
    return names;
  }

  /** Returns the name by which Prometheus knows a metric. */
  public static String prometheusName(String name) {
    return new PrometheusMetricsSink().prometheusName(SchedulerMetrics.NAME, name);
  }

  private static List<String> found(Path file, String pattern) throws IOException {
    return Pattern.compile(pattern)
        .matcher(Files.readString(file))
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  /** Four columns: name, unit, meaning, and what it means when it moves. */
  @Test
  void eachMetricIsDocumentedOnce() throws IOException {
    List<String> documented =
        found(
            HOME.resolve("docs/monitoring.md"),
            "(?m)^\\| `(\\w+)` \\| [^|]+ \\| [^|]+ \\|[^|]+\\|$");
    assertThat(documented).containsExactlyInAnyOrderElementsOf(names());
  }

  @Test
  void rulesUseMetricsThatThereAre() throws IOException {
    assertThat(found(RULES, "\\b(drover_scheduler_\\w+)"))
        .isNotEmpty()
        .isSubsetOf(names().stream().map(MonitoringTest::prometheusName).toList());
  }

  @Test
  void eachAlertIsDocumentedOnce() throws IOException {
    assertThat(
            found(
                HOME.resolve("docs/monitoring.md"),
                "(?m)^\\| `(Drover\\w+)` \\| (?:info|warning) \\|"))
        .containsExactlyElementsOf(found(RULES, "- alert: (\\w+)"));
  }

  @Test
  void dashboardAddsUpTheFailuresOfEachPart() throws IOException {
    List<String> parts = found(DASHBOARD, "const PARTS = \\[(.*)];");
    assertThat(parts).hasSize(1);
    assertThat(Arrays.stream(parts.get(0).split(", ")).map(part -> part.replace("'", "")))
        .containsExactlyInAnyOrderElementsOf(
            names().stream()
                .filter(name -> name.endsWith("Failures"))
                .map(MonitoringTest::prometheusName)
                .map(name -> name.replaceAll("^drover_scheduler_|_failures$", ""))
                .toList());
  }

  /** The dashboard is one file, so it has a copy of the rules that make it one with the page. */
  @Test
  void dashboardHasTheColoursAndTheBaseOfTheSchedulersPage() throws IOException {
    String base =
        "(?m)^((?:\\*|\\[hidden]|html|body|\\.brand|\\.brand span|h2|\\.lede|section|button"
            + "|button:hover|:focus-visible|footer) \\{[^}]*})";
    assertThat(found(DASHBOARD, COLOUR)).containsSubsequence(found(STYLE, COLOUR));
    assertThat(found(DASHBOARD, base)).hasSize(13).isEqualTo(found(STYLE, base));
  }

  /** Where Prometheus is installed, as in Debian's package. */
  @Test
  void rulesFireWhenTheyShould() throws Exception {
    String path = System.getProperty("drover.promtool", promtool());
    assumeTrue(path != null, "no promtool on the path");
    Process test =
        new ProcessBuilder(path, "test", "rules", "alerts-test.yml")
            .directory(MODULE.resolve("src/test/resources/monitoring").toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(test.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(test.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(test.exitValue()).as(said).isZero();
  }

  private static String promtool() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(directory -> new File(directory, "promtool"))
        .filter(File::canExecute)
        .map(File::getPath)
        .findFirst()
        .orElse(null);
  }
}
