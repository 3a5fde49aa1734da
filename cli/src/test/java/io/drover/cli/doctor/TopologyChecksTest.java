// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.cli.doctor.RackScript.Patience;
import io.drover.core.check.Finding;
import io.drover.core.check.Finding.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.ScriptBasedMapping;
import org.apache.hadoop.net.TableMapping;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyChecksTest {
  private static final String CLASS = "net.topology.node.switch.mapping.impl";

  @TempDir private Path directory;
  private final Configuration conf = new Configuration(false);
  private Patience patience = DoctorHome.LONG;

  private void script(String command) throws IOException {
    Path script = Files.writeString(directory.resolve("racks"), "#!/bin/sh\n" + command + "\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    conf.setClass(CLASS, ScriptBasedMapping.class, DNSToSwitchMapping.class);
    conf.set("net.topology.script.file.name", script.toString());
  }

  private List<String> complaints(String... names) {
    Map<String, Optional<String>> nodes = new TreeMap<>();
    for (String name : names) {
      nodes.put(name, Optional.empty());
    }
    return new TopologyChecks(conf, nodes, UnaryOperator.identity(), patience)
        .all().run().stream()
            .filter(finding -> finding.level() != Level.OK)
            .map(finding -> finding.level() + " " + finding.line())
            .toList();
  }

  @Test
  void namesInUpperCaseThatTheScriptKnowsInLowerCaseOnlyAreNamed() throws IOException {
    script(
        "for n; do case $n in [ab]) echo /r1;; c) echo /r2;; *) echo /default-rack;; esac; done");

    assertThat(complaints("a", "b", "c")).isEmpty();
    assertThat(complaints("a", "B", "c"))
        .singleElement()
        .asString()
        .startsWith("WARN the mapping does not know names in upper case")
        .contains("lower case: B. ");
    assertThat(complaints("a", "B", "X"))
        .hasSize(2)
        .anyMatch(line -> line.contains("topology.name-case") && line.contains(": B. "))
        .anyMatch(line -> line.contains("topology.unresolved") && line.contains(": X. "));
  }

  @Test
  void scriptIsCalledWithSoManyNamesAtOnce() throws IOException {
    script("test $# -le 2 || exit 1; for n; do echo /r$n; done");
    conf.set("net.topology.script.number.args", "2");
    assertThat(complaints("1", "2", "3", "4", "5")).isEmpty();

    conf.set("net.topology.script.number.args", "3");
    assertThat(complaints("1", "2", "3", "4", "5"))
        .singleElement()
        .asString()
        .contains("ends with exit code 1 for 1, 2, 3", "[topology.exit]");
  }

  @Test
  void slowScriptIsAWarning() throws IOException {
    script("for n; do echo /r$n; done");
    patience = new Patience(Duration.ZERO, Duration.ofMinutes(2));

    assertThat(complaints("1", "2"))
        .singleElement()
        .asString()
        .startsWith("WARN net.topology.script.file.name")
        .contains("for 2 names (net.topology.script.number.args is 100)", "[topology.slow]");
  }

  @Test
  void callsOfAScriptCountTogether() throws IOException {
    script("sleep 0.1; for n; do echo /r$n; done");
    conf.set("net.topology.script.number.args", "1");
    patience = new Patience(Duration.ofMillis(290), Duration.ofMinutes(2));

    assertThat(complaints("1", "2", "3"))
        .singleElement()
        .asString()
        .contains("for 3 names (net.topology.script.number.args is 1)", "[topology.slow]");
  }

  @Test
  void scriptThatIsTooSlowForAllNodesIsMeasuredForSome() throws IOException {
    script("sleep 0.5; for n; do echo /r$n; done");
    conf.set("net.topology.script.number.args", "1");
    patience = new Patience(Duration.ofMillis(1), Duration.ofSeconds(5)); // also for one call

    assertThat(complaints("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"))
        .singleElement()
        .asString()
        .startsWith("WARN net.topology.script.file.name")
        .containsPattern("for ([1-9]|10) of 12 names, and was not run for the others")
        .contains("[topology.slow]");
  }

  @Test
  void scriptThatDoesNotEndIsEnded() throws IOException {
    script("exec tail -f /dev/null");
    patience = new Patience(Duration.ofMillis(1), Duration.ofMillis(200));

    assertThat(complaints("1", "2"))
        .singleElement()
        .asString()
        .startsWith("WRONG")
        .contains("has not ended", "[topology.slow]");
  }

  @Test
  void nodesAreLookedUpByTheirAddresses() throws IOException {
    script("for n; do case $n in 10.*) echo /r1;; *) echo /default-rack;; esac; done");
    Map<String, Optional<String>> nodes = Map.of("a", Optional.of("/r1"), "b", Optional.of("/r1/"));

    List<Finding> findings =
        new TopologyChecks(conf, nodes, name -> "10.0.0." + name, patience).all().run();

    assertThat(findings).allMatch(finding -> finding.level() == Level.OK);
  }

  @Test
  void namesInUpperCaseDoNotMatterIfAddressesAreLookedUp() throws IOException {
    script("for n; do case $n in 10.*|[ab]) echo /r1;; *) echo /default-rack;; esac; done");
    Map<String, Optional<String>> nodes = Map.of("A", Optional.empty(), "B", Optional.empty());

    List<Finding> findings =
        new TopologyChecks(conf, nodes, name -> "10.0.0." + (name.charAt(0) - 'A'), patience)
            .all()
            .run();

    assertThat(findings).allMatch(finding -> finding.level() == Level.OK);
  }

  @Test
  void tableIsReadAsHadoopReadsIt() throws IOException {
    Path table =
        Files.writeString(directory.resolve("table"), "# racks\n10.0.0.1 /r1\n10.0.0.2 /r2\n");
    conf.setClass(CLASS, TableMapping.class, DNSToSwitchMapping.class);
    conf.set("net.topology.table.file.name", table.toString());

    assertThat(complaints("10.0.0.1", "10.0.0.2")).isEmpty();
    assertThat(complaints("10.0.0.1", "10.0.0.3"))
        .singleElement()
        .asString()
        .contains("1 of 2 nodes are in /default-rack", "10.0.0.3");
  }

  @Test
  void allThatIsOddOfTheRacksIsTold() throws IOException {
    script("for n; do case $n in a) echo /r1;; b) echo /R1;; *) echo /default-rack;; esac; done");
    Map<String, Optional<String>> nodes =
        Map.of("a", Optional.of("/r2"), "b", Optional.of("/R1"), "c", Optional.empty());

    List<Finding> findings =
        new TopologyChecks(conf, nodes, UnaryOperator.identity(), patience).all().run();

    assertThat(findings)
        .extracting(Finding::check)
        .containsExactly("topology.rack-spelling", "topology.rack-differs", "topology.unresolved");
  }

  @Test
  void oneNodeNeedsNoRack() {
    conf.setClass(CLASS, ScriptBasedMapping.class, DNSToSwitchMapping.class);

    assertThat(complaints("a")).isEmpty();
    assertThat(complaints("a", "b")).singleElement().asString().contains("topology.default-rack");
  }
}
