// SPDX-License-Identifier: Apache-2.0
package io.drover.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.drover.cli.report.WrittenJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a report says of histories that are bad, or that write to the terminal. */
class BadHistoriesTest extends ReportRuns {
  @Test
  void namesOfOthersCannotWriteToTheTerminal() throws IOException {
    Path file = WrittenJobs.slowMap(directory, 2);
    String text =
        Files.readString(file).replace("word count", "word\\u001b[2Jcount\\u009b2J\\u202e.");
    Files.writeString(file, text);
    Path page = directory.resolve("page.html");

    assertThat(run("report", "--html", page.toString(), file.toString())).as(err()).isZero();

    assertThat(out()).contains("word [2Jcount 2J .").doesNotContain("\u001b", "\u009b", "\u202e");
    assertThat(page)
        .content()
        .contains("\u2068word [2Jcount 2J .\u2069 of \u2068ada\u2069 in queue \u2068etl\u2069, 11")
        .contains("\"name\":\"word [2Jcount 2J .\"")
        .doesNotContain("\u001b", "\\u001b", "\u009b", "\u202e");
    out.reset();
    assertThat(run("report", "--json", file.toString())).as(err()).isZero();
    assertThat(out()).doesNotContain("\u001b", "\u009b", "\u202e");
    assertThat(json().path("name").asText()).isEqualTo("word\u001b[2Jcount\u009b2J\u202e.");
  }

  @Test
  void damageThatIsQuotedCannotWriteToTheTerminal() throws IOException {
    Path file = WrittenJobs.slowMap(directory, 2);
    String text = Files.readString(file).replace("\"totalMaps\":11", "\"totalMaps\":\"\\u009b2J\"");
    Files.writeString(file, text);

    assertThat(run("report", file.toString())).isEqualTo(1);

    assertThat(err()).contains("field totalMaps: found ' 2J'").doesNotContain("\u009b");
  }

  @Test
  void halfACharacterInANameKeepsNeitherTheReportNorThePageFromBeingWritten() throws IOException {
    Path one = WrittenJobs.slowMap(directory, 2);
    Path other = WrittenJobs.slowMap(directory, 4);
    String half = Files.readString(one).replace("word count", "word\\ud800count");
    Files.writeString(one, half);
    String sheep = "\ud83d\udc11";
    String name = "x".repeat(46) + sheep + "x".repeat(51) + sheep; // cut off after 47 and 100 chars
    Files.writeString(other, Files.readString(other).replace("word count", name));
    Files.writeString(
        directory.resolve("job_1700000000000_0002.jsonl"),
        """
        {"type":"decision","time":1700000030000,"mode":"on","action":"DUPLICATE","task":"m","rule":"\\ud800"}
        """);
    Path page = directory.resolve("page.html");

    assertThat(run("report", "--html", page.toString(), directory.toString())).as(err()).isZero();
    assertThat(out())
        .contains("2 jobs lost")
        .contains("word\ufffdcount")
        .contains("x".repeat(46) + "…");
    assertThat(page).content().contains("word\ufffdcount").contains(name);

    assertThat(run("report", "--html", page.toString(), one.toString())).as(err()).isZero();
    assertThat(out()).contains("word\ufffdcount of ada");
    assertThat(page).content().contains("word\ufffdcount").contains("DUPLICATE");
  }

  @Test
  void pageThatCannotBeWrittenCostsNothingButThePage() throws IOException {
    Path file = WrittenJobs.slowMap(directory, 1);
    Path page = Path.of("/dev/full");
    assumeThat(page).exists();

    assertThat(run("report", "--html", page.toString(), file.toString())).isEqualTo(1);

    assertThat(out()).contains("m10 on n1: 1:00 instead of the usual 20.0 s");
    assertThat(err()).startsWith("drover: ").doesNotContain("The page: ");
  }

  @Test
  void badHistoryEndsTheReportUnlessItIsToBeSkipped() throws IOException {
    WrittenJobs.slowMap(directory, 1);
    WrittenJobs.slowMap(directory, 2);
    Files.writeString(directory.resolve("bad.jhist"), "Avro-Json\n{}\n{\"type\":\"JOB");
    Files.writeString(directory.resolve("worse.jhist"), "Avro-Json\n{}\n{\"type\":7}\n");

    assertThat(run("report", directory.toString())).isEqualTo(1);
    assertThat(err()).contains(".jhist").contains("--skip-bad goes on without it");

    out.reset();
    assertThat(run("report", "--skip-bad", "--json", directory.toString())).isZero();
    assertThat(json().path("jobs").asInt()).isEqualTo(2);
    assertThat(json().path("skipped").asInt()).isEqualTo(2);
  }

  @Test
  void badHistoryOfAJobWithAnotherOneIsTold() throws IOException {
    WrittenJobs.slowMap(directory, 1);
    Files.writeString(directory.resolve("job_1700000000000_0001_1.jhist"), "no");
    Path page = directory.resolve("page.html");
    String told =
        "1 history could not be read and was left out; the first: job_1700000000000_0001_1";

    assertThat(run("report", "--skip-bad", "--html", page.toString(), directory.toString()))
        .as(err())
        .isZero();
    assertThat(out().replaceAll("\\s+", " ")).contains("took 1:11").contains(told);
    assertThat(page).content().contains(told);
    out.reset();
    assertThat(run("report", "--skip-bad", "--json", directory.toString())).isZero();
    assertThat(json().path("skipped").asInt()).isEqualTo(1);

    WrittenJobs.slowMap(directory, 2);
    out.reset();
    assertThat(run("report", "--skip-bad", "--json", directory.toString())).isZero();
    assertThat(json().path("skipped").asInt()).isEqualTo(1);
    assertThat(json().path("repeated").asInt()).as("the bad one is counted once").isZero();
  }

  @Test
  void historyThatIsNestedTooDeepIsABadOne() throws IOException {
    WrittenJobs.slowMap(directory, 1);
    WrittenJobs.evenMaps(directory, 2);
    WrittenJobs.nestedEvents(directory);

    assertThat(run("report", directory.toString())).isEqualTo(1);
    assertThat(err()).contains("nested.jhist: its values are nested too deep");

    out.reset();
    assertThat(run("report", "--skip-bad", "--json", directory.toString())).isZero();
    assertThat(json().path("jobs").asInt()).isEqualTo(2);
    assertThat(json().path("skipped").asInt()).isEqualTo(1);
  }

  @Test
  void directoryInWhichAllIsBadIsAnError() throws IOException {
    Files.writeString(directory.resolve("a.jhist"), "no");
    Files.writeString(directory.resolve("b.jhist"), "no");

    assertThat(run("report", "--skip-bad", directory.toString())).isEqualTo(1);
    assertThat(err()).contains("no history could be read; the first: ");
  }

  @Test
  void whatIsNotThereIsSaid() {
    assertThat(run("report", directory.resolve("none").toString())).isEqualTo(1);
    assertThat(err()).contains("none");
    err.reset();
    assertThat(run("report", directory.toString())).isEqualTo(1);
    assertThat(err()).contains("no history file (*.jhist) is here or below");
    err.reset();
    assertThat(run("report", "http://foo bar")).isEqualTo(1);
    assertThat(err()).contains("http://foo bar names no file, expected a history (*.jhist)");
    err.reset();
    assertThat(run("report")).isEqualTo(2);
    assertThat(run("report", "--history-server", "http://localhost:1", "a.jhist")).isEqualTo(2);
    assertThat(err()).contains("'--history-server' works only with the ids of jobs");
    assertThat(run("report", "--history-server", "host:19888", "job_1_0007")).isEqualTo(2);
    assertThat(err()).contains("needs an address such as http://host:19888, not 'host:19888'");
  }
}
