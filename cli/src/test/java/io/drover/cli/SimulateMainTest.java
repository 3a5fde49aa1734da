// SPDX-License-Identifier: Apache-2.0
package io.drover.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.cli.demo.SampleSources;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateMainTest {
  private static final String[] SMALL = {
    "simulate", "--jobs", "50", "--machines", "20", "--slots", "4", "--schemes", "hadoop,drover"
  };

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--schemes drovr          | unknown scheme 'drovr'; did you mean 'drover'?",
        "--schemes none,,late     | unknown scheme ''; choose from none, hadoop,",
        "--workload swin:x        | unknown workload 'swin'; did you mean 'swim'?",
        "--workload swim          | option '--workload': swim needs a file: swim:FILE",
        "--workload swim:         | option '--workload': swim needs a file: swim:FILE",
        "--workload synthetic:x   | option '--workload': synthetic takes no file",
        "--workload coflow:no/x   | option '--workload': no such file or directory (or not"
            + " readable): no/x",
        "--slowness gogle:x       | unknown slowness 'gogle'; did you mean 'google'?",
        "--slowness history       | option '--slowness': history works only with --workload"
            + " history:FILE",
        "--losses publshed        | unknown losses 'publshed'; did you mean 'published'?",
        "--losses none,failure=1  | unknown losses 'failure'; did you mean 'failures'?",
        "--losses none,failures   | option '--losses': failures needs a number from 0 to 10.0, not"
            + " ''",
        "--losses none,evictions=2 | option '--losses': evictions needs a number from 0 to 0.5, not"
            + " '2'",
        "--losses published,evictions=0,evictions=0 | option '--losses': evictions is given twice",
        "--losses published --sampled 0.1 | option '--losses' does not work with --sampled",
        "--losses none,failures=1 --sampled 0.1 | option '--losses' does not work with --sampled",
        "--machines 0             | option '--machines' needs a whole number from 1 to 100000,"
            + " not '0'",
        "--slots many             | option '--slots' needs a whole number, not 'many'",
        "--machines 5 --racks 6   | option '--racks' needs a whole number from 1 to 5, not '6'",
        "--repeat 101             | option '--repeat' needs a whole number from 1 to 100, not"
            + " '101'",
        "--jobs -1                | option '--jobs' needs a whole number from 1 to 1000000, not"
            + " '-1'",
        "--hours 3                | option '--hours' works only with --workload swim",
        "--skip-bad               | option '--skip-bad' works only with a workload of a file: swim,"
            + " coflow or history",
        "--inputs dsk             | unknown inputs 'dsk'; did you mean 'disk'?",
        "--inputs disk:           | option '--inputs' needs seconds from 0 to 3600 after the colon,"
            + " not ''",
        "--inputs memory:-1       | option '--inputs' needs seconds from 0 to 3600 after the colon,"
            + " not '-1'",
        "--inputs anywhere:3      | option '--inputs': anywhere takes no seconds",
        "--sampled many           | option '--sampled' needs K/N from 0.01 to 1, such as 0.1, not"
            + " 'many'",
        "--sampled 0              | option '--sampled' needs K/N from 0.01 to 1, such as 0.1, not"
            + " '0'",
        "--sampled NaN            | option '--sampled' needs K/N from 0.01 to 1, such as 0.1, not"
            + " 'NaN'",
        "--sampled 0.1:2          | option '--sampled' needs a share of the jobs from 0.001 to 1"
            + " after the colon, not '2'",
        "--seed x                 | option '--seed' needs a whole number, not 'x'",
        "--set x                  | option '--set' needs KEY=VALUE, not 'x'",
        "--set mapreduce.drover.restart.delta=9 | option '--set':"
            + " mapreduce.drover.restart.delta is '9'; allowed: 0.0 to 0.99",
        "--set mapreduce.drover.restart.dleta=0.3 | option '--set':"
            + " mapreduce.drover.restart.dleta (value '0.3') is no setting of Drover's; nearest:"
            + " mapreduce.drover.restart.delta",
        "--set dfs.replication=3  | option '--set': dfs.replication has no effect on a simulation;"
            + " settings that have one: mapreduce.drover.restart.mode,",
        "--html no/such/page.html | option '--html': no such directory",
        "--jobs 5 sweep rho       | option '--jobs' must come after 'sweep'",
        "--shemes hadoop          | unknown option '--shemes'; did you mean '--schemes'?",
      })
  void wrongArgumentsAreNamedInOneLineBeforeAnythingRuns(String line, String message) {
    int code = run(("simulate " + line.strip()).split(" "));

    assertThat(err()).startsWith("drover: " + message).hasLineCount(1);
    assertThat(out.size()).isZero();
    assertThat(code).isEqualTo(2);
  }

  @Test
  void theSameSettingTwiceIsRefused() {
    String set = "mapreduce.drover.restart.delta=0.3";

    assertThat(run("simulate", "--set", set, "--set", set)).isEqualTo(2);
    assertThat(err()).contains("mapreduce.drover.restart.delta is set twice");
  }

  @Test
  void aWrongTraceIsOneLineWithItsPlaceAndNoResult() throws Exception {
    Path trace = directory.resolve("trace.tsv");
    Files.writeString(trace, "job0\t0\t0\t100\t10\t1\njob1\tlate\t0\t100\t10\t1\n");

    int code = run("simulate", "--workload", "swim:" + trace, "--schemes", "hadoop");

    assertThat(code).isEqualTo(1);
    assertThat(out.size()).isZero();
    assertThat(err().lines().filter(line -> line.startsWith("drover: ")))
        .singleElement()
        .asString()
        .contains(trace.toString(), "line 2", "submit time", "late")
        .contains("; --skip-bad goes on without this line");
  }

  @Test
  void skipBadGoesOnWithoutTheBadLineAndTellsIt() throws Exception {
    Path trace = directory.resolve("trace.tsv");
    Files.writeString(trace, "job0\t0\t0\t100\t10\t1\njob1\tlate\t0\t100\t10\t1\n");

    int code =
        run("simulate", "--workload", "swim:" + trace, "--skip-bad", "--schemes", "none", "--json");

    assertThat(code).isZero();
    JsonNode facts = timeless(out());
    assertThat(facts.path("jobs").asInt()).isEqualTo(1);
    assertThat(facts.path("skipBad").asBoolean()).isTrue();
    assertThat(facts.path("provenance").toString())
        .contains("Bad input: left out 1 line (--skip-bad). The first: ", "line 2", "late");
  }

  @Test
  void theSameSeedGivesTheSameJsonButForTheTimeItTook() throws Exception {
    assertThat(run(with("--json"))).isZero();
    JsonNode first = timeless(out());
    out.reset();
    assertThat(run(with("--json"))).isZero();

    assertThat(timeless(out())).isEqualTo(first);
    assertThat(first.path("schemes").fieldNames())
        .toIterable()
        .containsExactly("none", "hadoop", "drover");
    assertThat(first.path("jobs").asInt()).isEqualTo(50);
    assertThat(out().strip().lines()).hasSize(1);
    assertThat(err()).contains("1/3 none: simulated in ", "3/3 drover: ", "- Slowness of attempts");
  }

  @Test
  void withoutSchemesTheUsualOnesAreRunAndTheIdealsLast() throws Exception {
    assertThat(run("simulate", "--jobs", "5", "--machines", "5", "--json")).isZero();

    assertThat(timeless(out()).path("schemes").fieldNames())
        .toIterable()
        .containsExactly(
            "none",
            "hadoop",
            "late",
            "mantri",
            "dolly",
            "drover",
            "no-skew",
            "informed",
            "clairvoyant");
  }

  @Test
  void anotherSeedGivesOtherFigures() throws Exception {
    run(with("--json"));
    JsonNode first = timeless(out());
    out.reset();
    run(with("--json", "--seed", "2"));

    assertThat(timeless(out()).path("schemes")).isNotEqualTo(first.path("schemes"));
  }

  @Test
  void thePageIsWrittenWhereItIsWished() throws Exception {
    Path page = directory.resolve("page.html");

    assertThat(run(with("--html", page.toString()))).isZero();

    assertThat(Files.readString(page)).startsWith("<!doctype html>").contains("drover");
    assertThat(err()).contains("The page: " + page);
    assertThat(out()).contains("phases shorter, %", "  drover ");
  }

  @Test
  void everySettingReachesThePolicies() throws Exception {
    run(with("--json"));
    JsonNode usual = timeless(out());
    out.reset();
    run(with("--json", "--set", "mapreduce.drover.clone.max-tasks=1"));

    JsonNode other = timeless(out());
    assertThat(other.path("schemes").path("hadoop"))
        .isEqualTo(usual.path("schemes").path("hadoop"));
    assertThat(other.path("schemes").path("drover"))
        .isNotEqualTo(usual.path("schemes").path("drover"));
    assertThat(other.path("settings").path("mapreduce.drover.clone.max-tasks").asText())
        .isEqualTo("1");
  }

  @Test
  void lossesAreThoseOfTheOptionAndTold() throws Exception {
    run(with("--json", "--losses", "none"));
    JsonNode none = timeless(out());
    out.reset();
    run(with("--json", "--losses", "published,failures=10,evictions=0.2"));

    JsonNode lossy = timeless(out());
    assertThat(none.path("losses").asText()).isEqualTo("none");
    assertThat(none.path("provenance").toString()).contains("Losses: none");
    assertThat(lossy.path("losses").asText()).isEqualTo("published,failures=10.0,evictions=0.2");
    assertThat(lossy.path("provenance").toString())
        .contains("Lost outputs: modelled", "Machine failures: modelled", "Evictions: modelled");
    assertThat(lossy.path("schemes").path("drover"))
        .isNotEqualTo(none.path("schemes").path("drover"));
  }

  @Test
  void nothingIsLostUnlessItIsAskedFor() throws Exception {
    run(with("--json"));
    JsonNode usual = timeless(out());
    out.reset();
    run(with("--json", "--losses", "none"));

    assertThat(usual.path("losses").asText()).isEqualTo("none");
    assertThat(usual).isEqualTo(timeless(out()));
  }

  @Test
  void whereBlocksLieAndWhoSamplesIsToldWhereItIsSet() throws Exception {
    run(with("--json"));
    JsonNode usual = timeless(out());
    out.reset();
    assertThat(run(with("--json", "--inputs", "disk:5", "--sampled", "0.1:0.5"))).isZero();
    JsonNode sampled = timeless(out());

    assertThat(usual.has("inputs") || usual.has("sampled")).isFalse();
    assertThat(usual.path("provenance").toString())
        .contains("Not modelled: where the blocks of maps");
    assertThat(sampled.path("inputs").asText()).isEqualTo("disk:5");
    assertThat(sampled.path("sampled").path("ratio").asDouble()).isEqualTo(0.1);
    assertThat(sampled.path("sampled").path("share").asDouble()).isEqualTo(0.5);
    assertThat(sampled.path("provenance").toString())
        .contains("Sampling: modelled; 50.0 % of the jobs", "waits 5 s", "3 replicas")
        .doesNotContain("Not modelled: where");
  }

  @Test
  void kmnChoosesTheBlocksOfJobsThatSample() throws Exception {
    String[] line = {
      "simulate", "--jobs", "50", "--machines", "20", "--slots", "4", "--schemes", "kmn", "--json"
    };
    String[] sampled = Arrays.copyOf(line, line.length + 2);
    sampled[line.length] = "--sampled";
    sampled[line.length + 1] = "0.1";

    assertThat(run(line)).isZero();
    JsonNode none = timeless(out()).path("schemes").path("none");
    JsonNode kmn = timeless(out()).path("schemes").path("kmn");
    out.reset();
    assertThat(run(sampled)).isZero();

    assertThat(timeless(out()).path("schemes").path("none"))
        .as("who does not choose reads what it always read")
        .isEqualTo(none);
    assertThat(timeless(out()).path("schemes").path("kmn")).isNotEqualTo(kmn);
  }

  @Test
  void helpTellsOfEveryOption() {
    assertThat(run("simulate", "--help")).isZero();

    assertThat(out())
        .contains("--workload=KIND[:FILE]", "--slowness=KIND[:FILE]", "--schemes=NAME[,NAME...]")
        .contains("--losses=KIND[,...]", "failures=N", "evictions=N")
        .contains("--machines=N", "--slots=N", "--racks=N", "--seed=N", "--hours=N", "--jobs=N")
        .contains("--skip-bad")
        .contains("--inputs=KIND[:SECONDS]", "--sampled=K/N[:SHARE]")
        .contains("--set=KEY=VALUE", "--repeat=N", "--json", "--html", "clairvoyant");
    assertThat(err.size()).isZero();
  }

  private static String[] with(String... more) {
    String[] all = Arrays.copyOf(SMALL, SMALL.length + more.length);
    System.arraycopy(more, 0, all, SMALL.length, more.length);
    return all;
  }

  private static JsonNode timeless(String json) throws Exception {
    JsonNode root = new ObjectMapper().readTree(json);
    root.path("schemes").forEach(scheme -> ((ObjectNode) scheme).remove("seconds"));
    return root;
  }

  private int run(String... args) {
    PrintStream outStream = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8);
    return Main.run(args, outStream, errStream, SampleSources::source, new AtomicBoolean());
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
