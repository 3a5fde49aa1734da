// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoflowWorkloadTest {
  @TempDir Path dir;

  private static int[] racks(PhaseSpec phase) {
    return IntStream.range(0, phase.tasks())
        .map(task -> phase.racks().orElseThrow()[task])
        .toArray();
  }

  @Test
  void coflowIsAJobWithATaskForEachRack() throws IOException {
    Path file =
        Traces.lines(dir.resolve("c.txt"), "10 2", "7 0 3 4 5 9 2 0:1.0 9:3", "8 1500 1 2 1 3:0.5");
    CoflowWorkload workload = CoflowWorkload.read(file, new Rates(10e6, 20e6, 0), 1, false);
    List<JobSpec> jobs = Traces.jobs(workload);
    assertThat(workload.racks()).isEqualTo(10);
    assertThat(workload.size()).isEqualTo(2);
    assertThat(workload.name()).isEqualTo("coflow:c.txt");
    PhaseSpec maps = jobs.get(0).phases().get(0);
    PhaseSpec reduces = jobs.get(0).phases().get(1);
    assertThat(jobs.get(0).id()).isEqualTo("7");
    assertThat(racks(maps)).containsExactly(4, 5, 9);
    assertThat(Traces.bytes(maps)).containsExactly(1_333_334, 1_333_333, 1_333_333);
    assertThat(maps.secondsPerByte()).isEqualTo(1e-7);
    assertThat(racks(reduces)).containsExactly(0, 9);
    assertThat(Traces.bytes(reduces)).containsExactly(1_000_000, 3_000_000);
    assertThat(reduces.secondsPerByte()).isEqualTo(5e-8);
    assertThat(jobs.get(1).submitSeconds()).isEqualTo(1.5);
    assertThat(Traces.told(workload)).isEqualTo(Traces.told(workload));
    assertThat(workload.provenance()).anyMatch(s -> s.contains("The racks are real, out of 10"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "2 5 1 10 1 0:1; line 3, field 4 (rack of a mapper): found '10'; from 0 to 9",
        "2 5 1 -1 1 0:1; line 3, field 4 (rack of a mapper): found '-1'; from 0 to 9",
        "2 5 2 1; line 3, field 5 (rack of a mapper): found nothing; from 0 to 9",
        "2 5 0 1 0:1; line 3, field 3 (number of mappers): found '0'; from 1",
        "2 5 99999999999 1; line 3, field 3 (number of mappers): found '99999999999'; from 1",
        "2 5 1 1 0; line 3, field 5 (number of reducers): found '0'; from 1",
        "2 5 1 1 2 0:1; line 3, field 7 (rack and megabytes of a reducer): found nothing;"
            + " RACK:MEGABYTES",
        "2 5 1 1 1 0; line 3, field 6; RACK:MEGABYTES",
        "2 5 1 1 1 0:; line 3, field 6 (megabytes of a reducer): found '0:'; a number from 0",
        "2 5 1 1 1 0:-4; line 3, field 6 (megabytes of a reducer): found '0:-4'; a number from 0",
        "2 5 1 1 1 0:NaN; line 3, field 6; a number from 0",
        "2 5 1 1 1 0:1e300; line 3, field 6; 1000000000",
        "2 5 1 1 1 12:1; line 3, field 6 (rack of a reducer): found '12:1'; from 0 to 9",
        "2 5 1 1 1 0:1 1:1; line 3: found 7 fields; 6 fields",
        "2 3 1 1 1 0:1; line 3, field 2 (arrival in milliseconds, which never falls): found '3';"
            + " from 4",
        "2 x 1 1 1 0:1; line 3, field 2; 'x'",
        "2 5.5 1 1 1 0:1; line 3, field 2; '5.5'",
      })
  void wrongLineIsRefused(String line, String where, String more) throws IOException {
    Path file = Traces.lines(dir.resolve("bad.txt"), "10 2", "1 4 1 0 1 0:1", line);
    Traces.refuses(file, f -> CoflowWorkload.read(f, 1, false), where, more, ", expected ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "10 3; line 1, field 2 (coflows): found '3'; 1, the number of lines that follow",
        "0 1; line 1, field 1 (racks): found '0'; from 1",
        "10; line 1: found 1 field; 2 fields",
        "a|1|2|3|4|5; line 1: found 1 field; 2 fields",
        "job,task,submit_s; line 1: found 1 field; 2 fields",
      })
  void wrongHeaderIsRefused(String header, String where, String more) throws IOException {
    Path file = Traces.lines(dir.resolve("bad.txt"), header.replace('|', '\t'), "1 4 1 0 1 0:1");
    Traces.refuses(file, f -> CoflowWorkload.read(f, 1, false), where, more, ", expected ");
  }

  @Test
  void emptyAndCutOffFilesAreRefused() throws IOException {
    Path empty = Files.writeString(dir.resolve("empty.txt"), "");
    Traces.refuses(
        empty, f -> CoflowWorkload.read(f, 1, false), "line 1", "empty", "racks and coflows");
    Path cut = Files.writeString(dir.resolve("cut.txt"), "10 1\n1 4 1 0 1 0:1");
    Traces.refuses(cut, f -> CoflowWorkload.read(f, 1, false), "line 2", "cut off");
  }

  @Test
  void otherFieldsOfTheFirstLineAreIgnoredAndTold() throws IOException {
    Path file = Traces.lines(dir.resolve("c.txt"), "10 1 0.5 x", "1 4 1 0 1 0:1");
    CoflowWorkload workload = CoflowWorkload.read(file, 1, false);
    assertThat(workload.racks()).isEqualTo(10);
    assertThat(workload.provenance()).anyMatch(s -> s.contains("the other fields are ignored (2)"));
    Path usual = Traces.lines(dir.resolve("u.txt"), "10 1 ", "1 4 1 0 1 0:1");
    assertThat(CoflowWorkload.read(usual, 1, false).provenance())
        .as("a space at the end is no field")
        .noneMatch(s -> s.contains("ignored"));
  }

  @Test
  void commentsBeforeTheFirstLineAreSkippedAndLinesKeepTheirNumbers() throws IOException {
    Path file =
        Traces.lines(dir.resolve("c.txt"), "# licence", "", "10 2", "1 4 1 0 1 0:1", "2 x 1 1");
    Traces.refuses(file, f -> CoflowWorkload.read(f, 1, false), "line 5, field 2");
    assertThat(CoflowWorkload.read(file, 1, true).size()).isEqualTo(1);
  }

  @Test
  void badLineIsAnErrorThatNamesTheWayAroundItOrIsLeftOutAndTold() throws IOException {
    Path file =
        Traces.lines(
            dir.resolve("c.txt"), "10 3", "1 4 1 0 1 0:1", "2 5 1 99 1 0:1", "3 6 1 0 1 0:1");
    Traces.refuses(
        file,
        f -> CoflowWorkload.read(f, 1, false),
        "line 3",
        "; --skip-bad goes on without this line");
    CoflowWorkload workload = CoflowWorkload.read(file, 1, true);
    assertThat(Traces.jobs(workload)).extracting(JobSpec::id).containsExactly("1", "3");
    assertThat(workload.provenance())
        .filteredOn(s -> s.startsWith("Bad input"))
        .singleElement()
        .asString()
        .contains("left out 1 line (--skip-bad). The first: ", "line 3, field 4", "found '99'");
  }

  @Test
  void fileOfFewerLinesThanItAnnouncesIsUsedIfBadInputIsSkipped() throws IOException {
    Path file = Files.writeString(dir.resolve("c.txt"), "10 5\n1 4 1 0 1 0:1\n2 5 1 1 1 0:1");
    CoflowWorkload workload = CoflowWorkload.read(file, 1, true);
    assertThat(workload.size()).isEqualTo(1);
    assertThat(workload.provenance())
        .filteredOn(s -> s.startsWith("Bad input"))
        .hasSize(2)
        .anyMatch(s -> s.contains("left out 1 line") && s.contains("cut off"))
        .anyMatch(s -> s.contains("line 1, field 2 (coflows): found '5', expected 2"));
  }

  @Test
  void wrongHeaderAndAFileOfOnlyBadLinesAreRefusedInAnyCase() throws IOException {
    Path header = Traces.lines(dir.resolve("h.txt"), "ten 1", "1 4 1 0 1 0:1");
    Traces.refuses(header, f -> CoflowWorkload.read(f, 1, true), "line 1, field 1 (racks)");
    Path bad = Traces.lines(dir.resolve("b.txt"), "10 1", "1 4 1 99 1 0:1");
    Traces.refuses(bad, f -> CoflowWorkload.read(f, 1, true), "no job is left", "found '99'");
  }

  /** Compares with the profile in traces/coflow_fb2010/README.md. */
  @Test
  void realBenchmarkIsThatOfItsProfile() throws IOException {
    CoflowWorkload workload =
        CoflowWorkload.read(Traces.real("coflow_fb2010/FB2010-1Hr-150-0.txt"), 1, false);
    assertThat(workload.racks()).isEqualTo(150);
    assertThat(workload.size()).isEqualTo(526);
    List<JobSpec> jobs = Traces.jobs(workload);
    assertThat(jobs.get(525).submitSeconds()).isCloseTo(3629, within(1.0));
    long shuffle = jobs.stream().mapToLong(job -> job.phases().get(1).totalBytes()).sum();
    assertThat(shuffle / 1e12).isCloseTo(35.5, within(0.05));
    assertThat(jobs)
        .allMatch(j -> j.phases().get(0).totalBytes() == j.phases().get(1).totalBytes());
    assertThat(jobs.stream().mapToInt(job -> job.phases().get(0).tasks()).max()).hasValue(147);
  }
}
