// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.config.Mode;
import io.drover.speculator.DecisionLogFiles.Staged;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveredDecisionsTest {
  private static final TaskId MAP = MRApps.toTaskID("task_1700000000000_0001_m_000003");

  private static final String RESTART =
      """
      {"type":"decision","time":1,"mode":"on","task":"task_1700000000000_0001_m_000003",\
      "node":"n1","action":"KILL_AND_RESTART","rule":"RESTART_PAYS"}
      """;

  private final Configuration conf = new Configuration();

  @TempDir Path dir;

  @BeforeEach
  void job() {
    conf.set(MRJobConfig.MAPREDUCE_JOB_DIR, dir.toUri().toString());
    // The checksummed file system buffers flushed data until a block is full
    conf.set("fs.file.impl", RawLocalFileSystem.class.getName());
    conf.setBoolean("fs.file.impl.disable.cache", true);
  }

  private List<Staged> logs(int... attempts) {
    return Arrays.stream(attempts)
        .mapToObj(i -> DecisionLogFiles.staged(conf, i).orElseThrow())
        .toList();
  }

  private void write(int attempt, String text) throws IOException {
    Files.writeString(dir.resolve("drover-decisions." + attempt + ".jsonl"), text);
  }

  @Test
  void whatIsLoggedIsKnownToTheNextAppMaster() throws Exception {
    try (DecisionLog log = new DecisionLog(dir.resolve("local.jsonl"), Mode.ON);
        DecisionLogReplicator replicator =
            DecisionLogReplicator.start(log.file(), logs(1).get(0), conf)) {
      assertThat(replicator).isNotNull();
      log.slowMachine(1, "n7", 3.5);
      log.flush();
      await().until(() -> Files.exists(dir.resolve("drover-decisions.1.jsonl")));
      log.slowMachine(2, "n8", Double.POSITIVE_INFINITY);
      log.flush();
      await()
          .until(
              () ->
                  RecoveredDecisions.read(logs(1), conf).slowMachines().equals(Set.of("n7", "n8")));
    }
  }

  @Test
  void logWithoutALineMakesNoFile() throws Exception {
    try (DecisionLog log = new DecisionLog(dir.resolve("local.jsonl"), Mode.ON)) {
      DecisionLogReplicator.start(log.file(), logs(1).get(0), conf).close();
    }
    assertThat(dir.resolve("drover-decisions.1.jsonl")).doesNotExist();
  }

  @Test
  void restartsOfAllEarlierAppMastersCount() throws Exception {
    write(1, RESTART + RESTART.replace("n1", "n2"));
    write(2, RESTART.replace("n1", "n3"));
    RecoveredDecisions earlier = RecoveredDecisions.read(logs(1, 2), conf);
    assertThat(earlier.restarts().get(MAP)).containsExactly("n1", "n2", "n3");
  }

  @Test
  void whatWasRefusedOrOnlyObservedDoesNotCount() throws Exception {
    String refused = RESTART.replace("\"decision\"", "\"refused\"");
    write(1, RESTART + refused + RESTART.replace("\"on\"", "\"observe\""));
    assertThat(RecoveredDecisions.read(logs(1), conf).restarts().get(MAP)).isEmpty();
  }

  @Test
  void endOfSecondAttemptsIsKnownToTheNextAppMasterAndTheOneAfter() throws Exception {
    SecondAttempts second = new SecondAttempts((why, seenHere) -> {});
    try (DecisionLog log = new DecisionLog(dir.resolve("drover-decisions.1.jsonl"), Mode.ON)) {
      log.external(1, "secondAttemptsOver", Map.of("reason", "the lease was taken"));
    }
    second.awaitEarlier();
    assertThat(second.isAwaited()).isTrue();
    second.earlier(RecoveredDecisions.read(logs(1), conf).objection());
    assertThat(second.isAwaited()).isFalse();
    String why = second.objection().orElseThrow();
    assertThat(why).isEqualTo("found by an earlier AppMaster: the lease was taken");
    write(2, "{\"type\":\"secondAttemptsOver\",\"reason\":\"" + why + "\"}\n");
    assertThat(RecoveredDecisions.read(logs(1, 2), conf).objection()).contains(why);
    assertThat(RecoveredDecisions.read(logs(3), conf).objection()).isEmpty();
  }

  @Test
  void halfALineAndAMissingLogAreNoReasonToFail() throws Exception {
    write(2, RESTART + "{\"type\":\"slowMachine\",\"mode\":\"on\",\"no");
    RecoveredDecisions earlier = RecoveredDecisions.read(logs(1, 2), conf);
    assertThat(earlier.restarts().get(MAP)).containsExactly("n1");
    assertThat(earlier.slowMachines()).isEmpty();
  }
}
