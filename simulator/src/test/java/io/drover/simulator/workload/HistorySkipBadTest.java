// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import static io.drover.simulator.workload.Histories.attempt;
import static io.drover.simulator.workload.Histories.job;
import static io.drover.simulator.workload.Histories.jobRow;
import static io.drover.simulator.workload.Histories.mapRow;
import static io.drover.simulator.workload.Histories.oneMap;
import static io.drover.simulator.workload.Histories.tables;
import static io.drover.simulator.workload.Histories.task;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of bad jobs and lines of a history, in both formats. */
class HistorySkipBadTest {
  private static final List<String> TWO_JOBS =
      List.of(jobRow("a", "0", "SUCCESS", 1), jobRow("b", "1", "SUCCESS", 1));

  @TempDir Path dir;

  private static List<String> names(HistoryWorkload workload) {
    return Traces.jobs(workload).stream().map(JobSpec::id).toList();
  }

  private static List<String> badInput(HistoryWorkload workload) {
    return workload.provenance().stream().filter(s -> s.startsWith("Bad input")).toList();
  }

  private static HistoryWorkload skipping(Path file) throws IOException {
    return HistoryWorkload.read(file, true);
  }

  private static String backwards(String id) {
    return job(id, 0, List.of(task(attempt("MAP", 0, 9000, 8000, "SUCCESS", 1))), List.of());
  }

  @Test
  void badJobIsAnErrorThatNamesTheWayAroundItOrIsLeftOutAndTold() throws IOException {
    Path file =
        Traces.lines(
            dir.resolve("h.json"),
            oneMap("a", 0),
            backwards("b"),
            "7",
            "[[{}], {}]",
            oneMap("c", 0));
    Traces.refuses(
        file,
        f -> HistoryWorkload.read(f, false),
        "begins at line 3, field mapTasks[0].attempts[0].finishTime: found '8000', expected a time"
            + " not before startTime (9000); --skip-bad goes on without this job");
    assertThat(names(skipping(file))).containsExactly("a", "c");
    assertThat(badInput(skipping(file)))
        .singleElement()
        .asString()
        .startsWith("Bad input: left out 4 jobs (--skip-bad). The first: " + file)
        .contains("line 3")
        .endsWith("(9000)");
  }

  @Test
  void nothingIsToldOfBadInputIfThereIsNone() throws IOException {
    Path file = Traces.lines(dir.resolve("h.json"), oneMap("a", 0));
    assertThat(skipping(file).provenance())
        .isEqualTo(HistoryWorkload.read(file, false).provenance());
    assertThat(badInput(skipping(file))).isEmpty();
  }

  @Test
  void jobsBeforeTheOneInWhichTheFileIsCutOffAreUsed() throws IOException {
    String whole = oneMap("a", 0) + "\n" + oneMap("b", 0) + "\n" + oneMap("c", 0);
    Path file = Files.writeString(dir.resolve("h.json"), whole.substring(0, whole.length() - 30));
    Traces.refuses(
        file,
        f -> HistoryWorkload.read(f, false),
        "line 6: not JSON (the file ends too early), expected job objects",
        "; --skip-bad goes on with the jobs before it");
    assertThat(names(skipping(file))).containsExactly("a", "b");
    assertThat(badInput(skipping(file)))
        .singleElement()
        .asString()
        .contains(file + ", line ", "The run goes on with the jobs before it (--skip-bad).");
  }

  @Test
  void nothingBehindWhatIsNotJsonIsUsed() throws IOException {
    Path file =
        Traces.lines(dir.resolve("h.json"), oneMap("a", 0), "{\"jobID\" \"b\"}", oneMap("c", 0));
    assertThat(names(skipping(file))).containsExactly("a");
    assertThat(badInput(skipping(file))).singleElement().asString().contains("line 3: not JSON");
  }

  @Test
  void fileWithOnlyBadJobsIsRefusedInAnyCase() throws IOException {
    Path file = Traces.lines(dir.resolve("h.json"), backwards("a"), backwards("b"));
    Traces.refuses(
        file, HistorySkipBadTest::skipping, "no job is left without the bad ones", "line 1");
    Path cut = Files.writeString(dir.resolve("cut.json"), "{\"jobID\": \"a\"");
    Traces.refuses(cut, HistorySkipBadTest::skipping, "no job is left", "cut off");
  }

  @Test
  void cutOffGzipIsRefusedInAnyCase() throws IOException {
    byte[] whole = Traces.gzip((oneMap("a", 0) + "\n").repeat(200));
    Path file = Files.write(dir.resolve("h.json"), Arrays.copyOf(whole, whole.length - 20));
    Traces.refuses(file, HistorySkipBadTest::skipping, "the gzip data ends too early");
  }

  @Test
  void commentWithoutAnEndIsRefusedInAnyCase() throws IOException {
    Path file = Files.writeString(dir.resolve("h.json"), "\n/* a\n" + oneMap("a", 0));
    Traces.refuses(file, HistorySkipBadTest::skipping, "comment that begins at line 2 has no end");
  }

  @Test
  void badAttemptLeavesOutItsJobInBothFormats() throws IOException {
    Path table =
        tables(
            dir,
            TWO_JOBS,
            List.of(
                mapRow("a", 0, "0", "1", "SUCCESS"),
                mapRow("b", 0, "9", "8", "SUCCESS"),
                mapRow("b", 1, "x", "y", "SUCCESS")));
    Path tree = Traces.lines(dir.resolve("h.json"), oneMap("a", 0), backwards("b"));
    Traces.refuses(
        dir.resolve("attempts_x.csv"),
        f -> HistoryWorkload.read(table, false),
        "line 3, field 6 (finish_s): found '8'",
        "; --skip-bad goes on without this job");
    assertThat(Traces.told(skipping(table))).isEqualTo(Traces.told(skipping(tree)));
    assertThat(badInput(skipping(table)))
        .singleElement()
        .asString()
        .contains("left out 1 job (--skip-bad)", "attempts_x.csv, line 3, field 6");
  }

  @Test
  void badLineOfTheTableOfJobsLeavesOutTheJobWithItsAttempts() throws IOException {
    Path file =
        tables(
            dir,
            List.of(jobRow("a", "0", "SUCCESS", 1), jobRow("b", "x", "SUCCESS", 1), "c,0"),
            List.of(
                mapRow("a", 0, "0", "1", "SUCCESS"),
                mapRow("b", 0, "0", "1", "SUCCESS"),
                mapRow("c", 0, "0", "1", "SUCCESS")));
    assertThat(names(skipping(file))).containsExactly("a");
    assertThat(badInput(skipping(file)))
        .singleElement()
        .asString()
        .contains("left out 2 jobs (--skip-bad)", "jobs_x.csv, line 3, field 4 (submit_s)");
  }

  @Test
  void jobsOfOneNameInATableAreBothLeftOutBecauseTheyShareTheirAttempts() throws IOException {
    Path file =
        tables(
            dir,
            List.of(TWO_JOBS.get(0), TWO_JOBS.get(1), TWO_JOBS.get(0)),
            List.of(mapRow("a", 0, "0", "1", "SUCCESS"), mapRow("b", 0, "0", "1", "SUCCESS")));
    Traces.refuses(
        file,
        f -> HistoryWorkload.read(f, false),
        "line 4, field 1 (job): found 'a', expected a name that no earlier job has");
    assertThat(names(skipping(file))).containsExactly("b");
    assertThat(badInput(skipping(file))).singleElement().asString().contains("left out 2 jobs");
  }

  @Test
  void attemptOfAnUnknownJobIsABadLineAndSuccessfulJobsMustHaveTheirTasks() throws IOException {
    Path file =
        tables(
            dir,
            TWO_JOBS,
            List.of(mapRow("a", 0, "0", "1", "SUCCESS"), mapRow("z", 0, "0", "1", "SUCCESS")));
    assertThat(names(skipping(file))).containsExactly("a");
    assertThat(badInput(skipping(file)))
        .singleElement()
        .asString()
        .contains("left out 1 job and 1 line", "line 3, field 1 (job): found 'z'");
  }

  @Test
  void lineThatIsCutOffLeavesOutItsJob() throws IOException {
    Path file = tables(dir, TWO_JOBS, List.of(mapRow("a", 0, "0", "1", "SUCCESS")));
    Path attempts = dir.resolve("attempts_x.csv");
    Files.writeString(attempts, Files.readString(attempts) + "b,MAP,0,0,0,1,SUCC");
    assertThat(names(skipping(file))).containsExactly("a");
    assertThat(badInput(skipping(file)))
        .singleElement()
        .asString()
        .contains("left out 1 job (", "attempts_x.csv, line 3: the file ends within this line");
  }

  @Test
  void nameThatIsCutOffIsNotTakenForThatOfAnotherJob() throws IOException {
    List<String> jobs = List.of(jobRow("1", "0", "SUCCESS", 1), jobRow("12", "1", "SUCCESS", 1));
    Path file = tables(dir, jobs, List.of(mapRow("1", 0, "0", "1", "SUCCESS")));
    Path attempts = dir.resolve("attempts_x.csv");
    Files.writeString(attempts, Files.readString(attempts) + "1");
    assertThat(names(skipping(file))).containsExactly("1");
    assertThat(badInput(skipping(file))).singleElement().asString().contains("1 job and 1 line");
  }

  @Test
  void wrongHeaderIsRefusedInAnyCase() throws IOException {
    Path file = tables(dir, TWO_JOBS, List.of(mapRow("a", 0, "0", "1", "SUCCESS")));
    Path attempts = Traces.lines(dir.resolve("attempts_x.csv"), "job,type", "a,MAP");
    Traces.refuses(attempts, f -> skipping(file), "line 1: found 'job,type'");
  }

  @Test
  void tablesMayBeginWithComments() throws IOException {
    Path file = tables(dir, TWO_JOBS, List.of(mapRow("a", 0, "0", "1", "SUCCESS"), "b,MAP"));
    Files.writeString(file, "/* a\n   licence */\n\n" + Files.readString(file));
    Path attempts = dir.resolve("attempts_x.csv");
    Files.writeString(attempts, "# a licence\n" + Files.readString(attempts));
    assertThat(names(skipping(file))).containsExactly("a");
    assertThat(badInput(skipping(file))).singleElement().asString().contains("line 4: found 2 f");
  }
}
