// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {
  @TempDir private Path directory;
  private DoctorHome home;

  @BeforeEach
  void install() throws IOException {
    home = new DoctorHome(directory);
  }

  @Test
  void reportHasAGroupForEachConcernAndNamesTheFiles() throws IOException {
    Path conf = home.broken("speculation-of-maps-off");

    assertThat(home.run(Map.of(), "--conf", conf.toString(), "--offline")).isEqualTo(1);

    assertThat(home.out().lines())
        .startsWith("drover doctor (unpackaged): " + conf)
        .contains("Parts", "Jobs", "Jar", "AppMaster's memory", "Racks")
        .contains(
            "  warn   mapreduce.map.speculative is false: no clones, copies or restarts of maps, and"
                + " no protection of map outputs (mapred-site.xml)",
            "         Set it to true, Hadoop's default, if tasks may run twice [job.speculation]");
    assertThat(home.out().strip()).endsWith(" ok, 1 warn, 0 wrong: exit code 1");
    assertThat(home.out()).as("no colours in a pipe").doesNotContain("\u001b");
    assertThat(home.err()).isEmpty();
  }

  @Test
  void partsSayWhatIsOnAndForWhom() throws IOException {
    Path conf = home.good();
    home.set("mapred-site.xml", "mapreduce.drover.clone.mode", "observe");
    home.set("yarn-site.xml", "yarn.drover.clone.acl", "etl,reports staff");

    assertThat(home.run(Map.of(), "--conf", conf.toString(), "--offline")).isZero();

    assertThat(home.out())
        .contains("Drover's AppMaster is on for jobs of this configuration that do not choose")
        .contains("on nodes that have " + home.resolve("drover/drover.jar"))
        .contains("restart on, clone observe, anti-affinity on, placement on, protect on")
        .contains("with clones for users and groups etl,reports staff and applications of type")
        .contains("clone on, statistics on, predict observe, predict.second-attempts off");
  }

  @Test
  void whatIsNotSwitchedOnIsToldSo() throws IOException {
    Path conf = Files.createDirectories(directory.resolve("stock"));
    for (String file : new String[] {"core-site.xml", "yarn-site.xml", "mapred-site.xml"}) {
      Files.writeString(conf.resolve(file), "<configuration/>");
    }

    JsonNode report = home.examine(conf, "--offline");

    assertThat(DoctorHome.complaints(report))
        .singleElement()
        .asString()
        .startsWith("warn parts.none yarn.app.mapreduce.am.command-opts is -Xmx1024m");
  }

  @Test
  void findingThatIsIgnoredCountsAsWell() throws IOException {
    Path conf = home.broken("queue-below-ceiling");
    String[] arguments = {
      "--conf", conf.toString(), "--offline", "--ignore", "queue.below-ceiling,job.uber"
    };

    assertThat(home.run(Map.of(), arguments)).isZero();
    assertThat(home.out()).contains("ignored [queue.below-ceiling]");
  }

  @Test
  void jsonHasTheKeysWithTheirValuesAndFiles() throws IOException {
    JsonNode report = home.examine(home.broken("uber"), "--offline");

    assertThat(report.path("level").asText()).isEqualTo("warn");
    assertThat(report.path("warn").asInt()).isEqualTo(1);
    for (JsonNode finding : report.path("findings")) {
      if (finding.path("check").asText().equals("job.uber")) {
        assertThat(finding.path("group").asText()).isEqualTo("Jobs");
        assertThat(finding.path("keys").toString())
            .isEqualTo(
                "[{\"key\":\"mapreduce.job.ubertask.enable\",\"value\":\"true\","
                    + "\"file\":\"mapred-site.xml\"}]");
        return;
      }
    }
    throw new AssertionError(report);
  }

  @Test
  void valueOfAManagersKeyIsTheOneThatHolds() throws IOException {
    Path conf = home.good();
    String key = "yarn.drover.clone.max-utilisation";
    home.set("yarn-site.xml", key, "0.6").set("capacity-scheduler.xml", key, "7");

    JsonNode report = home.examine(conf, "--offline");

    assertThat(report.path("findings"))
        .filteredOn(finding -> finding.path("check").asText().equals("rm.setting"))
        .extracting(finding -> finding.path("keys").toString())
        .containsExactly(
            "[{\"key\":\"" + key + "\",\"value\":\"7\",\"file\":\"capacity-scheduler.xml\"}]");
  }

  @Test
  void configurationComesFromTheEnvironment() throws IOException {
    Path conf = home.good();
    assertThat(home.run(Map.of("HADOOP_CONF_DIR", conf.toString()), "--offline")).isZero();

    Path etc = Files.createDirectories(directory.resolve("hadoop/etc"));
    Files.move(conf, etc.resolve("hadoop"));
    String root = directory.resolve("hadoop").toString();
    assertThat(home.run(Map.of("HADOOP_HOME", root), "--offline")).isZero();
  }

  @Test
  void wrongArgumentsPrintNoReport() throws IOException {
    Path empty = Files.createDirectories(directory.resolve("nothing"));
    String[][] wrong = {
      {"--offline"},
      {"--conf", directory.resolve("no-such").toString()},
      {"--conf", empty.toString()},
      {"--conf", home.good().toString(), "--tasks", "0"},
    };
    for (String[] arguments : wrong) {
      assertThat(home.run(Map.of(), arguments)).isEqualTo(2);
      assertThat(home.out()).isEmpty();
      assertThat(home.err()).isNotEmpty();
    }
  }

  @Test
  void jarOfTheClientIsLookedForWhereItIsSentAlong() throws IOException {
    Path conf = home.broken("jar-not-at-the-client");
    String classPath = "/no/such:" + home.resolve("drover/drover.jar");

    assertThat(
            home.run(Map.of("HADOOP_CLASSPATH", classPath), "--conf", conf.toString(), "--offline"))
        .isZero();
  }

  @Test
  void variablesOfTheClassPathAreThoseOfTheShell() throws IOException {
    Path conf = home.broken("jar-missing-for-class");
    home.set("mapred-site.xml", "mapreduce.application.classpath", "$HADOOP_MAPRED_HOME/*");
    String drover = home.resolve("drover").toString();

    assertThat(home.run(Map.of("HADOOP_HOME", drover), "--conf", conf.toString(), "--offline"))
        .isZero();
  }

  @Test
  void whatIsNoJarOnTheClassPathIsPassedOver() throws IOException {
    Path conf = home.good();
    Path jars = home.resolve("drover");
    Files.createSymbolicLink(jars.resolve("hadoop-gone.jar"), jars.resolve("gone"));
    Files.createSymbolicLink(jars.resolve("drover-gone.jar"), jars.resolve("gone"));
    Files.createDirectory(jars.resolve("directory.jar"));

    assertThat(DoctorHome.complaints(home.examine(conf, "--offline"))).isEmpty();
  }

  @Test
  void directoryOfTheClassPathThatMayNotBeListedIsNamed() throws IOException {
    Path conf = home.good();
    Path closed = Files.createDirectory(directory.resolve("closed-jars"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("--x--x--x"));
    assumeThat(Files.isReadable(closed)).as("root may read everything").isFalse();
    home.set("mapred-site.xml", "yarn.application.classpath", closed + "/*");

    JsonNode report = home.examine(conf, "--offline");

    assertThat(DoctorHome.complaints(report)).isEmpty();
    assertThat(report.toString()).contains("What is in " + closed + "/*");
  }

  @Test
  void variablesThatHadoopCannotFillInAreNamedAndTheReportGoesOn() throws IOException {
    Path conf = home.good();
    String key = "yarn.app.mapreduce.am.command-opts";
    home.set("mapred-site.xml", key, "${v0}");
    for (int i = 0; i < 30; i++) {
      home.set("mapred-site.xml", "v" + i, "${v" + (i + 1) + "}");
    }

    JsonNode report = home.examine(conf, "--offline");

    assertThat(DoctorHome.complaints(report))
        .anyMatch(line -> line.startsWith("wrong files.value " + key + " is ${v0}, which Hadoop"));
    assertThat(report.path("findings"))
        .extracting(finding -> finding.path("group").asText())
        .contains("Parts", "AppMaster's memory", "Directories", "Racks");
    assertThat(report.toString()).doesNotContain(".failed\"");
  }

  @Test
  void valueOfTheWrongTypeIsToldWithItsFile() throws IOException {
    Path conf = home.broken("value-of-timeout");

    assertThat(home.run(Map.of(), "--conf", conf.toString(), "--offline")).isEqualTo(2);

    assertThat(home.out())
        .contains(
            "mapreduce.task.timeout is 10min, which is no whole number, or too large a one"
                + " (mapred-site.xml)",
            "Write a whole number, without a unit: a process that reads it fails [files.value]");
  }

  @Test
  void commentsOfWorkersMayHaveAnyEncoding() throws IOException {
    Path conf = home.good();
    Files.writeString(
        conf.resolve("workers"), "127.0.0.11 # K\u00f6ln\n", StandardCharsets.ISO_8859_1);

    JsonNode report = home.examine(conf, "--offline");

    assertThat(DoctorHome.complaints(report)).isEmpty();
    assertThat(report.toString()).contains("1 nodes are in 1 racks");
  }

  @Test
  void workersThatAreNoFileAreNamed() throws IOException {
    Path conf = home.good();
    Files.delete(conf.resolve("workers"));
    Files.createDirectory(conf.resolve("workers"));

    JsonNode report = home.examine(conf, "--offline");

    assertThat(DoctorHome.complaints(report))
        .singleElement()
        .asString()
        .startsWith("warn files.workers " + conf.resolve("workers") + " is no file");
  }

  @Test
  void whereNobodyGetsInNothingIsOpen() throws IOException {
    Path conf = home.good();
    home.set("yarn-site.xml", "yarn.drover.statistics.dir", "${doctor.home}/private/decisions");

    assertThat(DoctorHome.complaints(home.examine(conf, "--offline"))).isEmpty();
  }
}
