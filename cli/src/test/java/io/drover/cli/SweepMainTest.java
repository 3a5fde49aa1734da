// SPDX-License-Identifier: Apache-2.0
package io.drover.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.cli.demo.SampleSources;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code drover simulate sweep} and {@code scaling}. */
class SweepMainTest {
  private static final String SMALL = " --jobs 40 --machines 20 --slots 4";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "sweep roh           | unknown setting 'roh'; did you mean 'rho'?",
        "sweep dfs.x=1       | unknown setting 'dfs.x'; choose from delta, rho, gamma,",
        "sweep mapreduce.job.reduce.slowstart.completedmaps | unknown setting 'mapreduce.job",
        "sweep rho=          | rho needs values, separated by commas, not ''",
        "sweep rho=1,,2      | rho needs values, separated by commas, not '1,,2'",
        "sweep rho=1,x       | mapreduce.drover.restart.rho is 'x'; allowed: 0.0 to 1000.0",
        "sweep rho=3.0       | rho needs a value other than its default, 3",
        "sweep rho mapreduce.drover.restart.rho=1 | rho is swept twice",
        "sweep rho --set mapreduce.drover.restart.rho=1 | rho is both swept and set with --set",
        "sweep all=1         | 'all' takes no values",
        "sweep all rho       | 'all' sweeps every setting; name no other setting with it",
        "sweep rho --scheme mantr | unknown scheme 'mantr'; did you mean 'mantri'?",
        "sweep rho --scheme none | option '--scheme' needs a scheme other than 'none'",
        "sweep rho --schemes mantri,drover | unknown option '--schemes'; did you mean '--scheme'?",
        "sweep               | missing required parameter: 'NAME[=V,...]'",
        "scaling --workload swim:x | unknown option '--workload'",
        "scaling --jobs 1    | option '--jobs' needs a whole number from 2 to 62500, not '1'",
        "scaling --jobs 62501 | option '--jobs' needs a whole number from 2 to 62500, not",
        "scaling --scheme hadoop,late | unknown scheme 'hadoop,late'",
        "scaling rho         | unexpected argument 'rho'",
      })
  void wrongArgumentsAreNamedInOneLineBeforeAnythingRuns(String line, String message) {
    int code = run(line.strip());

    assertThat(err()).startsWith("drover: " + message).hasLineCount(1);
    assertThat(out.size()).isZero();
    assertThat(code).isEqualTo(2);
  }

  @Test
  void theSameSeedGivesTheSameSweep() throws Exception {
    String sweep = "sweep rho=0 clone.max-tasks=0,20 --repeat 2 --json" + SMALL;
    assertThat(run(sweep)).isZero();
    String first = out();
    out.reset();
    assertThat(run(sweep)).isZero();

    assertThat(out()).isEqualTo(first).hasLineCount(1);
    assertThat(err())
        .contains("1/10 none, seed 1: simulated in ", "2/10 as shipped, seed 1: simulated in ")
        .contains("3/10 rho = 0, seed 1: ", "10/10 clone.max-tasks = 20, seed 2: ", "0:00 left")
        .contains("clone.max-tasks: mapreduce.drover.clone.max-tasks", "- clone.max-tasks, 10 by");
  }

  @Test
  void aValueIsWhatTheSameSettingGivesBesideTheSameBaseline() throws Exception {
    assertThat(run("sweep clone.max-tasks=0 --json" + SMALL)).isZero();
    JsonNode values = json().path("sweep").path("clone.max-tasks").path("values");
    out.reset();
    run("--schemes drover --set mapreduce.drover.clone.max-tasks=0 --json" + SMALL);
    JsonNode set = json().path("schemes").path("drover").path("phaseReduction");
    out.reset();
    run("--schemes drover --json" + SMALL);
    JsonNode usual = json().path("schemes").path("drover").path("phaseReduction");

    assertThat(values.path(0).path("phaseReduction")).isEqualTo(set);
    assertThat(values.path(1).path("phaseReduction")).isEqualTo(usual).isNotEqualTo(set);
  }

  @Test
  void anotherSchemeCanBeSweptAndWhatIsSetStaysSet() throws Exception {
    String set = " --set mapreduce.drover.restart.delta=0.5";
    assertThat(run("sweep all --scheme mantri --json" + set + SMALL)).isZero();

    assertThat(json().path("scheme").asText()).isEqualTo("mantri");
    assertThat(json().path("sweep").fieldNames())
        .toIterable()
        .contains("rho", "gamma", "eps", "tau", "report-period")
        .doesNotContain("delta", "clone.mode");
    assertThat(json().path("sweep").path("eps").path("verdict").asText())
        .endsWith("makes no difference here.");
  }

  @Test
  void thePageIsWrittenWhereItIsWished() throws Exception {
    Path page = directory.resolve("page.html");

    assertThat(run("sweep rho=1 --html " + page + SMALL)).isZero();

    assertThat(Files.readString(page)).startsWith("<!doctype html>").contains("<h3>rho</h3>");
    assertThat(err()).contains("The page: " + page);
    assertThat(out()).contains("  rho: mapreduce.drover.restart.rho", "    3 * ");
  }

  @Test
  void theGrowthOfTheTimeIsTold() throws Exception {
    assertThat(run("scaling --json --jobs 20 --machines 20 --scheme hadoop")).isZero();

    assertThat(json().path("scheme").asText()).isEqualTo("hadoop");
    assertThat(json().path("scaling").findValuesAsText("jobs"))
        .containsExactly("20", "40", "80", "160", "320");
    assertThat(json().path("scaling").path(0).path("nLogN").asDouble()).isEqualTo(1);
    assertThat(json().path("scaling").path(4).path("events").asLong())
        .isGreaterThan(json().path("scaling").path(3).path("events").asLong());
    assertThat(err())
        .contains("1/6 warming up: simulated in ", "6/6 320 jobs: simulated in ")
        .containsPattern("(?m)^ +jobs +tasks +events +seconds +events/s +n log2 n$")
        .containsPattern("faster\\s+than\\s+n\\s+log\\s+n\\.");
  }

  private JsonNode json() throws Exception {
    return new ObjectMapper().readTree(out());
  }

  private int run(String line) {
    PrintStream outStream = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8);
    String[] args = ("simulate " + line).split(" ");
    return Main.run(args, outStream, errStream, SampleSources::source, new AtomicBoolean());
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
