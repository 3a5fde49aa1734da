// SPDX-License-Identifier: Apache-2.0
package io.drover.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.cli.command.MemoryLimit;
import io.drover.cli.demo.DemoCommand.SourceFactory;
import io.drover.cli.demo.SampleSources;
import io.drover.testbed.cluster.ClusterException;
import io.drover.testbed.host.HostKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final AtomicBoolean ending = new AtomicBoolean();

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "demo --scenaro skew          | unknown option '--scenaro'; did you mean '--scenario'?",
        "demo --scenario=slow-nod     | unknown scenario 'slow-nod'; did you mean 'slow-node'?",
        "demo --scenario stall        | unknown scenario 'stall'; did you mean 'stall-90'?",
        "demo --scenario SLOW-NODE    | unknown scenario 'SLOW-NODE'; did you mean 'slow-node'?",
        "demo slow-node               | unexpected argument 'slow-node'; did you mean"
            + " '--scenario slow-node'?",
        "demo --job srot              | unknown job 'srot'; did you mean 'sort'?",
        "demo --scenario=none --modes=off | the scenario has none of the modes in --modes (record needs --record)",
        "demo --job=bogus             | unknown job 'bogus'; choose from wordcount, linecount, sort, fastwordcount,"
            + " terasort",
        "demo --runs 0                | option '--runs' needs a whole number from 1 to 100,"
            + " not '0'",
        "demo --runs 101              | option '--runs' needs a whole number from 1 to 100,"
            + " not '101'",
        "demo --runs many             | option '--runs' needs a whole number, not 'many'",
        "demo --runs                  | option '--runs' needs a value: N",
        "demo --al                    | unknown option '--al'; did you mean '--all'?",
        "demo -zzz                    | unknown option '-zzz'; see 'drover demo --help'",
        "demo --all --scenario skew   | '--all' and '--scenario' exclude each other: --all runs"
            + " every scenario",
        "demo --input no/such/file    | option '--input': no such file or directory (or not"
            + " readable): no/such/file",
        "demo --existing --hosts namespaces | '--hosts' and '--existing' exclude each other: its hosts"
            + " are there",
        "demo --existing --hadoop 3.5.0 | '--hadoop' and '--existing' exclude each other: its Hadoop"
            + " is there",
        "demo --hadoop 3.4.99 | '--hadoop 3.4.99': this is Hadoop 3.5.0; outside of a checkout"
            + " HADOOP_HOME decides",
        "demo --scenario starved-host | scenario 'starved-host' needs --hosts namespaces",
        "demo --fault cut-host | scenario 'faults' needs --hosts namespaces",
        "demo --scenario faults | scenario 'faults' needs --fault, which says what goes wrong",
        "demo --fault nm-deth | '--fault': there is no fault 'nm-deth'; the faults are starved-host,"
            + " stopped-tasks, pausing-tasks, slow-host-link, slow-uplink, cut-host, cut-rack, nm-death,"
            + " host-death, lost-outputs, corrupt-outputs, truncated-outputs, full-disk, wrong-clock",
        "demo --fault nm-death --scenario skew | '--fault' excludes --all, --existing and every"
            + " --scenario but faults: it says itself what goes wrong",
        "demo --job terasort --scenario skew | scenario 'skew' needs a job that keeps a pace, and"
            + " terasort goes as fast as it can",
        "demo --hosts namespace | unknown kind of hosts 'namespace'; did you mean"
            + " 'namespaces'?",
        "demo --existing --keep       | '--keep' and '--existing' exclude each other: `mapred job"
            + " -logs` has the logs",
        "demo --existing --scenario ceiling | scenario 'ceiling' needs its own cluster and does not"
            + " work with --existing",
        "doctor --offlin              | unknown option '--offlin'; did you mean '--offline'?",
        "doctor --tasks many          | option '--tasks' needs a whole number, not 'many'",
        "doctor --conf no/such        | no such directory with Hadoop's configuration: no/such",
        "dmo                          | unknown command 'dmo'; did you mean 'demo'?",
        "--verison                    | unknown option '--verison'; did you mean '--version'?",
      })
  void wrongArgumentsAreNamedInOneLineWithTheNearestRightOnes(String line, String message) {
    int code = run(SampleSources::source, line.strip().split(" "));

    assertThat(err()).isEqualTo("drover: " + message + System.lineSeparator());
    assertThat(out.size()).isZero();
    assertThat(code).isEqualTo(2);
  }

  @Test
  void aReportThatCannotBeWrittenIsRefusedBeforeTheRuns() {
    assertThat(run(SampleSources::source, "demo", "--report", directory.toString())).isEqualTo(2);
    assertThat(run(SampleSources::source, "demo", "--report", directory + "/no/x.html"))
        .isEqualTo(2);

    assertThat(err().lines()).hasSize(2).allMatch(line -> line.contains("option '--report'"));
  }

  @Test
  void helpIsNoError() {
    assertThat(run(SampleSources::source, "demo", "--help")).isZero();

    assertThat(out())
        .contains("--scenario=NAME", "--all", "--job=NAME", "--runs=N", "--input=FILE|DIR")
        .contains("--report=FILE", "--json", "--keep", "--verbose")
        .contains("every task on one node runs at 1/8 of its rate", "freezes at 30 % and");
    assertThat(err.size()).isZero();
  }

  @Test
  void onAnExistingClusterAllScenariosRunThatDoNothingToIt() throws Exception {
    List<Optional<HostKind>> asked = new ArrayList<>();
    List<String> titles = new ArrayList<>();
    SourceFactory source =
        (hosts, starting, kept) -> {
          asked.add(hosts);
          return SampleSources.recording(titles);
        };

    assertThat(run(source, "demo", "--existing", "--all", "--report", report())).isZero();

    assertThat(asked).containsExactly(Optional.empty());
    assertThat(titles)
        .contains("slow-node, drover", "placement, stock", "small-jobs 1, drover")
        .noneMatch(title -> title.matches("(node-death|ceiling|sampling).*"));
    assertThat(Files.readString(Path.of(report())))
        .contains("of a Hadoop cluster")
        .doesNotContain("all on this machine");
  }

  @Test
  void withoutArgumentsTheHelpIsShown() {
    assertThat(run(SampleSources::source)).isZero();
    assertThat(out()).contains("Usage: drover", "demo");
  }

  @Test
  void versionIsShown() {
    assertThat(run(SampleSources::source, "--version")).isZero();
    assertThat(out()).startsWith("drover ");
  }

  @Test
  void jsonIsExactlyOneObjectOnStandardOutput() throws Exception {
    int code = run(SampleSources::source, "demo", "--json", "--report", report());

    JsonNode json = new ObjectMapper().readTree(out());
    assertThat(out().strip().lines()).hasSize(1);
    assertThat(json.path("scenarios")).hasSize(1);
    assertThat(err()).contains("slow-node: every task on one node", "The page: ");
    assertThat(code).isZero();
  }

  @Test
  void withoutATerminalThereIsALineForEachRun() {
    assertThat(run(SampleSources::source, "demo", "--report", report())).isZero();

    assertThat(err()).contains("1/4 slow-node, off: ", "2/4 clean: ", "4/4 slow-node, drover: ");
    assertThat(err()).contains("0:00 left");
  }

  @Test
  void thePageIsAllThatIsLeft() throws Exception {
    run(SampleSources::source, "demo", "--report", report());

    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(Path.of(report()));
    }
  }

  @Test
  void aFailedJobOrAnOutputThatDiffersIsExitCodeOne() {
    assertThat(run(SampleSources::failing, "demo", "--report", report())).isEqualTo(1);
    assertThat(out()).contains("FAILED", "1 job FAILED.", "split 5 is cursed");

    out.reset();
    assertThat(run(SampleSources::differing, "demo", "--report", report())).isEqualTo(1);
    assertThat(out()).contains("DIFFERS");
  }

  @Test
  void whatGoesWrongIsOneLineAndAStackTraceOnlyIfWished() {
    SourceFactory broken =
        (hosts, starting, kept) ->
            SampleSources.throwing(
                new ClusterException("the daemon n3 has ended; its log ends with\nx"));

    assertThat(run(broken, "demo", "--report", report())).isEqualTo(1);
    assertThat(err().lines().filter(line -> line.startsWith("drover: ")))
        .containsExactly(
            "drover: the daemon n3 has ended; its log ends with (--verbose shows more)");
    assertThat(err()).doesNotContain("\tat ");

    err.reset();
    assertThat(run(broken, "demo", "-v", "--report", report())).isEqualTo(1);
    assertThat(err()).contains("\tat ");
  }

  @Test
  void lackOfMemoryIsOneLineToo() {
    SourceFactory greedy =
        (hosts, starting, kept) -> {
          throw new OutOfMemoryError("Java heap space");
        };

    assertThat(run(greedy, "demo", "--report", report())).isEqualTo(1);

    assertThat(err().lines().filter(line -> line.startsWith("drover: ")))
        .containsExactly(
            "drover: this %s (--verbose shows more)".formatted(MemoryLimit.isExceeded()));
    assertThat(err()).doesNotContain("\tat ");
  }

  @Test
  void nothingIsSaidOfErrorsOnceTheProcessIsBeingEnded() {
    ending.set(true);

    run(
        (e, s, k) -> SampleSources.throwing(new ClusterException("gone")),
        "demo",
        "--report",
        report());

    assertThat(err()).doesNotContain("gone");
  }

  @Test
  void allRunsEveryScenarioWithOneCleanRunForAll() {
    List<String> titles = new ArrayList<>();

    run((e, s, k) -> SampleSources.recording(titles), "demo", "--all", "--report", report());

    assertThat(titles)
        .hasSize(1 + 11 * 3 + 7 * 2 + 2 * 4 + 5 * 5)
        .startsWith("clean")
        .endsWith("node-death, drover");
    assertThat(titles).contains("skew, off", "none, stock").doesNotContain("none, off");
    assertThat(titles)
        .containsSubsequence("ceiling, stock", "ceiling, drover", "node-death, off")
        .doesNotContain("ceiling, off");
    assertThat(titles).doesNotHaveDuplicates();
  }

  @Test
  void onlyTheModesThatWereAskedForAreRun() {
    List<String> titles = new ArrayList<>();
    run(
        (e, s, k) -> SampleSources.recording(titles),
        ("demo --scenario slow-node --modes stock,drover --report " + report()).split(" "));
    assertThat(titles).containsExactly("slow-node, stock", "slow-node, drover");
  }

  @Test
  void aRunThatRecordsIsAddedAndMustHaveARecord() {
    List<String> titles = new ArrayList<>();
    String records = directory.resolve("records").toString();
    int code =
        run(
            (e, s, k) -> SampleSources.recording(titles),
            "demo",
            "--scenario=none",
            "--modes=drover",
            "--record=" + records,
            "--report=" + report());
    assertThat(titles).containsExactly("none, drover", "none, record");
    assertThat(code).isEqualTo(1);
    assertThat(err()).contains("kept no record");
  }

  private String report() {
    return directory.resolve("page.html").toString();
  }

  private int run(SourceFactory source, String... args) {
    PrintStream outStream = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8);
    return Main.run(args, outStream, errStream, source, ending);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
