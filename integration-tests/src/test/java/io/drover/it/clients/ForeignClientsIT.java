// SPDX-License-Identifier: Apache-2.0
package io.drover.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.it.JobsUnderTest;
import io.drover.it.SharedCluster;
import io.drover.testbed.cluster.DroverCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Clients from elsewhere, with a straggler in each of their jobs: under Drover they write what they
 * write under stock Hadoop. {@code docs/clients.md} says what is run.
 */
@EnabledIfSystemProperty(
    named = "drover.clients.run",
    matches = "true",
    disabledReason = "mvn -Pclients fetches them and runs this")
@ExtendWith(SharedCluster.class)
class ForeignClientsIT {
  private static final String PIG =
      """
      words = LOAD '$words' USING PigStorage(' ')
          AS (number:int, first:chararray, second:chararray, third:chararray);
      by_word = GROUP words BY first;
      counts = FOREACH by_word GENERATE group
          AS word, COUNT(words) AS lines, SUM(words.number) AS sum;
      both = JOIN counts BY word, words BY third;
      plain = FOREACH both GENERATE counts::word AS word, lines, sum, words::number AS number;
      ordered = ORDER plain BY number DESC, word;
      STORE ordered INTO '$out/ordered';
      STORE plain INTO '$out/joined';
      """;

  /** A map-side table, a group by in two jobs with its order, and a join. */
  private static final String HIVE =
      """
      CREATE EXTERNAL TABLE words (number INT, first STRING, second STRING, third STRING)
        ROW FORMAT DELIMITED FIELDS TERMINATED BY ' ' LOCATION '${hivevar:words}';
      INSERT OVERWRITE DIRECTORY '${hivevar:out}/filtered'
        SELECT number, third FROM words WHERE second = 'rack';
      INSERT OVERWRITE DIRECTORY '${hivevar:out}/ordered'
        SELECT first, count(*) AS lines, sum(number) FROM words GROUP BY first ORDER BY first;
      INSERT OVERWRITE DIRECTORY '${hivevar:out}/joined'
        SELECT a.number, a.first, b.third FROM words a JOIN words b ON a.number = b.number;
      """;

  /** On JDK 17, Hive's serialization of plans and its estimates of sizes need these. */
  private static final List<String> HIVE_REFLECTS_INTO =
      List.of(
          "java.lang",
          "java.net",
          "java.nio",
          "java.text",
          "java.time",
          "java.util",
          "java.util.concurrent",
          "java.util.concurrent.atomic",
          "java.util.regex");

  private static DroverCluster cluster;
  private static FileSystem fs;
  private static String words;

  @BeforeAll
  static void start(DroverCluster shared) throws IOException {
    cluster = shared;
    fs = FileSystem.get(cluster.clientConf());
    words = ClientFiles.words(fs, "/clients/foreign-words", 2, 400).toString();
  }

  /** Containers that are left over would still be there. */
  @AfterAll
  static void nothingIsLeftBehind() throws Exception {
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
  }

  /** Returns the jars of a client. */
  private static List<Path> jars(String client) throws IOException {
    try (Stream<Path> jars = Files.list(Path.of(System.getProperty("drover.clients"), client))) {
      return jars.filter(jar -> jar.toString().endsWith(".jar")).sorted().toList();
    }
  }

  private static Path jar(String client, String name) throws IOException {
    return jars(client).stream()
        .filter(jar -> jar.getFileName().toString().startsWith(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void pigGroupsJoinsAndOrders() throws Exception {
    Path script = Files.writeString(cluster.directory().resolve("words.pig"), PIG);
    ClientPair pair =
        ClientPair.rescued(
            cluster,
            "pig",
            client ->
                client
                    .with(jars("pig"))
                    .main(
                        "org.apache.pig.Main",
                        "-x",
                        "mapreduce",
                        "-param",
                        "words=" + words,
                        "-param",
                        "out=" + client.path("out"),
                        "-f",
                        script.toString()));
    List<String> joined = ClientFiles.sortedLines(fs, pair.stock().path("out/joined"));
    assertThat(joined).hasSize(2 * 400);
    assertThat(ClientFiles.sortedLines(fs, pair.underDrover().path("out/joined")))
        .isEqualTo(joined);
    assertThat(ClientFiles.digests(fs, pair.underDrover().path("out/ordered")))
        .isNotEmpty()
        .isEqualTo(ClientFiles.digests(fs, pair.stock().path("out/ordered")));
  }

  @Test
  void bulkLoadOfHBaseWritesTheSameCells() throws Exception {
    List<Path> jars = jars("hbase");
    Path program = UserProgram.compile("BulkLoad", cluster.directory(), jars);
    ClientPair pair =
        ClientPair.rescued(
            cluster,
            "bulk-load",
            client ->
                client
                    .with(jars)
                    .jar(program, "BulkLoad", words, client.path("hfiles"), client.path("cells")));
    assertThat(ClientFiles.digests(fs, pair.stock().path("hfiles"))).hasSize(3); // one a region
    List<String> cells = ClientFiles.sortedLines(fs, pair.stock().path("cells"));
    assertThat(cells).hasSize(3 * 2 * 400);
    assertThat(ClientFiles.digests(fs, pair.underDrover().path("cells")))
        .isEqualTo(ClientFiles.digests(fs, pair.stock().path("cells")));
  }

  /** Hive 4 switches speculation off in each of its jobs. */
  @Test
  void hiveIsLeftAloneAndGroupsJoinsAndOrders() throws Exception {
    Path script = Files.writeString(cluster.directory().resolve("words.sql"), HIVE);
    ClientPair pair =
        ClientPair.leftAlone(
            cluster,
            "hive",
            client ->
                withHive(client)
                    .main("org.apache.hadoop.hive.cli.CliDriver", hive(client, script)));
    for (String table : List.of("filtered", "ordered", "joined")) {
      List<String> rows = ClientFiles.sortedLines(fs, pair.stock().path("out/" + table));
      assertThat(rows).isNotEmpty();
      assertThat(ClientFiles.sortedLines(fs, pair.underDrover().path("out/" + table)))
          .isEqualTo(rows);
    }
  }

  /** Returns a client with Hive's jars, which reflects into the JDK, in its tasks too. */
  private static HadoopClient withHive(HadoopClient client) throws IOException {
    List<String> opens =
        HIVE_REFLECTS_INTO.stream()
            .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
            .toList();
    opens.forEach(client::withOption);
    for (String key : List.of(MRJobConfig.MAP_JAVA_OPTS, MRJobConfig.REDUCE_JAVA_OPTS)) {
      client.with(key, cluster.clientConf().get(key) + " " + String.join(" ", opens));
    }
    return client.with(jars("hive"));
  }

  /** Returns the arguments of Hive's command line, with a metastore of its own. */
  private static String[] hive(HadoopClient client, Path script) throws IOException {
    Path local = cluster.directory().resolve("clients").resolve(client.path("").replace('/', '-'));
    Map<String, String> conf =
        Map.ofEntries(
            Map.entry("hive.execution.engine", "mr"),
            Map.entry("hive.query.tag", client.tag()), // it replaces the tags of jobs
            Map.entry("hive.fetch.task.conversion", "none"),
            Map.entry("hive.auto.convert.join", "false"), // it would run a local job by bin/hadoop
            // Hadoop 3.5 does not have it any more.
            Map.entry("hive.aux.jars.path", jar("hive", "commons-collections").toUri().toString()),
            Map.entry("hive.stats.autogather", "false"),
            Map.entry("hive.stats.fetch.column.stats", "false"),
            Map.entry("hive.metastore.warehouse.dir", client.path("warehouse")),
            Map.entry("hive.exec.scratchdir", client.path("scratch")),
            Map.entry("hive.exec.local.scratchdir", local + "/scratch"),
            // The metastore makes a table when it first needs one, if it does not use SQL itself.
            Map.entry("datanucleus.schema.autoCreateAll", "true"),
            Map.entry("hive.metastore.try.direct.sql", "false"),
            Map.entry("hive.metastore.schema.verification", "false"),
            Map.entry(
                "javax.jdo.option.ConnectionURL",
                "jdbc:derby:;databaseName=" + local + "/metastore;create=true"));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--hivevar",
                "words=" + words,
                "--hivevar",
                "out=" + client.path("out"),
                "-f",
                script.toString()));
    conf.forEach((key, value) -> arguments.addAll(List.of("--hiveconf", key + "=" + value)));
    return arguments.toArray(String[]::new);
  }
}
