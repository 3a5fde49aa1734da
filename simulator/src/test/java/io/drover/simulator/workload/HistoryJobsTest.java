// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import static io.drover.simulator.workload.Histories.attempt;
import static io.drover.simulator.workload.Histories.ended;
import static io.drover.simulator.workload.Histories.job;
import static io.drover.simulator.workload.Histories.jobRow;
import static io.drover.simulator.workload.Histories.mapRow;
import static io.drover.simulator.workload.Histories.oneMap;
import static io.drover.simulator.workload.Histories.task;
import static io.drover.simulator.workload.Histories.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which jobs of a history are replayed, in both formats. */
class HistoryJobsTest {
  @TempDir Path dir;

  private HistoryWorkload json(String... jobs) throws IOException {
    return HistoryWorkload.read(Traces.lines(dir.resolve("h.json"), jobs), false);
  }

  private HistoryWorkload tables(List<String> jobs, List<String> attempts) throws IOException {
    return HistoryWorkload.read(Histories.tables(dir, jobs, attempts), false);
  }

  private static List<String> names(HistoryWorkload workload) {
    return Traces.jobs(workload).stream().map(JobSpec::id).toList();
  }

  @Test
  void jobsThatDidNotSucceedAreLeftOutAndCountedByOutcomeInBothFormats() throws IOException {
    String failed = task(attempt("MAP", 0, 0, 5, "FAILED", 1));
    String half =
        job(
            "d",
            4000,
            List.of(task(attempt("MAP", 0, 4000, 5000, "SUCCESS", 100)), failed),
            List.of());
    HistoryWorkload tree =
        json(
            ended("a", 1000, "'SUCCESS'"),
            ended("b", 2000, "'FAILED'"),
            ended("c", 3000, "'KILLED'"),
            with(half, "'outcome': 'FAILED'"));
    HistoryWorkload table =
        tables(
            List.of(
                jobRow("a", "0", "SUCCESS", 1),
                jobRow("b", "1", "FAILED", 1),
                jobRow("c", "2", "KILLED", 1),
                jobRow("d", "3", "FAILED", 2)),
            List.of(
                mapRow("a", 0, "0", "1", "SUCCESS"),
                mapRow("b", 0, "1", "2", "SUCCESS"),
                mapRow("c", 0, "2", "3", "SUCCESS"),
                mapRow("d", 0, "3", "4", "SUCCESS"),
                mapRow("d", 1, "0", "1", "FAILED")));
    assertThat(names(tree)).containsExactly("a");
    assertThat(Traces.told(table)).isEqualTo(Traces.told(tree));
    assertThat(table.provenance()).isEqualTo(tree.provenance());
    assertThat(tree.provenance())
        .contains(
            "Jobs: real, those that succeeded. Left out: 2 FAILED, 1 KILLED (with 4 recorded tasks).");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SUCCESS", "SUCCEEDED", "Succeeded"})
  void eachSpellingOfSuccessIsOneForJobsAndAttempts(String word) throws IOException {
    String map = task(attempt("MAP", 0, 0, 1000, word, 100));
    HistoryWorkload tree =
        json(with(job("a", 0, List.of(map), List.of()), "'outcome': '" + word + "'"));
    assertThat(names(tree)).containsExactly("a");
    HistoryWorkload table =
        tables(List.of(jobRow("a", "0", word, 1)), List.of(mapRow("a", 0, "0", "1", word)));
    assertThat(Traces.told(table)).isEqualTo(Traces.told(tree));
  }

  @Test
  void jobWithoutAnOutcomeIsReplayedIfAllItsTasksSucceeded() throws IOException {
    String failed = task(attempt("MAP", 0, 0, 5, "FAILED", 1));
    HistoryWorkload tree =
        json(
            with(oneMap("whole", 1000), "'outcome': null, 'totalMaps': 1, 'totalReduces': -1"),
            with(oneMap("short", 1000), "'outcome': null, 'totalMaps': 2"),
            job("failed", 1000, List.of(failed), List.of()));
    HistoryWorkload table =
        tables(
            List.of(
                jobRow("whole", "0", "", 1),
                jobRow("short", "0", "null", 2),
                jobRow("failed", "0", "", 1)),
            List.of(
                mapRow("whole", 0, "0", "1", "SUCCESS"),
                mapRow("short", 0, "0", "1", "SUCCESS"),
                mapRow("failed", 0, "0", "1", "FAILED")));
    assertThat(names(tree)).containsExactly("whole");
    assertThat(names(table)).containsExactly("whole");
    assertThat(table.provenance()).isEqualTo(tree.provenance());
    assertThat(tree.provenance())
        .contains(
            "Jobs: real, those that succeeded (1 without an outcome, whose tasks all succeeded)."
                + " Left out: 2 without an outcome (with 2 recorded tasks).");
  }

  @Test
  void ofAJobThatIsNotReplayedOnlyTheOutcomeMustBeRight() throws IOException {
    String killed =
        "{'jobID': 'k', 'submitTime': -1, 'outcome': 'KILLED', 'mapTasks': null}"
            .replace('\'', '"');
    assertThat(names(json(killed, oneMap("a", 0)))).containsExactly("a");
    HistoryWorkload table =
        tables(
            List.of(jobRow("k", "-1", "KILLED", -1), jobRow("a", "0", "SUCCESS", 1)),
            List.of(mapRow("k", 0, "5", "-1", "SUCCESS"), mapRow("a", 0, "0", "1", "SUCCESS")));
    assertThat(names(table)).containsExactly("a");
  }

  @Test
  void historyInWhichNoJobSucceededIsRefusedWithItsOutcomes() throws IOException {
    Path file =
        Traces.lines(
            dir.resolve("none.json"), ended("a", 0, "'FAILED'"), ended("b", 0, "'RUNNING'"));
    Traces.refuses(
        file,
        f -> HistoryWorkload.read(f, true),
        "no job succeeded, found 1 FAILED, 1 RUNNING; expected at least one");
  }

  @Test
  void repeatedJobsAreReplayedUnderNamesOfTheirOwn() throws IOException {
    HistoryWorkload workload =
        json(oneMap("a", 1000), oneMap("a", 3000), oneMap("b", 2000), oneMap("a", 1000));
    assertThat(names(workload)).containsExactly("a", "a#3", "b", "a#2");
    assertThat(Traces.jobs(workload))
        .extracting(JobSpec::submitSeconds)
        .containsExactly(0.0, 0.0, 1.0, 2.0);
    assertThat(workload.provenance())
        .anyMatch(s -> s.startsWith("Repeated jobs: 2 with the name of an earlier job"));
    assertThat(json(oneMap("a", 0)).provenance())
        .anyMatch(s -> s.endsWith(". Left out: none."))
        .noneMatch(s -> s.startsWith("Repeated"));
  }

  @Test
  void namesStayUniqueIfTheTraceHasANumberBehindOne() throws IOException {
    assertThat(names(json(oneMap("a#2", 0), oneMap("a", 0), oneMap("a", 0), oneMap("a", 0))))
        .containsExactly("a#2", "a", "a#3", "a#4");
  }

  /** Rumen's own test of its Folder: 59 jobs, of which 30 are repeated. */
  @Test
  void realFoldedTraceIsReplayedWithAllItsJobs() throws IOException {
    HistoryWorkload workload =
        HistoryWorkload.read(Traces.realCase("01-rumen-goldFoldedTrace.json.gz"), false);
    assertThat(names(workload)).hasSize(89).doesNotHaveDuplicates();
    assertThat(names(workload).stream().filter(name -> name.endsWith("#2"))).hasSize(30);
    assertThat(Traces.jobs(workload).stream().mapToInt(JobSpec::tasks).sum()).isEqualTo(1214 + 582);
  }
}
