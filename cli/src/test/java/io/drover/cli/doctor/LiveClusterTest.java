// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What daemons tell, by the answers of a real cluster. */
class LiveClusterTest {
  private static final String INFO = "/ws/v1/cluster/info";
  private static final String NODES = "/ws/v1/cluster/nodes";

  @TempDir private Path directory;
  private RecordedCluster cluster;
  private DoctorHome home;
  private Path conf;

  @BeforeEach
  void start() throws IOException {
    home = new DoctorHome(directory);
    conf = home.good();
    cluster = new RecordedCluster();
    cluster.configure(home);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static final String DROVERS = "io.drover.scheduler.DroverCapacityScheduler";
  private static final String CAPACITY =
      "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler";
  private static final String FAIR =
      "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler";

  private List<String> complaints(String... more) throws IOException {
    return DoctorHome.complaints(home.examine(conf, more));
  }

  private static Stream<String> texts(JsonNode report) {
    return StreamSupport.stream(report.path("findings").spliterator(), false)
        .map(finding -> finding.path("what").asText());
  }

  private void assertOnly(String start, String... words) throws IOException {
    assertThat(complaints()).singleElement().asString().startsWith(start).contains(words);
  }

  @Test
  void goodClusterIsGoodAndToldOf() throws IOException {
    JsonNode report = home.examine(conf);

    assertThat(DoctorHome.complaints(report)).isEmpty();
    assertThat(texts(report))
        .contains(
            "The ResourceManager answers and has 2 NodeManagers",
            "All run Hadoop 3.5.0",
            "All run Java 17",
            "4 clocks are less than 5 s from their median",
            "2 nodes are in 2 racks")
        .anyMatch(text -> text.startsWith("Drover's scheduler is on (the ResourceManager says so)"))
        .anyMatch(text -> text.contains("the largest job, job_"));
  }

  @Test
  void offlineNobodyIsAsked() throws IOException {
    cluster.close();

    JsonNode report = home.examine(conf, "--offline");

    assertThat(DoctorHome.complaints(report)).isEmpty();
    assertThat(texts(report)).anyMatch(text -> text.startsWith("Nobody was asked (--offline)"));
  }

  @Test
  void managerThatDoesNotAnswerIsNamed() throws IOException {
    cluster.stopManager();

    assertOnly(
        "warn cluster.manager-silent the ResourceManager at " + cluster.managerAddress(),
        "does not answer");
  }

  @Test
  void serverThatIsNoResourceManagerIsSilentToo() throws IOException {
    cluster.answer(INFO, "<html>It works!</html>");

    assertOnly("warn cluster.manager-silent", "HTTP status 200");
  }

  @Test
  void managerWithoutNodesHasToldSo() throws IOException {
    cluster.answer(NODES, "{\"nodes\":null}");

    assertThat(texts(home.examine(conf)))
        .contains("The ResourceManager answers and has 0 NodeManagers");
  }

  @Test
  void addressThatIsNoneIsNamed() throws IOException {
    home.set("mapred-site.xml", "mapreduce.jobhistory.webapp.address", "${env.NO_HOST}:19888");
    assertThat(complaints()).isEmpty();

    home.set("yarn-site.xml", "yarn.resourcemanager.webapp.address", "${env.NO_HOST}:8088");
    assertOnly(
        "warn cluster.manager-silent the ResourceManager at ${env.NO_HOST}:8088 does not answer",
        "Illegal character");

    home.set("yarn-site.xml", "yarn.resourcemanager.webapp.address", "127.0.0.1:99999");
    assertOnly(
        "warn cluster.manager-silent the ResourceManager at 127.0.0.1:99999", "port out of range");
  }

  @Test
  void pageThatIsRefusedIsNamed() throws IOException {
    cluster.refuse(NODES);

    JsonNode report = home.examine(conf);

    assertThat(DoctorHome.complaints(report))
        .contains(
            "warn cluster.unanswered not told: "
                + cluster.managerAddress()
                + "/ws/v1/cluster/nodes: HTTP status 404");
    assertThat(texts(report))
        .contains("The ResourceManager answers and did not tell its NodeManagers");
  }

  @Test
  void standbyIsToldFromTheActiveOne() throws IOException {
    home.set("yarn-site.xml", "yarn.resourcemanager.ha.enabled", "true")
        .set("yarn-site.xml", "yarn.resourcemanager.ha.rm-ids", "rm1,rm2")
        .set("yarn-site.xml", "yarn.resourcemanager.hostname.rm1", "rm1.example")
        .set("yarn-site.xml", "yarn.resourcemanager.hostname.rm2", "rm2.example")
        .set("yarn-site.xml", "yarn.resourcemanager.webapp.address.rm1", cluster.managerAddress());
    try (RecordedCluster other = new RecordedCluster()) {
      other.change(INFO, "ACTIVE", "STANDBY");
      other.refuse(NODES);
      home.set("yarn-site.xml", "yarn.resourcemanager.webapp.address.rm2", other.managerAddress());

      JsonNode report = home.examine(conf);

      assertThat(DoctorHome.complaints(report)).isEmpty();
      assertThat(texts(report)).contains("5 clocks are less than 5 s from their median");
    }
  }

  @Test
  void nodeThatDoesNotAnswerIsNamed() throws IOException {
    cluster.stop("127.0.0.12");

    assertOnly("warn cluster.nodes-silent 1 of 2 NodeManagers", "127.0.0.12:");
  }

  @Test
  void otherVersionOnANodeIsNamed() throws IOException {
    cluster.answer(NODES, nodesWithVersions("3.5.0", "3.4.2"));

    assertOnly(
        "warn cluster.mixed-hadoop most run Hadoop 3.5.0",
        "Hadoop 3.4.2 is on the NodeManager on 127.0.0.12");
  }

  private String nodesWithVersions(String first, String second) throws IOException {
    JsonNode all = new ObjectMapper().readTree(cluster.answered(NODES));
    ((ObjectNode) all.at("/nodes/node/0")).put("version", first);
    ((ObjectNode) all.at("/nodes/node/1")).put("version", second);
    return all.toString();
  }

  @Test
  void oldHadoopIsWrongAndNewHadoopAWarning() throws IOException {
    cluster.answer(NODES, nodesWithVersions("3.3.6", "3.3.6"));
    cluster.change(INFO, "\"3.5.0\"", "\"3.3.6\"");
    assertOnly("wrong cluster.hadoop", "127.0.0.11", "Hadoop 3.3.6 is older than 3.4.1");

    cluster.answer(NODES, nodesWithVersions("3.6.0", "3.6.0"));
    cluster.change(INFO, "\"3.3.6\"", "\"3.6.0\"");
    assertOnly("warn cluster.hadoop", "Hadoop 3.6.0 is newer than 3.5");
  }

  @Test
  void javaThatCannotLoadTheJarIsWrong() throws IOException {
    cluster.java("127.0.0.11", "1.8");
    cluster.java("127.0.0.12", "1.8");

    assertThat(complaints())
        .hasSize(2)
        .anyMatch(line -> line.startsWith("wrong cluster.java") && line.contains("Java 1.8"))
        .anyMatch(line -> line.startsWith("warn cluster.mixed-java"));
  }

  @Test
  void javaThatNobodyHasTriedIsAWarning() throws IOException {
    cluster.java("127.0.0.11", "25");

    assertThat(complaints())
        .hasSize(2)
        .anyMatch(line -> line.startsWith("warn cluster.java the NodeManager on 127.0.0.11"))
        .anyMatch(line -> line.startsWith("warn cluster.mixed-java"));
  }

  @Test
  void schedulerThatRunsIsComparedWithTheFile() throws IOException {
    cluster.change("/conf", DROVERS, CAPACITY);

    assertOnly(
        "wrong cluster.scheduler yarn.resourcemanager.scheduler.class is io.drover",
        "runs " + CAPACITY);
  }

  @Test
  void schedulerOfOtherQueuesIsNotToBeReplaced() throws IOException {
    cluster.change("/conf", DROVERS, FAIR);

    assertOnly("wrong cluster.queues the ResourceManager runs " + FAIR, "would be killed");

    home.set("yarn-site.xml", "yarn.resourcemanager.scheduler.class", FAIR);
    JsonNode report = home.examine(conf);
    assertThat(DoctorHome.complaints(report)).noneMatch(line -> line.contains("cluster."));
    assertThat(texts(report)).anyMatch(text -> text.contains("leave the lines of conf/yarn-site"));

    home.set("yarn-site.xml", "yarn.resourcemanager.scheduler.class", CAPACITY);
    assertThat(complaints())
        .anyMatch(line -> line.startsWith("wrong cluster.scheduler") && line.contains(FAIR));
  }

  @Test
  void settingsThatTheResourceManagerRefusesAreTold() throws IOException {
    cluster.change(
        "/ws/v1/cluster/drover", "{\"at\":", "{\"badSettings\":\"yarn.drover.tau is bad\",\"at\":");

    assertOnly("wrong cluster.bad-settings", "yarn.drover.tau is bad");
  }

  @Test
  void partsThatErrorsHaveSwitchedOffAreTold() throws IOException {
    cluster.change(
        "/ws/v1/cluster/drover",
        "\"part\":\"learning\",\"off\":false",
        "\"part\":\"learning\",\"off\":true");

    assertOnly("warn cluster.errors", "learning");
  }

  @Test
  void channelThatIsNotOpenIsTold() throws IOException {
    cluster.change(
        "/ws/v1/cluster/drover", "\"channel\":{\"on\":true", "\"channel\":{\"on\":false");

    assertOnly("warn cluster.channel yarn.drover.channel.address is set", "has not opened");
  }

  @Test
  void nodesInOtherRacksThanHereAreTold() throws IOException {
    cluster.change(NODES, "/rack12", "/rack99");

    assertOnly("warn topology.rack-differs", "127.0.0.12 is in /rack12 here and in /rack99 there");
  }

  @Test
  void clockOfThisMachineIsNamedIfItIsTheOneThatIsOff() throws IOException {
    home.clockAhead(Duration.ofSeconds(20));
    assertOnly("warn clock.apart the clock of this machine is", "ahead of the median");

    home.clockAhead(Duration.ofSeconds(-120));
    assertOnly("wrong clock.apart the clock of this machine is", "behind the median");
  }

  @Test
  void clusterTooSmallForAClone() throws IOException {
    cluster.change("/ws/v1/cluster/metrics", "\"totalMB\":16384", "\"totalMB\":4096");

    assertOnly(
        "wrong queue.no-clones yarn.drover.clone.max-utilisation is 0.7 of 4096 MB", "3584 MB");
  }

  @Test
  void largestJobOfTheHistoryDecidesAboutTheHeap() throws IOException {
    cluster.answer(
        "/ws/v1/history/mapreduce/jobs",
        cluster
            .answered("/ws/v1/history/mapreduce/jobs")
            .replaceFirst("\"mapsTotal\":\\d+", "\"mapsTotal\":900000"));

    assertOnly("wrong heap.small", "the largest job, job_", "900,001");
    assertThat(complaints("--tasks", "100")).isEmpty();
  }

  @Test
  void exitCodeSaysHowBadItIs() throws IOException {
    String[] arguments = {"--conf", conf.toString()};
    assertThat(home.run(Map.of(), arguments)).isZero();

    cluster.change(NODES, "/rack12", "/rack99");
    assertThat(home.run(Map.of(), arguments)).isEqualTo(1);

    cluster.change("/conf", "io.drover.scheduler.DroverCapacityScheduler", "com.acme.Scheduler");
    assertThat(home.run(Map.of(), arguments)).isEqualTo(2);
    assertThat(home.out()).endsWith("1 warn, 1 wrong: exit code 2" + System.lineSeparator());
  }
}
