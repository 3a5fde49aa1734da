// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Rule;
import io.drover.speculator.DecisionLogFiles.Staged;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decisions of earlier AppMasters of a job that still hold in the next one: how often each task
 * was killed and restarted (at most gamma times in the job's life, Mantri section 5.1) and from
 * which machines, which machines the job keeps away from, and why its tasks may have no second
 * attempts any more. All the rest begins anew with the attempts.
 *
 * <p>An AppMaster that makes its model of the job anew, after errors, adds what it has decided
 * itself. The rest is read from the earlier ones' decision logs. The last line of a log may be
 * missing; so may the log.
 */
final class RecoveredDecisions {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveredDecisions.class);

  private final ObjectMapper json = new ObjectMapper();
  private final Map<TaskId, List<String>> restarts = new HashMap<>();
  private final Set<String> slowMachines = new LinkedHashSet<>();
  private Optional<String> objection = Optional.empty();

  /** Nothing was decided before. */
  RecoveredDecisions() {}

  /**
   * Reads the logs that are there.
   *
   * @param logs in the order of their AppMasters
   */
  static RecoveredDecisions read(List<Staged> logs, Configuration conf) {
    RecoveredDecisions earlier = new RecoveredDecisions();
    for (Staged log : logs) {
      try {
        earlier.read(log, conf);
      } catch (FileNotFoundException e) {
        LOG.info("an earlier AppMaster left no decisions in {}", log.file());
      } catch (IOException e) {
        LOG.warn("what an earlier AppMaster decided cannot be read from {}", log.file(), e);
      }
    }
    return earlier;
  }

  private void read(Staged log, Configuration conf) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                log.file().getFileSystem(conf).open(log.file()), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        try {
          take(json.readTree(line));
        } catch (JsonProcessingException | IllegalArgumentException e) {
          LOG.info("no decision, in {}: {}", log.file(), line);
        }
      }
    }
  }

  private void take(JsonNode line) {
    boolean acted = line.path("mode").asText().equals("on");
    boolean isRestart =
        line.path("action").asText().equals(Action.KILL_AND_RESTART.name())
            && line.path("rule").asText().equals(Rule.RESTART_PAYS.name());
    switch (line.path("type").asText()) {
      case "decision" -> {
        if (acted && isRestart) {
          TaskId task = MRApps.toTaskID(line.path("task").asText());
          restarts.computeIfAbsent(task, t -> new ArrayList<>()).add(line.path("node").asText());
        }
      }
      case "refused" -> {
        List<String> nodes = restarts.get(MRApps.toTaskID(line.path("task").asText()));
        if (acted && isRestart && nodes != null && !nodes.isEmpty()) {
          nodes.remove(nodes.size() - 1);
        }
      }
      case "slowMachine" -> {
        if (acted) {
          slowMachines.add(line.path("node").asText());
        }
      }
      case "secondAttemptsOver" -> {
        String why = line.path("reason").asText();
        objection = objection.or(() -> Optional.of("found by an earlier AppMaster: " + why));
      }
      default -> {
        // of no consequence for what comes
      }
    }
  }

  /** The machines that each task was killed on to be restarted, one for each time. */
  Map<TaskId, List<String>> restarts() {
    return restarts;
  }

  /** This AppMaster has done it once more: the next model of the job is to know. */
  void restarted(TaskId task, String machine) {
    restarts.computeIfAbsent(task, t -> new ArrayList<>()).add(machine);
  }

  /** Why tasks of the job may have no second attempts any more; empty while they may. */
  Optional<String> objection() {
    return objection;
  }

  /** The machines that the job keeps away from; more may be added. */
  Set<String> slowMachines() {
    return slowMachines;
  }
}
