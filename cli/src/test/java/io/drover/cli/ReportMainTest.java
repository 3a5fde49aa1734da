// SPDX-License-Identifier: Apache-2.0
package io.drover.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.drover.cli.report.WrittenJobs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReportMainTest extends ReportRuns {
  @Test
  void oneHistoryTellsWhatHeldTheJobBack() throws IOException {
    Path file = WrittenJobs.slowMap(directory, 1);

    assertThat(run("report", file.toString())).as(err()).isZero();

    assertThat(out())
        .contains(
            "job_1700000000000_0001 took 1:11; 40.0 s of it (56 %) lost to slow tasks and waits")
        .contains("word count of ada in queue etl, 11 maps and 0 reduces: SUCCEEDED")
        .contains("m10 on n1: 1:00 instead of the usual 20.0 s, cost 40.0 s; slow attempt")
        .contains("It would have copied or restarted 1 task")
        .contains("m10: copied at");
    assertThat(err()).isEmpty();
  }

  @Test
  void jsonIsTheOnlyThingOnStandardOutput() throws IOException {
    Path file = WrittenJobs.slowMap(directory, 1);

    assertThat(run("report", "--json", file.toString())).as(err()).isZero();

    assertThat(json().path("causes").path("slow-attempt").asDouble()).isEqualTo(40);
    assertThat(json().path("stragglers").get(0).path("task").asText()).isEqualTo("m10");
    assertThat(json().path("drover").path("ran").asBoolean()).isFalse();
    assertThat(err()).contains("took 1:11");
  }

  @Test
  void decisionLogTellsWhatDroverDid() throws IOException {
    Path file = WrittenJobs.slowMap(directory, 1);
    Files.writeString(
        directory.resolve("job_1700000000000_0001.jsonl"),
        """
        {"type":"decision","time":1700000030000,"mode":"on","action":"DUPLICATE","task":"task_1700000000000_0001_m_000010","rule":"COPY_SAVES_TIME"}
        {"type":"decision","time":1700000031000,"mode":"on","action":"LEAVE","task":"task_1700000000000_0001_m_000010","rule":"COPIED_LATELY"}
        {"type":"decis\
        """);
    Path page = directory.resolve("page.html");

    assertThat(
            run(
                "report",
                file.toString(),
                "--decisions",
                directory.toString(),
                "--html",
                page.toString()))
        .as(err())
        .isZero();

    assertThat(out())
        .contains("Drover ran, and made 1 copy and 0 restarts")
        .doesNotContain("would have");
    assertThat(page).content().contains("COPY_SAVES_TIME").doesNotContain("{{");
  }

  @Test
  void copyThatWasOnlyObservedIsNotMadeBecauseOtherFeaturesWereOn() throws IOException {
    Path file = WrittenJobs.slowMap(directory, 1);
    Files.writeString(
        directory.resolve("job_1700000000000_0001.jsonl"),
        """
        {"type":"order","time":1700000005000,"mode":"on","reduces":1}
        {"type":"decision","time":1700000030000,"mode":"observe","action":"DUPLICATE","task":"task_1700000000000_0001_m_000010","rule":"COPY_SAVES_TIME"}
        """);

    assertThat(run("report", "--json", file.toString())).as(err()).isZero();

    assertThat(err().replaceAll("\\s+", " "))
        .contains("Drover ran, but only observed restarts and copies: it would have made 1 copy");
    assertThat(json().path("drover").path("ran").asBoolean()).isTrue();
    assertThat(json().path("drover").path("observed").asBoolean()).isTrue();
    assertThat(json().path("drover").path("copies").asInt()).isEqualTo(1);
  }

  @Test
  void decisionLogThatCannotBeReadCostsOnlyWhatItSays() throws IOException {
    Path file = WrittenJobs.slowMap(directory, 1);
    Files.createDirectory(directory.resolve("job_1700000000000_0001.jsonl"));

    assertThat(run("report", "--json", file.toString())).as(err()).isZero();

    assertThat(err().replaceAll("\\s+", " "))
        .contains("m10 on n1: 1:00 instead of the usual 20.0 s")
        .contains("What Drover did is not known: its decision log cannot be read (java.io.")
        .contains("It would have copied or restarted 1 task");
    assertThat(json().path("drover").path("decisionLogError").asText()).contains("jsonl");
  }

  @Test
  void whatReplicasCostIsToldInLinesJsonAndThePage() throws IOException {
    for (int number = 1; number <= 2; number++) { // binary, and JSON
      Path file = WrittenJobs.replicatedOutputs(directory, number);
      Path page = directory.resolve("page.html");
      String sentence = "3.0 MB of map outputs replicated, 3.0 % of the 100.0 MB that the job read";
      out.reset();
      err.reset();

      assertThat(run("report", "--json", "--html", page.toString(), file.toString()))
          .as(err())
          .isZero();

      assertThat(err().replaceAll("\\s+", " "))
          .contains(sentence)
          .contains("(5.0 % of what limits replicas)")
          .contains("replicas used 2, maps spared by them 1; outputs made again 4.");
      JsonNode outputs = json().path("drover").path("outputs");
      assertThat(outputs.path("replicatedBytes").asLong()).isEqualTo(3_000_000);
      assertThat(outputs.path("ioBytes").asLong()).isEqualTo(100_000_000);
      assertThat(outputs.path("processedBytes").asLong()).isEqualTo(60_000_000);
      assertThat(outputs.path("replicatedShareOfIo").asDouble()).isEqualTo(0.03);
      assertThat(outputs.path("replicatedShareOfProcessed").asDouble()).isEqualTo(0.05);
      assertThat(outputs.path("replicasUsed").asInt()).isEqualTo(2);
      assertThat(outputs.path("recomputationsAvoided").asInt()).isEqualTo(1);
      assertThat(outputs.path("madeAgain").asInt()).isEqualTo(4);
      assertThat(page).content().contains(sentence);
    }
  }

  @Test
  void countersTellWhatDroverDidWhereThereIsNoDecisionLog() throws IOException {
    Path file = WrittenJobs.copiedMap(directory, 1);
    Path page = directory.resolve("page.html");
    String sentence =
        "By the job's counters, Drover ran: 1 copy (1 won), 1 restart, 0 clones (0 won), 0 map"
            + " outputs remade; what lost took 2.5 s. ";

    assertThat(run("report", "--json", "--html", page.toString(), file.toString())).isZero();

    assertThat(err().replaceAll("\\s+", " "))
        .contains(sentence + "There is no decision log that says why.")
        .doesNotContain("would have", "copied at");
    JsonNode drover = json().path("drover");
    assertThat(drover.path("ran").asBoolean()).isTrue();
    assertThat(drover.path("copies").asInt()).isEqualTo(1);
    assertThat(drover.path("restarts").asInt()).isEqualTo(1);
    assertThat(drover.path("counters").path("COPIES_WON").asInt()).isEqualTo(1);
    assertThat(drover.has("wouldDo")).isFalse();
    assertThat(drover.has("wouldSaveSeconds")).isFalse();
    assertThat(page).content().contains(sentence).doesNotContain("\"mode\":\"observe\"");

    Files.createDirectory(directory.resolve("job_1700000000000_0001.jsonl"));
    err.reset();
    assertThat(run("report", "--json", file.toString())).isZero();
    assertThat(err().replaceAll("\\s+", " "))
        .contains(sentence + "Its decision log cannot be read");
  }

  @Test
  void jobWithoutDroversCountersSaysNothingOfReplicas() throws IOException {
    assertThat(run("report", "--json", WrittenJobs.evenMaps(directory, 1).toString())).isZero();

    assertThat(err()).doesNotContain("replicated");
    assertThat(json().path("drover").has("outputs")).isFalse();
  }

  @Test
  void directoryIsReportedAsAWholeWorstFirst() throws IOException {
    WrittenJobs.slowMap(Files.createDirectories(directory.resolve("2023/11/14/000000")), 1);
    WrittenJobs.slowMap(directory, 2);
    WrittenJobs.evenMaps(directory, 3);
    Path page = directory.resolve("page.html");

    assertThat(run("report", directory.toString(), "--json", "--html", page.toString()))
        .as(err())
        .isZero();

    assertThat(json().path("jobs").asInt()).isEqualTo(3);
    assertThat(json().path("costSeconds").asDouble()).isEqualTo(80);
    assertThat(json().path("causes").get(0).path("cause").asText()).isEqualTo("slow-attempt");
    assertThat(json().path("machines").get(0).path("machine").asText()).isEqualTo("n1");
    assertThat(json().path("users").get(0).path("user").asText()).isEqualTo("ada");
    assertThat(json().path("worstJobs")).hasSize(2);
    assertThat(err()).contains("3 jobs lost").contains("succeeded.");
    assertThat(page).content().contains("worstJobs").doesNotContain("{{");
  }

  @Test
  void jobWithTwoFilesCountsOnce() throws IOException {
    WrittenJobs.slowMap(directory, 1);
    WrittenJobs.slowMap(Files.createDirectories(directory.resolve("copy")), 1);
    WrittenJobs.evenMaps(directory, 2);

    assertThat(run("report", "--json", directory.toString())).as(err()).isZero();

    assertThat(json().path("jobs").asInt()).isEqualTo(2);
    assertThat(json().path("repeated").asInt()).isEqualTo(1);
  }

  @Test
  void historyInWhichTheJobEndsIsTakenBeforeOneThatIsCutOff() throws IOException {
    Path whole = WrittenJobs.slowMap(directory, 1);
    byte[] bytes = Files.readAllBytes(whole);
    Files.write(
        directory.resolve("job_1700000000000_0001_1.jhist"),
        Arrays.copyOf(bytes, bytes.length - 4000));

    assertThat(run("report", directory.toString())).as(err()).isZero();

    assertThat(out()).contains("job_1700000000000_0001 took 1:11").contains("SUCCEEDED");
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void attemptThatEndsLongAfterItsJobCostsNoMoreThanTheJobTook() throws IOException {
    Path file = WrittenJobs.slowMap(directory, 2);
    String text = Files.readString(file);
    Files.writeString(file, text.replace("1700000065000", "9999999999999"));

    assertThat(run("report", file.toString())).as(err()).isZero();

    assertThat(out())
        .contains("took 1:11; 46.0 s of it (65 %) lost")
        .contains("m10 on n1: 1:06 instead of the usual 20.0 s, cost 46.0 s");
    assertThat(out().replaceAll("\\s+", " ")).contains("and were replaced: 1.");
  }

  @Test
  void historyServerIsAskedForAJob() throws IOException {
    Map<String, String> answers =
        Map.of(
            "",
            """
            {"job":{"id":"job_1_0007","name":"sort","user":"bob","queue":"q","state":"SUCCEEDED",
             "submitTime":1700000000000,"startTime":1700000003000,"finishTime":1700000070000,
             "mapsTotal":1,"reducesTotal":0,"uberized":false,"diagnostics":""}}\
            """,
            "/jobattempts",
            """
            {"jobAttempts":{"jobAttempt":[{"id":1,"nodeHttpAddress":"n9:8042",
             "startTime":1700000001000}]}}\
            """,
            "/counters",
            """
            {"jobCounters":{"id":"job_1_0007","counterGroup":[
             {"counterGroupName":"org.apache.hadoop.mapreduce.FileSystemCounter","counter":[
              {"name":"HDFS_BYTES_READ","totalCounterValue":2000000,"mapCounterValue":2000000,
               "reduceCounterValue":0}]},
             {"counterGroupName":"io.drover.speculator.DroverCounter","counter":[
              {"name":"REPLICATED_BYTES","totalCounterValue":50000,"mapCounterValue":0,
               "reduceCounterValue":0}]}]}}\
            """,
            "/tasks",
            """
            {"tasks":{"task":[{"id":"task_1_0007_m_000000","type":"MAP","state":"SUCCEEDED",
             "startTime":1700000004000,"finishTime":1700000069000,
             "successfulAttempt":"attempt_1_0007_m_000000_0"}]}}\
            """,
            "/tasks/task_1_0007_m_000000/attempts",
            """
            {"taskAttempts":{"taskAttempt":[{"id":"attempt_1_0007_m_000000_0","type":"MAP",
             "state":"SUCCEEDED","startTime":1700000005000,"finishTime":1700000069000,
             "nodeHttpAddress":"n1:8042","rack":"/r1","diagnostics":"",
             "assignedContainerId":"container_1_0007_01_000002"}]}}\
            """,
            "/tasks/task_1_0007_m_000000/attempts/attempt_1_0007_m_000000_0/counters",
            """
            {"jobTaskAttemptCounters":{"taskAttemptCounterGroup":[{
             "counterGroupName":"org.apache.hadoop.mapreduce.TaskCounter",
             "counter":[{"name":"CPU_MILLISECONDS","value":777}]}]}}\
            """);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String prefix = "/ws/v1/history/mapreduce/jobs/job_1_0007";
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          String answer =
              path.startsWith(prefix) ? answers.get(path.substring(prefix.length())) : null;
          byte[] bytes = (answer == null ? "" : answer).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(answer == null ? 404 : 200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://localhost:" + server.getAddress().getPort();
      assertThat(run("report", "--history-server", url, "job_1_0007")).as(err()).isZero();
      assertThat(out())
          .contains("job_1_0007 took 1:10")
          .contains("sort of bob in queue q, 1 map and 0 reduces")
          .contains("maps: lone task, 91 % of the job's time")
          .contains("50.0 KB of map outputs replicated, 2.5 % of the 2.0 MB");
      assertThat(run("report", "--history-server", url, "job_1_0008")).isEqualTo(1);
      assertThat(err()).contains("/job_1_0008 answers with status 404");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void rumensJobsAsHistoriesAreReported() throws IOException {
    Optional<Path> tables =
        Stream.iterate(Path.of("").toAbsolutePath(), at -> at != null, Path::getParent)
            .map(at -> at.resolveSibling("shared/traces/hadoop_rumen"))
            .filter(Files::isDirectory)
            .findFirst();
    assumeThat(tables).as("../shared/traces beside the checkout").isPresent();
    int jobs = WrittenJobs.rumen(tables.get(), directory);

    assertThat(run("report", "--json", directory.toString())).as(err()).isZero();

    assertThat(json().path("jobs").asInt()).isEqualTo(jobs).isEqualTo(59);
    assertThat(json().path("states").path("SUCCEEDED").asInt()).isEqualTo(59);
    assertThat(json().path("costSeconds").asDouble())
        .isBetween(1.0, json().path("jobSeconds").asDouble());
  }
}
