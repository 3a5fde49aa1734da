// SPDX-License-Identifier: Apache-2.0
package io.drover.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.cli.doctor.DoctorCommand;
import io.drover.it.JobsUnderTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code drover doctor} asks a ResourceManager, NodeManagers and a JobHistoryServer that run. */
class DoctorIT {
  private static final List<String> OF_YARN =
      List.of("yarn.resourcemanager.", "yarn.scheduler.", "yarn.drover.", "yarn.webapp.");

  private static Path home;
  private static MiniCluster cluster;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @BeforeAll
  static void start() throws Exception {
    home = Files.createTempDirectory("doctor");
    cluster = MiniCluster.start(home, Path.of(System.getProperty("drover.home"), "conf"));
    write("core-site.xml", List.of("fs.defaultFS", "net.topology."), Map.of());
    write("yarn-site.xml", OF_YARN, Map.of());
    write(
        "mapred-site.xml",
        List.of("mapreduce.jobhistory."),
        Map.of(
            "mapreduce.framework.name", "yarn",
            "mapreduce.map.speculative", "false",
            "yarn.app.mapreduce.am.command-opts",
                "-Xmx1024m $(test -r /no/such.jar && echo io.drover.appmaster.DroverAppMaster)",
            "mapreduce.application.classpath", "/no/*"));
  }

  /** Writes what the cluster's configuration has under some prefixes, and other settings. */
  private static void write(String file, List<String> prefixes, Map<String, String> more)
      throws IOException {
    Configuration conf = new Configuration(false);
    for (Map.Entry<String, String> entry : cluster.conf()) {
      if (prefixes.stream().anyMatch(entry.getKey()::startsWith)) {
        conf.set(entry.getKey(), entry.getValue());
      }
    }
    more.forEach(conf::set);
    Path directory = Files.createDirectories(home.resolve("conf"));
    try (OutputStream xml = Files.newOutputStream(directory.resolve(file))) {
      conf.writeXml(xml);
    }
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
    FileUtil.fullyDelete(home.toFile());
  }

  private JsonNode examine() throws IOException {
    out.reset();
    PrintStream result = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream rest =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    String conf = home.resolve("conf").toString();
    DoctorCommand.commandLine(result, rest).execute("--conf", conf, "--json");
    return new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
  }

  private static List<String> texts(JsonNode report, boolean areComplaints) {
    List<String> texts = new ArrayList<>();
    for (JsonNode finding : report.path("findings")) {
      if (areComplaints != finding.path("level").asText().equals("ok")) {
        texts.add(finding.path("check").asText() + " " + finding.path("what").asText());
      }
    }
    return texts;
  }

  @Test
  void clusterThatRunsIsToldAsItIs() throws Exception {
    Awaitility.await("the nodes are there")
        .atMost(JobsUnderTest.LIMIT)
        .until(() -> texts(examine(), false).toString().contains("has 3 NodeManagers"));
    Awaitility.await("the channel is open: if its port is taken, that is tried again each minute")
        .atMost(JobsUnderTest.LIMIT)
        .until(() -> !texts(examine(), true).toString().contains("cluster.channel"));

    JsonNode report = examine();

    assertThat(texts(report, true))
        .satisfiesExactlyInAnyOrder(
            line -> assertThat(line).startsWith("job.speculation mapreduce.map.speculative"),
            line -> assertThat(line).startsWith("jar.missing"));
    assertThat(texts(report, false))
        .contains(
            "cluster.java All run Java " + System.getProperty("java.specification.version"),
            "clock.apart 5 clocks are less than 5 s from their median",
            "topology.racks 3 nodes are in 3 racks")
        .anyMatch(line -> line.matches("cluster.hadoop All run Hadoop 3\\.[45]\\..*"))
        .anyMatch(line -> line.startsWith("parts.scheduler Drover's scheduler is on (the Res"));
  }
}
