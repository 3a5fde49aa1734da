// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.cli.demo.DemoCommand.RunSource;
import io.drover.testbed.job.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoTableTest {

  @Test
  void eachModeHasARowAndTheVerdictFollows() {
    String table = table(SampleSources.lasting(20, 100, 80, 36), 1, Scenario.SLOW_NODE);

    List<String> lines = table.lines().filter(line -> !line.isBlank()).toList();
    assertThat(lines.get(0)).isEqualTo("slow-node: every task on one node runs at 1/8 of its rate");
    assertThat(lines.get(1).strip().split("  +"))
        .containsExactly(
            "job time",
            "recovered",
            "copies",
            "won",
            "lost",
            "restarts",
            "task time",
            "wasted",
            "output");
    assertThat(lines.get(2)).contains("clean", "20.0 s", "equal");
    assertThat(lines.get(4)).contains("stock", "80.0 s", "25 %", "equal");
    assertThat(lines.get(5)).contains("drover", "36.0 s", "80 %", "equal");
    assertThat(lines.get(6))
        .isEqualTo(
            "  The fault cost 80.0 s. Drover won back 80 % of it; stock Hadoop won back 25 %.");
  }

  @Test
  void columnsAreAlignedAndFitATerminal() {
    String table = table(new SampleRuns(7), 3, Scenario.SLOW_NODE);

    List<String> rows = table.lines().filter(l -> !l.isBlank()).skip(1).limit(5).toList();
    assertThat(rows).allMatch(row -> row.length() == rows.get(0).length());
    assertThat(rows.get(0).length()).isLessThanOrEqualTo(120);
  }

  @Test
  void repeatsShowMinMedianMax() {
    String table =
        table(
            SampleSources.lasting(20, 100, 80, 36, 21, 110, 90, 40, 22, 105, 85, 38),
            3,
            Scenario.SLOW_NODE);

    assertThat(table).contains("job time min / median / max", "36.0 / 38.0 / 40.0 s");
  }

  @Test
  void whoMakesThingsWorseIsTold() {
    assertThat(table(SampleSources.lasting(20, 100, 110, 36), 1, Scenario.SLOW_NODE))
        .contains("stock Hadoop added 13 %");
  }

  @Test
  void aFaultWithoutCostIsTold() {
    assertThat(table(SampleSources.lasting(20, 20.2, 20, 20), 1, Scenario.SLOW_NODE))
        .contains("The fault cost next to nothing (0.2 s).");
  }

  @Test
  void withoutAFaultTheDifferenceToStockIsTold() {
    assertThat(table(SampleSources.lasting(20, 20.3), 1, Scenario.NONE).replaceAll("\\s+", " "))
        .contains("With nothing wrong, the job took 1.5 % longer under Drover than under stock");
  }

  @Test
  void ofSkewItIsToldThatACopyCannotHelp() {
    assertThat(table(new SampleRuns(7), 1, Scenario.SKEW).replaceAll("\\s+", " "))
        .contains("Drover started none, and restarted nothing.")
        .doesNotContain("clean");
  }

  @Test
  void howFullTheClusterWasIsDrawnUnderTheTable() {
    String table = table(SampleSources.lasting(25, 25.3), 1, Scenario.CEILING);

    assertThat(table.replaceAll("\\s+", " "))
        .contains("Small jobs ran 6 clones at once; 0.4 s after the big job had brought")
        .contains("took 25.3 s under Drover and 25.0 s under stock Hadoop, 1.2 % longer.")
        .contains("stock: no clones; above 70 % from 5.2 s; the big job took 25.0 s.")
        .contains("at most 6 clones, 6 killed; above 70 % from 5.2 s, no clone left 0.4 s later;")
        .doesNotContain("missed");
    List<String> picture =
        table.lines().filter(line -> line.matches(" +\\d+ % .*") || line.endsWith("^")).toList();
    assertThat(picture).hasSize(2 * 11).allMatch(line -> line.length() <= 80);
    // The row of tau: 2 s of AppMasters, then small maps, clones above them, and the big job
    assertThat(picture.get(11 + 3)).matches("   70 % -{7,}o+#+-*");
    assertThat(picture.get(11 + 10).length()).isEqualTo(8 + 14 + 1);
  }

  @Test
  void ofAClusterThatWasNotCrowdedItIsToldThatNobodyNeededTheRoom() {
    assertThat(table(SampleSources.withoutCrowd(), 1, Scenario.CEILING).replaceAll("\\s+", " "))
        .contains("Small jobs ran 6 clones at once; no other job needed their room.")
        .contains("drover: at most 6 clones, 0 killed; never above 70 %; the big job took")
        .contains("; 2 samples missed: java.io.IOException: 500.");
  }

  @Test
  void clonesThatWentBeforeUtilisationRoseAreToldToHaveGoneAtOnce() {
    DemoResult result = SampleSources.result(SampleSources.reclaimingAtOnce(), 1, Scenario.CEILING);

    assertThat(DemoTable.of(result).replaceAll("\\s+", " "))
        .contains("at once; none was left when the big job brought utilisation above 70 %.")
        .contains("above 70 % from 5.6 s, no clone left then;");
    assertThat(DemoSummary.headline(result))
        .startsWith("Clones leave at once, and a big job takes ");
  }

  @Test
  void ofASampleItIsToldWhichBlocksWereReadWhere() {
    String table = table(SampleSources.lasting(40, 35.5), 1, Scenario.SAMPLING);

    assertThat(table.replaceAll("\\s+", " "))
        .contains("sampling at 50 %: ", "sampling at 80 %: ")
        .contains("20 blocks were read on their own node under Drover and 7 under stock Hadoop.")
        .contains("The job took 35.5 s under Drover and 40.0 s under stock Hadoop.")
        .contains("carried 0.20 MB under Drover and 0.45 MB under stock Hadoop.")
        .contains("The outputs differ by design: each run reads another sample.")
        .contains(" stock 7 7 6 20 of 20 20 - 0.45 MB 0.69 MB ")
        .contains(" drover 20 0 0 20 of 21 20 1.3 s 0.20 MB 0.44 MB ")
        .contains("when 20 of 21 maps were done, in 3 racks. The busiest link needs 0.031 s")
        .doesNotContain("equal", "DIFFERS");
    assertThat(table.lines().filter(line -> line.startsWith("  drover "))).hasSize(2 * 2);
    // Node 1 has the blocks 0, 6, 12 and 18 of the sample, node 3 the block 20 that was left out.
    assertThat(table.lines().toList())
        .contains("      n1 [**  ] ####........", "      n3 [    ] ###x........")
        .allMatch(line -> line.length() <= 120);
  }

  @Test
  void blocksAreShownFromOneRepeatSoThatTheSlotsAreTheSame() {
    // stock and drover at 50 %, stock and drover at 80 %; three times
    RunSource source = SampleSources.lasting(30, 33, 9, 9, 31, 32, 9, 9, 32, 31, 9, 9);
    String table = table(source, 3, Scenario.SAMPLING);

    assertThat(table).contains("blocks read, repeat 2").doesNotContain("repeat 3");
  }

  @Test
  void anOutputThatIsNotThatOfTheSampleFailsTheRun() {
    DemoResult result = SampleSources.result(SampleSources.withWrongSample(), 1, Scenario.SAMPLING);

    assertThat(result.isGood()).isFalse();
    assertThat(DemoTable.of(result))
        .contains("FAILED", ": the output is not that of the 20 blocks read");
  }

  @Test
  void ofAStreamItIsToldWhichJobsWereEndedAndWhatThatSaved() {
    DemoResult result =
        SampleSources.result(SampleSources.lasting(70, 52), 1, Scenario.FAILING_JOBS);
    String table = DemoTable.of(result);

    // 4 failing jobs of 90 s; under Drover 3 of 27 s and 1 of 90 s
    assertThat(table.replaceAll("\\s+", " "))
        .contains("Drover ended 3 of 4 jobs of the program that fails.")
        .contains("took 171 s of the machines' time under Drover and 360 s under stock Hadoop,")
        .contains("53 % less. All 6 jobs of the other programs succeeded.")
        .contains("stock, of the program that fails 4 0 4 0 360 s")
        .contains("drover, of the program that fails 4 0 1 3 171 s")
        .contains("drover, of the others 6 6 0 0 270 s");
    assertThat(table.lines()).allMatch(line -> line.length() <= 120);
    assertThat(DemoSummary.headline(result))
        .isEqualTo(
            "A program that always fails takes 53 % less of the machines\u2019 time, and no good job"
                + " is ended");
    assertThat(DemoSummary.lede(result)).contains("Run as a stream of 40 small jobs;");
  }

  @Test
  void whatReplicasCostIsToldOfTheModeThatMadeThem() {
    String table = table(new SampleRuns(7), 1, Scenario.FLAKY_OUTPUTS);

    assertThat(table.replaceAll("\\s+", " "))
        .contains(
            " drover: 400.0 KB of map outputs replicated, 4.0 % of the 10.0 MB that the job read and"
                + " wrote; replicas used 2,")
        .doesNotContain("stock: ");
    assertThat(table.lines()).allMatch(line -> line.length() <= 120);
  }

  private static String table(RunSource source, int runs, Scenario scenario) {
    return DemoTable.of(SampleSources.result(source, runs, scenario));
  }
}
