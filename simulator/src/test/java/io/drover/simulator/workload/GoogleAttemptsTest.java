// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.simulator.workload.GoogleAttempts.GoogleSlowness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.stat.StatUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoogleAttemptsTest {
  private static final String HEADER = "job,task,submit_s,sched_s,end_s,end,machine";

  @TempDir Path dir;

  /** Returns ten attempts of a job that took 10 s, except for the last ones. */
  private static List<String> job(long job, int slow, double seconds) {
    List<String> rows = new ArrayList<>();
    for (int task = 0; task < 10; task++) {
      double end = 100 + (task < 10 - slow ? 10 : seconds);
      rows.add(job + "," + task + ",90.0,100.0," + end + ",FINISH," + task);
    }
    return rows;
  }

  private Path file(List<String> rows) throws IOException {
    List<String> lines = new ArrayList<>(List.of(HEADER));
    lines.addAll(rows);
    return Traces.lines(dir.resolve("attempts.csv"), lines.toArray(new String[0]));
  }

  @Test
  void phaseTakesItsRatiosFromOneJob() throws IOException {
    List<String> rows = new ArrayList<>(job(1, 0, 0));
    rows.addAll(job(2, 4, 50));
    rows.addAll(job(3, 4, 50).subList(0, 9)); // one too few
    rows.add("2,99,0,0,5000,KILL,0");
    rows.add("2,98,0,,5000,FINISH,0");
    rows.add("2,97,0,10.5,10.5,FINISH,");
    rows.add("2,96,0,0,5000,FINISH,0"); // began before the trace
    rows.add("2,95,,,,OPEN,");
    GoogleSlowness slowness = GoogleAttempts.read(file(rows), 1);
    assertThat(slowness.donors()).isEqualTo(2);
    int bad = 0;
    for (int phase = 0; phase < 400; phase++) {
      int slow = 0;
      for (int task = 0; task < 100; task++) {
        double factor = slowness.of(phase, task, 0, 0);
        assertThat(factor).isIn(1.0, 5.0);
        slow += factor == 5 ? 1 : 0;
      }
      assertThat(slow == 0 || (slow > 20 && slow < 60)).as("%d of 100", slow).isTrue();
      bad += slow > 0 ? 1 : 0;
    }
    assertThat(bad).as("each job as likely as another").isBetween(170, 230);
    assertThat(slowness.provenance()).anyMatch(s -> s.contains("real") && s.contains("2 jobs"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "x,0,0,1,2,FINISH,0; line 12, field 1 (job): found 'x'; a whole number",
        "-1,0,0,1,2,FINISH,0; line 12, field 1 (job): found '-1'; a whole number",
        "9223372036854775808,0,0,1,2,FINISH,0; field 1 (job); a whole number",
        "1,0,0,x,2,FINISH,0; field 4 (sched_s): found 'x'; a number from 0 to 1000000000",
        "1,0,0,-1,2,FINISH,0; field 4 (sched_s): found '-1'; a number from 0",
        "1,0,0,3,2,FINISH,0; field 5 (end_s): found '2'; not before sched_s",
        "1,0,0,3,1e10,FINISH,0; field 5 (end_s): found '1e10'; a number from 0",
        "1,0,0,1,2,DONE,0; field 6 (end): found 'DONE'; FINISH",
        "1,0,0,1,2,FINISH; line 12: found 6 fields; job,task",
      })
  void wrongRowIsRefused(String row, String where, String more) throws IOException {
    List<String> rows = new ArrayList<>(job(1, 0, 0));
    rows.add(row);
    Traces.refuses(file(rows), f -> GoogleAttempts.read(f, 1), where, more, ", expected ");
  }

  @Test
  void otherFilesAreRefused() throws IOException {
    Path empty = Files.writeString(dir.resolve("e.csv"), "");
    Traces.refuses(empty, f -> GoogleAttempts.read(f, 1), "line 1", "empty", HEADER);
    Path other = Traces.lines(dir.resolve("o.csv"), "150 526");
    Traces.refuses(other, f -> GoogleAttempts.read(f, 1), "line 1", "'150 526'", HEADER);
    Path few = file(job(1, 0, 0).subList(0, 9));
    Traces.refuses(few, f -> GoogleAttempts.read(f, 1), "no job has 10 finished attempts");
    byte[] whole = Traces.gzip(HEADER + "\n" + String.join("\n", job(1, 0, 0)) + "\n");
    Path cut = Files.write(dir.resolve("cut.csv.gz"), Arrays.copyOf(whole, whole.length - 12));
    Traces.refuses(cut, f -> GoogleAttempts.read(f, 1), "cut off");
  }

  /** Compares with traces/google2011/README.md. One test, because the file takes long to read. */
  @Test
  void realRatiosAreThoseOfTheProfileAndPhasesDifferAsTheJobsDo() throws IOException {
    List<double[]> jobs = GoogleAttempts.ratios(Traces.real("google2011/attempts_day1.csv.gz"));
    assertThat(jobs).hasSize(1976);
    double[] all = jobs.stream().flatMapToDouble(Arrays::stream).toArray();
    assertThat(all).hasSize(385_585);
    assertThat(percentAbove(all, 1.5)).isCloseTo(5.4, within(0.051));
    assertThat(percentAbove(all, 2)).isCloseTo(2.2, within(0.051));
    assertThat(percentAbove(all, 5)).isCloseTo(0.6, within(0.051));
    assertThat(StatUtils.percentile(all, 99)).isCloseTo(3.05, within(0.01));
    double good = jobs.stream().filter(job -> StatUtils.max(job) <= 1.5).count() / 1976.0;
    // A few jobs have one outlier among thousands of attempts, which 1,000 draws may miss.
    assertThat(goodPhases(new GoogleSlowness(jobs, "real", 1))).isCloseTo(good, within(0.03));
  }

  private static double percentAbove(double[] values, double bound) {
    return 100.0 * Arrays.stream(values).filter(v -> v > bound).count() / values.length;
  }

  /** Returns the share of phases without an outlier in 1,000 attempts. */
  private static double goodPhases(GoogleSlowness slowness) {
    int good = 0;
    for (int phase = 0; phase < 4000; phase++) {
      boolean slow = false;
      for (int task = 0; task < 1000 && !slow; task++) {
        slow = slowness.of(phase, task, 0, 0) > 1.5;
      }
      good += slow ? 0 : 1;
    }
    return good / 4000.0;
  }
}
