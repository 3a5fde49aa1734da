// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.model.TaskKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SwimWorkloadTest {
  private static final long MB = 1L << 20;
  private static final long GB = 1L << 30;
  private static final SwimSettings SETTINGS = SwimSettings.of(100);

  @TempDir Path dir;

  private SwimWorkload read(SwimSettings settings, String... lines) throws IOException {
    return SwimWorkload.read(Traces.lines(dir.resolve("t.tsv"), lines), settings, false);
  }

  private static String line(String id, long submit, long input, long shuffle, long output) {
    return id + "\t" + submit + "\t0\t" + input + "\t" + shuffle + "\t" + output;
  }

  @Test
  void mapsAreBlocksAndTheLastIsTheRemainder() throws IOException {
    SwimWorkload workload =
        read(
            SETTINGS,
            line("a", 3, 128 * MB, 0, 5),
            line("b", 3, 300 * MB, 0, 5),
            line("c", 4, 1, 0, 5),
            line("d", 4, 0, 0, 5));
    List<JobSpec> jobs = Traces.jobs(workload);
    assertThat(jobs).extracting(JobSpec::id).containsExactly("a", "b", "c", "d");
    assertThat(jobs).extracting(JobSpec::submitSeconds).containsExactly(3.0, 3.0, 4.0, 4.0);
    assertThat(jobs).allMatch(job -> job.phases().size() == 1, "map-only without a shuffle");
    assertThat(jobs)
        .extracting(job -> Traces.bytes(job.phases().get(0)))
        .containsExactly(
            new long[] {128 * MB},
            new long[] {128 * MB, 128 * MB, 44 * MB},
            new long[] {1},
            new long[] {0});
    assertThat(workload.name()).isEqualTo("swim:t.tsv");
    assertThat(workload.size()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({"1,0,1", "1610612736,0,2", "1073741824,5368709120,6", "1099511627776,0,20"})
  void reducesFollowFromShuffleAndOutputUpToAFifthOfTheMachines(
      long shuffle, long output, int reduces) throws IOException {
    JobSpec job = read(SETTINGS, line("a", 0, MB, shuffle, output)).jobs().next();
    assertThat(job.phases().get(1).kind()).isEqualTo(TaskKind.REDUCE);
    assertThat(job.phases().get(1).tasks()).isEqualTo(reduces);
    assertThat(job.phases().get(1).totalBytes()).as("nothing is lost").isEqualTo(shuffle);
  }

  @Test
  void smallClusterHasOneReduce() throws IOException {
    SwimWorkload workload = read(SwimSettings.of(3), line("a", 0, MB, 100 * GB, 0));
    assertThat(workload.jobs().next().phases().get(1).tasks()).isEqualTo(1);
  }

  @Test
  void samplesWithPathsAreReadAsWell() throws IOException {
    String line = line("a", 1, MB, 0, 1) + "\tinputPath1\t\t";
    assertThat(read(SETTINGS, line).size()).isEqualTo(1);
  }

  @Test
  void hoursLeaveTheRestOut() throws IOException {
    String[] lines = {
      line("a", 0, MB, 0, 1),
      line("b", 3599, MB, 0, 1),
      line("c", 3600, MB, 0, 1),
      line("d", 86_404, MB, 0, 1)
    };
    assertThat(read(SETTINGS.withHours(1), lines).size()).isEqualTo(2);
    assertThat(read(SETTINGS.withHours(2), lines).size()).isEqualTo(3);
    assertThat(read(SETTINGS, lines).size()).as("the last sample runs over").isEqualTo(4);
    Path file = Traces.lines(dir.resolve("late.tsv"), line("d", 86_404, MB, 0, 1));
    Traces.refuses(file, f -> SwimWorkload.read(f, SETTINGS.withHours(3), false), "first 3 hours");
  }

  @Test
  void errorInAnHourThatIsLeftOutIsAnError() throws IOException {
    Path file =
        Traces.lines(dir.resolve("t.tsv"), line("a", 0, 1, 0, 1), line("b", 7200, -1, 0, 1));
    Traces.refuses(file, f -> SwimWorkload.read(f, SETTINGS.withHours(1), false), "line 2", "'-1'");
  }

  @Test
  void sameSeedGivesTheSameJobsAndAnotherSeedOtherOnes() throws IOException {
    String[] lines = {line("a", 0, GB, 50 * GB, 1), line("b", 1, GB, 50 * GB, 1)};
    SwimWorkload workload = read(SETTINGS, lines);
    assertThat(Traces.told(workload)).isEqualTo(Traces.told(workload));
    assertThat(Traces.told(workload)).isEqualTo(Traces.told(read(SETTINGS, lines)));
    assertThat(Traces.told(workload)).isNotEqualTo(Traces.told(read(SETTINGS.withSeed(2), lines)));
  }

  @Test
  void jobsThatComeLaterDoNotChangeTheOnesBefore() throws IOException {
    String first = line("a", 0, GB, 50 * GB, 1);
    List<String> alone = Traces.told(read(SETTINGS, first));
    assertThat(Traces.told(read(SETTINGS, first, line("b", 1, GB, GB, 1))))
        .startsWith(alone.toArray(new String[0]));
  }

  @Test
  void ratesAreAroundTheirMedian() throws IOException {
    String[] lines = new String[2000];
    for (int i = 0; i < lines.length; i++) {
      lines[i] = line("job" + i, i, MB, GB, 0);
    }
    List<JobSpec> jobs = Traces.jobs(read(SETTINGS, lines));
    assertThat(shareBelow(jobs, 0, 1 / 8e6)).isCloseTo(0.5, within(0.04));
    assertThat(shareBelow(jobs, 1, 1 / 16e6)).isCloseTo(0.5, within(0.04));
    assertThat(shareBelow(jobs, 0, Math.exp(-0.5) / 8e6)).as("sigma").isCloseTo(0.16, within(0.03));
    SwimWorkload even = read(SETTINGS.withRates(new Rates(1e6, 2e6, 0)), lines[0]);
    assertThat(even.jobs().next().phases())
        .extracting(PhaseSpec::secondsPerByte)
        .containsExactly(1e-6, 5e-7);
  }

  private static double shareBelow(List<JobSpec> jobs, int phase, double secondsPerByte) {
    return jobs.stream()
            .filter(job -> job.phases().get(phase).secondsPerByte() < secondsPerByte)
            .count()
        / (double) jobs.size();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a|5|0|-1|0|0; line 2, field 4 (map input bytes): found '-1'; from 0 to 1000000000000000",
        "a|5|0|1|x|0; line 2, field 5 (shuffle bytes): found 'x'; a whole number",
        "a|5|0|1|1.5|0; line 2, field 5 (shuffle bytes): found '1.5'; a whole number",
        "a|5|0|1|0|; line 2, field 6 (output bytes): found nothing; a whole number",
        "a|5|-1|1|0|0; line 2, field 3 (gap): found '-1'; a whole number",
        "a|1|0|1|0|0; line 2, field 2 (submit time, which never falls): found '1'; from 2 to",
        "a|99999999999999999999|0|1|0|0; field 2; '99999999999999999999'",
        "a|5|0|9223372036854775807|0|0; field 4; '9223372036854775807'",
        "a|5|0|9223372036854775808|0|0; field 4; '9223372036854775808'",
        "a|5|0|1|0|1000000000000001; field 6; '1000000000000001'",
        "z|5|0|1|0|0; line 2, field 1 (job): found 'z'; no earlier job",
        "|5|0|1|0|0; line 2, field 1 (job): found nothing; a name",
        "a|5|0|1|0; line 2: found 5 fields; 6 fields separated by tabs",
        "a|5|0|1|0|0|p|||; line 2: found 10 fields; 6 fields separated by tabs",
        "a 5 0 1 0 0; line 2: found 1 field; 'a 5 0 1 0 0'",
        "''; line 2: found 1 field; 6 fields",
      })
  void wrongLineIsRefused(String line, String where, String more) throws IOException {
    Path file = Traces.lines(dir.resolve("bad.tsv"), "z\t2\t2\t1\t0\t0", line.replace('|', '\t'));
    Traces.refuses(file, f -> SwimWorkload.read(f, SETTINGS, false), where, more, ", expected ");
  }

  @Test
  void emptyFileIsRefused() throws IOException {
    Path file = Files.writeString(dir.resolve("bad.tsv"), "");
    Traces.refuses(file, f -> SwimWorkload.read(f, SETTINGS, false), "line 1", "empty", "6 fields");
  }

  @Test
  void lineThatIsCutOffInsideItsLastNumberIsRefused() throws IOException {
    Path file =
        Files.writeString(dir.resolve("bad.tsv"), line("a", 0, 1, 0, 1) + "\nb\t1\t1\t1\t0\t7");
    Traces.refuses(file, f -> SwimWorkload.read(f, SETTINGS, false), "line 2", "cut off");
  }

  @Test
  void badLinesAreErrorsThatNameTheWayAroundThemOrAreLeftOutAndTold() throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("t.tsv"),
            String.join(
                "\n",
                "# licence",
                line("a", 1, MB, 0, 1),
                line("a", 2, MB, 0, 1),
                line("b", 0, MB, 0, 1),
                line("c", 3, MB, 0, 1),
                line("d", 4, MB, 0, 1)));
    Traces.refuses(
        file,
        f -> SwimWorkload.read(f, SETTINGS, false),
        "line 3, field 1 (job)",
        "; --skip-bad goes on without this line");
    SwimWorkload workload = SwimWorkload.read(file, SETTINGS, true);
    assertThat(Traces.jobs(workload)).extracting(JobSpec::id).containsExactly("a", "c");
    assertThat(workload.provenance())
        .filteredOn(s -> s.startsWith("Bad input"))
        .singleElement()
        .asString()
        .contains("left out 3 lines (--skip-bad). The first: ", "line 3, field 1 (job)");
  }

  @Test
  void fileOfOnlyBadLinesIsRefusedInAnyCase() throws IOException {
    Path file = Traces.lines(dir.resolve("bad.tsv"), "150 526", "1 2 3");
    Traces.refuses(
        file, f -> SwimWorkload.read(f, SETTINGS, true), "no job is left", "line 1", "150 526");
  }

  @ParameterizedTest
  @ValueSource(strings = {"150 526", "{\"jobID\": \"x\"}", "job,user,priority,submit_s"})
  void otherFormatIsRefused(String first) throws IOException {
    Path file = Traces.lines(dir.resolve("bad.tsv"), first);
    Traces.refuses(
        file, f -> SwimWorkload.read(f, SETTINGS, false), "line 1", first, "separated by tabs");
  }

  @Test
  void absurdNumberOfMapsIsRefused() throws IOException {
    Path file = Traces.lines(dir.resolve("bad.tsv"), line("a", 0, 1_000_000_000_000L, 0, 0));
    SwimSettings tiny = SETTINGS.withTaskSizes(1000, GB);
    Traces.refuses(
        file, f -> SwimWorkload.read(f, tiny, false), "field 4", "fewer than 10000000 blocks");
  }

  @Test
  void settingsHaveRanges() {
    assertThatIllegalArgumentException().isThrownBy(() -> SwimSettings.of(0));
    assertThatIllegalArgumentException().isThrownBy(() -> SETTINGS.withHours(25));
    assertThatIllegalArgumentException().isThrownBy(() -> SETTINGS.withTaskSizes(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Rates(0, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Rates(1, 1, Double.NaN));
  }

  /** Compares with the table in traces/swim_facebook/README.md. */
  @ParameterizedTest
  @CsvSource({
    "FB-2009_samples_24_times_1hr_0, 5894, 205713, 26.9, 22.2, 75.5",
    "FB-2009_samples_24_times_1hr_1, 6638, 256051, 33.6, 14.1, 72.8",
    "FB-2010_samples_24_times_1hr_withInputPaths_0, 25428, 9000000, 1210, 413, 33.4",
  })
  void realSamplesAreThoseOfTheirProfile(
      String name, int jobs, long maps, double inputTb, double shuffleTb, double mapOnly)
      throws IOException {
    Path file = Traces.real("swim_facebook/" + name + ".tsv.gz");
    SwimWorkload workload = SwimWorkload.read(file, SwimSettings.of(600), false);
    long mapsFound = 0;
    double input = 0;
    double shuffle = 0;
    int withoutReduces = 0;
    for (Iterator<JobSpec> all = workload.jobs(); all.hasNext(); ) {
      List<PhaseSpec> phases = all.next().phases();
      mapsFound += phases.get(0).tasks();
      input += phases.get(0).totalBytes();
      shuffle += phases.size() == 1 ? 0 : phases.get(1).totalBytes();
      withoutReduces += phases.size() == 1 ? 1 : 0;
    }
    assertThat(workload.size()).isEqualTo(jobs);
    assertThat((double) mapsFound).isCloseTo(maps, within(maps == 9000000 ? 5000.0 : 0.5));
    assertThat(input / 1e12).isCloseTo(inputTb, within(inputTb > 1000 ? 5 : 0.05));
    assertThat(shuffle / 1e12).isCloseTo(shuffleTb, within(shuffleTb > 400 ? 0.5 : 0.05));
    assertThat(100.0 * withoutReduces / jobs).isCloseTo(mapOnly, within(0.05));
    assertThat(workload.provenance()).hasSizeGreaterThan(4).anyMatch(s -> s.contains("real"));
  }
}
