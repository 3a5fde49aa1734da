// SPDX-License-Identifier: Apache-2.0
package io.drover.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.it.BesideOthers;
import io.drover.it.JobsUnderTest;
import io.drover.it.SharedCluster;
import io.drover.testbed.cluster.DroverCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that come with Hadoop, with a straggler in each of their jobs: under Drover they write
 * what they write under stock Hadoop. {@code docs/clients.md} says what is run.
 */
@EnabledIfSystemProperty(
    named = "drover.clients.run",
    matches = "true",
    disabledReason = "mvn -Pclients runs this: it takes minutes")
@ExtendWith(SharedCluster.class)
class ClientsIT {
  /** Counts words that are not in the file stop; each line may take its time. */
  private static final String MAP_AWK =
      """
      BEGIN {
        while ((getline word < "stop") > 0) stop[word] = 1
        slow = ENVIRON["mapreduce_task_attempt_id"] ~ /_m_000000_0$/
      }
      {
        if (slow) system("sleep " ENVIRON["pause"])
        for (i = 2; i <= NF; i++) if (!($i in stop)) print $i "\\t1"
      }
      """;

  private static final String SUM_AWK =
      """
      BEGIN { FS = "\\t" }
      $1 != word { if (NR > 1) print word "\\t" sum; word = $1; sum = 0 }
      { sum += $2 }
      END { if (NR > 0) print word "\\t" sum }
      """;

  /** Keeps the lines with a word that the file keep names. */
  private static final String MAP_SH =
      """
      pause_here=
      case "$mapreduce_task_attempt_id" in *_m_000000_0) pause_here=$pause ;; esac
      read -r keep <keep
      while read -r line; do
        [ -z "$pause_here" ] || sleep "$pause_here"
        case "$line" in *"$keep"*) echo "$line" ;; esac
      done
      """;

  private static DroverCluster cluster;
  private static FileSystem fs;
  private static Path scripts;
  private static String words;

  @BeforeAll
  static void start(DroverCluster shared) throws IOException {
    cluster = shared;
    fs = FileSystem.get(cluster.clientConf());
    words = ClientFiles.words(fs, "/clients/words", 2, 400).toString();
    scripts = Files.createDirectories(cluster.directory().resolve("clients").resolve("scripts"));
    Files.writeString(scripts.resolve("map.awk"), MAP_AWK);
    Files.writeString(scripts.resolve("sum.awk"), SUM_AWK);
    Files.writeString(scripts.resolve("map.sh"), MAP_SH);
    Files.writeString(scripts.resolve("keep"), "uplink\n");
  }

  /** Containers that are left over would still be there. */
  @AfterAll
  static void nothingIsLeftBehind() throws Exception {
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
  }

  /** Returns a jar of Hadoop's that is not on its class path. */
  private static Path tool(String name) throws IOException {
    try (Stream<Path> jars = Files.list(Path.of(System.getProperty("drover.clients"), "hadoop"))) {
      return jars.filter(jar -> jar.getFileName().toString().startsWith(name))
          .findFirst()
          .orElseThrow();
    }
  }

  private static String script(String name) {
    return scripts.resolve(name).toString();
  }

  private static Map<String, String> written(HadoopClient client, String directory)
      throws IOException {
    return ClientFiles.digests(fs, client.path(directory));
  }

  /** Both have written files with the same names and bytes. */
  private static void assertSameFiles(ClientPair pair, String directory) throws IOException {
    Map<String, String> wanted = written(pair.stock(), directory);
    assertThat(wanted).isNotEmpty();
    assertThat(written(pair.underDrover(), directory)).isEqualTo(wanted);
  }

  @BesideOthers
  @Test
  void streamingWithReducesIsRescuedByClones() throws Exception {
    try (var stop = fs.create(new org.apache.hadoop.fs.Path("/clients/stop.txt"))) {
      stop.writeBytes("herd\nrack\n");
    }
    ClientPair pair =
        ClientPair.slowByItself(
            cluster,
            "streaming",
            (client, pause) ->
                client.jar(
                    tool("hadoop-streaming"),
                    "-files",
                    script("map.awk") + "," + script("sum.awk"),
                    "-cacheFile",
                    fs.getUri() + "/clients/stop.txt#stop",
                    "-cmdenv",
                    "pause=" + pause,
                    "-input",
                    words,
                    "-output",
                    client.path("out"),
                    "-mapper",
                    "awk -f map.awk",
                    "-reducer",
                    "awk -f sum.awk",
                    "-numReduceTasks",
                    "1"));
    assertSameFiles(pair, "out");
  }

  /** Without clones it takes a copy. */
  @BesideOthers
  @Test
  void streamingWithoutReducesIsRescuedByACopy() throws Exception {
    ClientPair pair =
        ClientPair.slowByItself(
            cluster,
            "streaming-maps",
            (client, pause) ->
                client.jar(
                    tool("hadoop-streaming"),
                    "-D",
                    "mapreduce.drover.clone.mode=off",
                    "-D",
                    "mapreduce.job.reduces=0",
                    "-files",
                    script("map.sh") + "," + script("keep"),
                    "-cmdenv",
                    "pause=" + pause,
                    "-input",
                    words,
                    "-output",
                    client.path("out"),
                    "-mapper",
                    "sh map.sh"));
    assertSameFiles(pair, "out");
  }

  /** It switches speculation off, because two attempts would write the same file. */
  @BesideOthers
  @ParameterizedTest
  @ValueSource(strings = {"uniformsize", "dynamic"})
  void distCpIsLeftAlone(String strategy) throws Exception {
    ClientPair pair =
        ClientPair.leftAlone(
            cluster,
            "distcp-" + strategy,
            client ->
                client.jar(
                    tool("hadoop-distcp"),
                    "-m",
                    "2",
                    "-strategy",
                    strategy,
                    words,
                    client.path("copy")));
    assertThat(written(pair.stock(), "copy")).isEqualTo(ClientFiles.digests(fs, words));
    assertSameFiles(pair, "copy");
  }

  @BesideOthers
  @Test
  void rowsAreGeneratedSortedAndValidated() throws Exception {
    Path examples =
        Path.of(TeraSort.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ClientPair rows =
        ClientPair.rescued(
            cluster,
            "teragen",
            client ->
                client.jar(
                    examples, "teragen", "-Dmapreduce.job.maps=2", "20000", client.path("rows")));
    assertSameFiles(rows, "rows");
    ClientPair sorted =
        ClientPair.rescued(
            cluster,
            "terasort",
            client ->
                client.jar(
                    examples,
                    "terasort",
                    "-Dmapreduce.job.reduces=2",
                    rows.stock().path("rows"),
                    client.path("sorted")));
    assertSameFiles(sorted, "sorted");
    ClientPair valid =
        ClientPair.rescued(
            cluster,
            "teravalidate",
            client ->
                client.jar(
                    examples,
                    "teravalidate",
                    sorted.underDrover().path("sorted"),
                    client.path("checksum")));
    assertSameFiles(valid, "checksum");
    assertThat(ClientFiles.sortedLines(fs, valid.underDrover().path("checksum")))
        .hasSize(1) // and no line says what is out of order
        .allMatch(line -> line.startsWith("checksum"));
  }

  @BesideOthers
  @Test
  void namedOutputsOfMapsAndReducesAreWhole() throws Exception {
    ClientPair pair =
        ClientPair.rescued(
            cluster,
            "named-outputs",
            client -> client.program(conf -> NamedOutputsJob.run(conf, words, client.path("out"))));
    Map<String, String> files = written(pair.stock(), "out");
    assertThat(files.keySet())
        .containsExactly(
            "few-r-00000", "many-r-00000", "part-r-00000", "skipped-m-00000", "skipped-m-00001");
    assertSameFiles(pair, "out");
  }

  /** Which file is in which split is Hadoop's choice, so it is the lines that are equal. */
  @BesideOthers
  @Test
  void splitsOfManyFilesAreReadOnceEach() throws Exception {
    String small = ClientFiles.words(fs, "/clients/small", 12, 40).toString();
    ClientPair pair =
        ClientPair.rescued(
            cluster,
            "small-files",
            client -> client.program(conf -> SmallFilesJob.run(conf, small, client.path("out"))));
    assertThat(ClientFiles.sortedLines(fs, pair.underDrover().path("out")))
        .hasSize(12 * 40)
        .isEqualTo(ClientFiles.sortedLines(fs, pair.stock().path("out")));
  }
}
