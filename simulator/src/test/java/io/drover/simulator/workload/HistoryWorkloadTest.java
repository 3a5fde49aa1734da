// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import static io.drover.simulator.workload.Histories.JOBS_HEADER;
import static io.drover.simulator.workload.Histories.attempt;
import static io.drover.simulator.workload.Histories.job;
import static io.drover.simulator.workload.Histories.tables;
import static io.drover.simulator.workload.Histories.task;
import static io.drover.simulator.workload.Histories.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.drover.simulator.workload.HistoryWorkload.HistorySlowness;
import io.drover.simulator.world.PhaseKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.math3.stat.StatUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryWorkloadTest {
  @TempDir Path dir;

  private static HistoryWorkload read(Path file) throws IOException {
    return HistoryWorkload.read(file, false);
  }

  private HistoryWorkload json(String... jobs) throws IOException {
    return read(Traces.lines(dir.resolve("history.json"), jobs));
  }

  private static double seconds(HistoryWorkload workload, int job, int phase, int task) {
    PhaseSpec spec = Traces.jobs(workload).get(job).phases().get(phase);
    double factor = workload.slowness(1).of(PhaseKey.of(job, phase), task, 0, 0);
    return spec.bytes(task) * spec.secondsPerByte() * factor;
  }

  /** A job with maps of 100, 200 and 400 bytes at 0.01 seconds a byte, the last twice as slow. */
  private static String threeMaps(String id, long submitMs) {
    List<String> maps =
        List.of(
            task(attempt("MAP", 0, 1000, 2000, "SUCCESS", 100)),
            task(attempt("MAP", 0, 1000, 3000, "SUCCESS", 200)),
            task(
                attempt("MAP", 0, 1000, 99_000, "FAILED", 400),
                attempt("MAP", 1, 2000, 10_000, "SUCCESS", 400)));
    List<String> reduces = List.of(task(attempt("REDUCE", 0, 1500, 12_000, "SUCCESS", -1)));
    return job(id, submitMs, maps, reduces);
  }

  @Test
  void tasksTakeWhatTheyTookInTheHistory() throws IOException {
    HistoryWorkload workload = json(threeMaps("a", 500));
    PhaseSpec maps = workload.jobs().next().phases().get(0);
    assertThat(Traces.bytes(maps)).containsExactly(100, 200, 400);
    assertThat(maps.secondsPerByte()).as("the median").isCloseTo(0.01, within(1e-12));
    HistorySlowness slowness = workload.slowness(1);
    assertThat(slowness.of(PhaseKey.of(0, 0), 0, 0, 5)).isCloseTo(1, within(1e-9));
    assertThat(slowness.of(PhaseKey.of(0, 0), 2, 0, 5)).isCloseTo(2, within(1e-9));
    assertThat(seconds(workload, 0, 0, 1)).isCloseTo(2, within(1e-9));
    assertThat(workload.name()).isEqualTo("history:history.json");
  }

  @Test
  void reduceCountsFromTheEndOfTheLastMap() throws IOException {
    HistoryWorkload workload = json(threeMaps("a", 500));
    PhaseSpec reduces = workload.jobs().next().phases().get(1);
    assertThat(Traces.bytes(reduces)).as("not recorded: a unit").containsExactly(1);
    assertThat(seconds(workload, 0, 1, 0)).isCloseTo(2, within(1e-9));
  }

  @Test
  void laterAttemptsAreDrawnFromTheSamePhase() throws IOException {
    HistorySlowness slowness = json(threeMaps("a", 500)).slowness(1);
    int slow = 0;
    for (int attempt = 1; attempt <= 3000; attempt++) {
      double factor = slowness.of(PhaseKey.of(0, 0), 1, attempt, 0);
      assertThat(Math.rint(factor)).isCloseTo(factor, within(1e-9)).isIn(1.0, 2.0);
      slow += factor > 1.5 ? 1 : 0;
    }
    assertThat(slow).as("one of three").isBetween(1000 - 80, 1000 + 80);
    assertThat(slowness.of(PhaseKey.of(0, 1), 0, 1, 0)).as("a phase of one task").isPositive();
  }

  @Test
  void slownessOfAnotherWorkloadIsRefused() throws IOException {
    HistorySlowness slowness = json(threeMaps("a", 500)).slowness(1);
    assertThatIllegalArgumentException().isThrownBy(() -> slowness.of(PhaseKey.of(1, 0), 0, 0, 0));
  }

  @Test
  void aBlockThatTheJobDidNotReadIsAsSlowAsOneThatItDid() throws IOException {
    HistorySlowness slowness = json(threeMaps("a", 500)).slowness(1);
    for (int block = 3; block < 30; block++) {
      assertThat(slowness.of(PhaseKey.of(0, 0), block, 0, 0)).isBetween(1 - 1e-9, 2 + 1e-9);
    }
  }

  @Test
  void jobsAreInTheOrderOfTheirSubmissionFromZero() throws IOException {
    HistoryWorkload workload = json(threeMaps("late", 4500), threeMaps("early", 1000));
    assertThat(Traces.jobs(workload)).extracting(JobSpec::id).containsExactly("early", "late");
    assertThat(Traces.jobs(workload)).extracting(JobSpec::submitSeconds).containsExactly(0.0, 3.5);
  }

  @Test
  void bytesThatExplainNothingAreNotUsed() throws IOException {
    List<String> maps =
        List.of(
            task(attempt("MAP", 0, 0, 4000, "SUCCESS", 300)),
            task(attempt("MAP", 0, 0, 5000, "SUCCESS", 300_000)),
            task(attempt("MAP", 0, 0, 6000, "SUCCESS", 300_000_000)));
    HistoryWorkload workload = json(job("a", 0, maps, List.of()));
    assertThat(Traces.bytes(workload.jobs().next().phases().get(0))).containsExactly(1, 1, 1);
    assertThat(workload.slowness(1).of(0, 0, 0, 0)).isCloseTo(0.8, within(1e-9));
    assertThat(seconds(workload, 0, 0, 2)).isCloseTo(6, within(1e-9));
    assertThat(workload.provenance()).anyMatch(s -> s.contains("real in 0 of 1 phases"));
  }

  @Test
  void taskOfNoDurationTakesATick() throws IOException {
    List<String> maps = List.of(task(attempt("MAP", 0, 70, 70, "SUCCESS", 0)));
    assertThat(seconds(json(job("a", 0, maps, List.of())), 0, 0, 0)).isEqualTo(0.001);
  }

  @Test
  void tasksThatNeverSucceededAndJobsWithoutMapsAreLeftOutAndCounted() throws IOException {
    String failed = task(attempt("MAP", 0, 0, 5, "KILLED", 1));
    String worked = task(attempt("MAP", 0, 0, 5, "SUCCESS", 1));
    String success = "'outcome': 'SUCCESS'";
    String without = with(job("b", 1, List.of(failed), List.of()), success);
    HistoryWorkload workload =
        json(with(job("a", 0, List.of(failed, worked), List.of()), success), without);
    assertThat(workload.size()).isEqualTo(1);
    assertThat(workload.provenance())
        .anyMatch(s -> s.contains("Left out: 1 without a successful map."))
        .anyMatch(s -> s.contains("Left out because they never succeeded: 2."));
    Path none = Traces.lines(dir.resolve("none.json"), without);
    Traces.refuses(none, HistoryWorkloadTest::read, "no job has a map that succeeded");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{'submitTime': 1}; field jobID: found nothing; a name",
        "{'jobID': 'b'}; field submitTime: found nothing; a whole number from 0",
        "{'jobID': 'b', 'submitTime': -5}; field submitTime: found '-5'; a whole number from 0",
        "{'jobID': 'b', 'submitTime': 1.5}; field submitTime: found '1.5'; a whole number from 0",
        "{'jobID': 'b', 'submitTime': 99999999999999999999}; field submitTime;"
            + " '99999999999999999999'",
        "{'jobID': 'b', 'submitTime': 1}; field mapTasks: found nothing; an array",
        "{'jobID': 'b', 'submitTime': 1, 'mapTasks': [5]}; mapTasks[0].attempts; an array",
        "{'jobID': 'b', 'submitTime': 1, 'mapTasks': [{'attempts': [{'result': 7}]}]};"
            + " mapTasks[0].attempts[0].result: found '7'; a word",
        "{'jobID': 'b', 'submitTime': 1, 'mapTasks': [{'attempts': [{'result': 'SUCCESS'}]}]};"
            + " mapTasks[0].attempts[0].startTime: found nothing; a whole number",
        "{'jobID': 'b', 'submitTime': 1, 'mapTasks': [{'attempts': [{'result': 'SUCCESS',"
            + " 'startTime': 5, 'finishTime': 4}]}]}; finishTime: found '4'; not before startTime",
        "{'jobID': 'b', 'submitTime': 1, 'mapTasks': [{'attempts': [{'result': 'SUCCESS',"
            + " 'startTime': 5, 'finishTime': 6, 'hdfsBytesRead': 'x'}]}]}; hdfsBytesRead; from -1",
        "{'jobID': 'b', 'submitTime': 1, 'outcome': 5}; field outcome: found '5'; a word such as",
        "{'jobID': {'id': 'x'}, 'submitTime': 1}; field jobID: found; a name",
        "{'jobID': 'b', 'submitTime': 1, 'mapTasks': [{'attempts': [5]}]};"
            + " mapTasks[0].attempts[0]: found '5'; the object of an attempt",
        "[1]; line 3: found '1'; the object of a job",
        "{'jobID': 'b', 'submitTime'; : not JSON; cut off",
        "{'jobID' 'b'}; line 3: not JSON; job objects",
      })
  void wrongJsonIsRefused(String second, String where, String more) throws IOException {
    Path file = Traces.lines(dir.resolve("bad.json"), threeMaps("z", 1), second.replace('\'', '"'));
    Traces.refuses(file, HistoryWorkloadTest::read, where, more, "line", ", expected ");
  }

  @Test
  void tablesGiveTheSameAsJson() throws IOException {
    Path file =
        tables(
            dir,
            List.of("a,0,NORMAL,0.500,1,12,SUCCESS,3,1"),
            List.of(
                "a,MAP,0,0,1.000,2.000,SUCCESS,0,0,,,100,,,,,,,,,,,",
                "a,MAP,1,0,1.000,3.000,SUCCESS,0,0,,,200,,,,,,,,,,,",
                "a,MAP,2,0,1.000,99.000,FAILED,0,0,,,400,,,,,,,,,,,",
                "a,MAP,2,1,2.000,10.000,SUCCESS,0,0,,,400,,,,,,,,,,,",
                "a,REDUCE,0,0,1.500,12.000,SUCCESS,0,0,,,,,,,,,,,,,,"));
    assertThat(Traces.told(read(file))).isEqualTo(Traces.told(json(threeMaps("a", 500))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "b,MAP,0,0,1,2,SUCCESS|12; line 2, field 1 (job): found 'b'; a job from the table of jobs",
        "a,SETUP,0,0,1,2,SUCCESS|12; field 2 (type): found 'SETUP'; MAP or REDUCE",
        "a,MAP,-1,0,1,2,SUCCESS|12; field 3 (task): found '-1'; a whole number",
        "a,MAP,0,x,1,2,SUCCESS|12; field 4 (attempt): found 'x'; a whole number",
        "a,MAP,0,0,-1,2,SUCCESS|12; field 5 (start_s): found '-1'; a number from 0 to 1000000000",
        "a,MAP,0,0,1,1e99,SUCCESS|12; field 6 (finish_s): found '1e99'; a number from 0",
        "a,MAP,0,0,2,1,SUCCESS|12; field 6 (finish_s): found '1'; not before start_s",
        "a,MAP,0,0,1,2,SUCCESS|-12; field 12 (hdfs_read): found '-12'; a whole number",
        "a,MAP,0,0,1,2,SUCCESS; line 2: found 7 fields; job,type,task",
      })
  void wrongAttemptIsRefused(String row, String where, String more) throws IOException {
    String whole = row.replace("|", ",0,0,,,") + (row.contains("|") ? ",,,,,,,,,,," : "");
    Path file = tables(dir, List.of("a,0,NORMAL,0.5,1,12,SUCCESS,1,0"), List.of(whole));
    Traces.refuses(dir.resolve("attempts_x.csv"), f -> read(file), where, more, ", expected ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a,0,NORMAL,x,1,12,SUCCESS,1,0; field 4 (submit_s): found 'x'; a number from 0",
        "a,0,NORMAL,-1,1,12,SUCCESS,1,0; field 4 (submit_s): found '-1'; a number from 0",
        "a,0,NORMAL,1,1,12,SUCCESS,2,0; field 8 (maps): found '2'; as many maps as in the table of"
            + " attempts",
        "a,0,NORMAL,1,1,12,SUCCESS,1,1; field 9 (reduces): found '1'; as many reduces as in the"
            + " table of attempts",
        "a,0,NORMAL,1,1,12,SUCCESS,1; line 2: found 8 fields; job,user",
      })
  void wrongJobIsRefused(String row, String where, String more) throws IOException {
    Path file = tables(dir, List.of(row), List.of("a,MAP,0,0,1,2,SUCCESS,0,0,,,9,,,,,,,,,,,"));
    Traces.refuses(file, HistoryWorkloadTest::read, where, more, ", expected ");
  }

  @Test
  void otherFormatsAndMissingSiblingsAreRefused() throws IOException {
    Path empty = Files.writeString(dir.resolve("jobs_e.csv"), "");
    Traces.refuses(empty, HistoryWorkloadTest::read, "empty", "Rumen's JSON");
    Path coflow = Traces.lines(dir.resolve("jobs_c.txt"), "150 526");
    Traces.refuses(coflow, HistoryWorkloadTest::read, "line 1", "'150 526'", JOBS_HEADER);
    Path alone = Traces.lines(dir.resolve("jobs_y.csv"), JOBS_HEADER);
    Traces.refuses(dir.resolve("attempts_y.csv"), f -> read(alone), "no such file");
    Path renamed = Traces.lines(dir.resolve("mine.csv"), JOBS_HEADER);
    Traces.refuses(renamed, HistoryWorkloadTest::read, "begins with jobs_");
  }

  /** Compares with traces/hadoop_rumen/README.md: 59 jobs, the same in both formats. */
  @Test
  void realHistoryIsTheSameInBothForms() throws IOException {
    HistoryWorkload tree = read(Traces.real("hadoop_rumen/folder-input-trace.json.gz"));
    HistoryWorkload table = read(Traces.real("hadoop_rumen/jobs_59jobs.csv.gz"));
    List<JobSpec> jobs = Traces.jobs(tree);
    List<JobSpec> others = Traces.jobs(table);
    assertThat(jobs).hasSize(59).hasSameSizeAs(others);
    assertThat(jobs.stream().mapToInt(JobSpec::tasks).sum()).isEqualTo(787 + 321);
    assertThat(jobs.get(58).submitSeconds()).isCloseTo(389, within(0.2));
    for (int job = 0; job < 59; job++) {
      for (int phase = 0; phase < jobs.get(job).phases().size(); phase++) {
        PhaseSpec spec = jobs.get(job).phases().get(phase);
        PhaseSpec other = others.get(job).phases().get(phase);
        assertThat(Traces.bytes(spec)).isEqualTo(Traces.bytes(other));
        assertThat(spec.secondsPerByte())
            .isCloseTo(other.secondsPerByte(), within(1e-6 * spec.secondsPerByte() + 1e-9));
      }
    }
  }

  /** From the same profile: 7.1 % of the maps of larger jobs take over 1.5 times the median. */
  @Test
  void realDurationsComeOutOfBytesRatesAndFactors() throws IOException {
    HistoryWorkload workload = read(Traces.real("hadoop_rumen/jobs_59jobs.csv.gz"));
    int slow = 0;
    int all = 0;
    List<JobSpec> jobs = Traces.jobs(workload);
    for (int job = 0; job < jobs.size(); job++) {
      int tasks = jobs.get(job).phases().get(0).tasks();
      double[] durations = new double[tasks];
      for (int task = 0; task < tasks; task++) {
        durations[task] = seconds(workload, job, 0, task);
      }
      double median = StatUtils.percentile(durations, 50);
      for (int task = 0; tasks >= 10 && task < tasks; task++) {
        slow += durations[task] > 1.5 * median ? 1 : 0;
        all++;
      }
    }
    assertThat(100.0 * slow / all).isCloseTo(7.1, within(0.06));
  }
}
