// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import static io.drover.simulator.workload.Histories.attempt;
import static io.drover.simulator.workload.Histories.job;
import static io.drover.simulator.workload.Histories.oneMap;
import static io.drover.simulator.workload.Histories.quoted;
import static io.drover.simulator.workload.Histories.task;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms of Rumen's JSON that different versions and tools write. */
class RumenJsonTest {
  @TempDir Path dir;

  private HistoryWorkload read(String text) throws IOException {
    return HistoryWorkload.read(Files.writeString(dir.resolve("h.json"), text), false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[%s, %s]", " [\n %s,\n %s\n]\n", "[%s] [%s]", "%s[%s]", "%s%s", "[]%s\n%s"})
  void jobsInAnArrayAreThoseOneAfterAnother(String form) throws IOException {
    HistoryWorkload workload = read(form.formatted(oneMap("a", 0), oneMap("b", 500)));
    assertThat(Traces.told(workload))
        .isEqualTo(Traces.told(read(oneMap("a", 0) + "\n" + oneMap("b", 500))))
        .isNotEmpty();
  }

  @Test
  void commasWithoutAnArrayAreNoJson() throws IOException {
    Path file = Files.writeString(dir.resolve("c.json"), oneMap("a", 0) + ",\n" + oneMap("b", 0));
    Traces.refuses(file, f -> HistoryWorkload.read(f, false), "line 2: not JSON", "','");
  }

  @Test
  void lastJobOfAnArrayMustBeFollowedByItsEnd() throws IOException {
    Path file = Files.writeString(dir.resolve("c.json"), "[" + oneMap("a", 0) + ",");
    Traces.refuses(file, f -> HistoryWorkload.read(f, false), "not JSON", "cut off");
    assertThat(HistoryWorkload.read(file, true).size()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/* a\n * licence\n */\n",
        "\n  // a licence\n\n",
        "# a licence\n# of two lines\n",
        "/** one line **/ ",
        "/* one */ /* two */\n// three\n"
      })
  void commentsBeforeTheFirstJobAreSkipped(String comment) throws IOException {
    assertThat(Traces.told(read(comment + oneMap("a", 0)))).hasSize(2);
    assertThat(Traces.told(read(comment + "[" + oneMap("a", 0) + "]"))).hasSize(2);
  }

  @Test
  void lineOfAnErrorCountsTheCommentBeforeIt() throws IOException {
    Path file = Files.writeString(dir.resolve("c.json"), "/*\n\n*/\n\n{\"submitTime\": 1}\n");
    Traces.refuses(file, f -> HistoryWorkload.read(f, false), "begins at line 5, field jobID");
  }

  @Test
  void attemptsThatNeverEndedAreNotRead() throws IOException {
    String attempts =
        quoted(
            "{'result': null, 'startTime': 5, 'finishTime': -1, 'location': null},"
                + " {'startTime': 5}, {'result': 'KILLED', 'startTime': 9, 'finishTime': 2},"
                + " {'result': 'FAILED', 'hdfsBytesRead': -7}");
    String map = task(attempts, attempt("MAP", 1, 0, 1000, "SUCCESS", 100));
    assertThat(Traces.told(read(job("a", 0, List.of(map), List.of()))))
        .isEqualTo(Traces.told(read(oneMap("a", 0))));
  }

  @Test
  void listsThatAreNullAreEmpty() throws IOException {
    String empty = quoted("{'attempts': null}");
    String json =
        job("a", 0, List.of(task(attempt("MAP", 0, 0, 9, "SUCCESS", 1)), empty), List.of());
    HistoryWorkload workload =
        read(
            Histories.with(json, "'outcome': 'SUCCESS'")
                .replace("\"reduceTasks\": []", "\"reduceTasks\": null"));
    assertThat(workload.jobs().next().tasks()).isEqualTo(1);
    assertThat(workload.provenance()).anyMatch(s -> s.contains("they never succeeded: 1."));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "'job_1_0007'; job_1_0007",
        "42; 42",
        "{'jtIdentifier': '200910281128', 'id': 17}; job_200910281128_0017",
        "{'id': 123456, 'jtIdentifier': '1'}; job_1_123456",
        "{'value': 'job3'}; job3",
      })
  void idOfAJobIsANameANumberOrAnObject(String id, String name) throws IOException {
    String json = oneMap("a", 0).replace("\"a\"", quoted(id));
    assertThat(read(json).jobs().next().id()).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "{}", "' '", "[]", "1.5", "{'id':4}", "{'value':null}"})
  void otherIdsAreRefused(String id) throws IOException {
    String json = oneMap("a", 0).replace("\"a\"", quoted(id));
    Path file = Files.writeString(dir.resolve("bad.json"), json);
    Traces.refuses(
        file, f -> HistoryWorkload.read(f, false), "line 1, field jobID", quoted(id), "a name");
  }

  @Test
  void numbersMayBeWrittenWithAnExponentOrAPoint() throws IOException {
    String json = oneMap("a", 0).replace("\"finishTime\": 1000", "\"finishTime\": 1.0e3");
    assertThat(Traces.told(read(json.replace("Read\": 100", "Read\": 100.0"))))
        .isEqualTo(Traces.told(read(oneMap("a", 0))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"hdfsBytesRead\": null", "\"hdfsBytesRead\": -1", "\"x\": 0"})
  void taskWithoutACounterHasNoBytes(String counter) throws IOException {
    HistoryWorkload workload = read(oneMap("a", 0).replace("\"hdfsBytesRead\": 100", counter));
    assertThat(Traces.bytes(workload.jobs().next().phases().get(0))).containsExactly(1);
    assertThat(workload.provenance()).anyMatch(s -> s.contains("real in 0 of 1 phases"));
  }

  /** A job of Hadoop 2 below a licence; an attempt of a reduce crashed and has no end. */
  @Test
  void realJobWithACrashedAttemptIsReplayedWhole() throws IOException {
    HistoryWorkload workload =
        HistoryWorkload.read(Traces.realCase("03-rumen-1job-with-one-crashed-attempt.json"), false);
    JobSpec job = Traces.jobs(workload).get(0);
    assertThat(workload.size()).isEqualTo(1);
    assertThat(job.id()).isEqualTo("job_1488896259152_410442");
    assertThat(job.phases()).extracting(PhaseSpec::tasks).containsExactly(54, 16);
  }
}
