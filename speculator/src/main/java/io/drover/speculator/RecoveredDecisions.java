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
 * was killed and restarted (at most gamma times in the job's life, Mantri section 5.1) and on which
 * machines; which machines the job avoids; and why its tasks may have no more second attempts.
 * Everything else starts from the beginning, like the attempts.
 *
 * <p>These decisions are read from the decision logs of the earlier AppMasters. The last line of a
 * log may be missing or incomplete, and so may the whole log. An AppMaster adds its own decisions,
 * in case it has to rebuild its model of the job after errors.
 */
final class RecoveredDecisions {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveredDecisions.class);

  private final ObjectMapper json = new ObjectMapper();
  private final Map<TaskId, List<String>> restarts = new HashMap<>();
  private final Set<String> slowMachines = new LinkedHashSet<>();
  private Optional<String> objection = Optional.empty();

  /** Creates an object without decisions. */
  RecoveredDecisions() {}

  /**
   * Reads the logs that exist.
   *
   * @param logs the logs in the order of their AppMasters
   */
  static RecoveredDecisions read(List<Staged> logs, Configuration conf) {
    RecoveredDecisions earlier = new RecoveredDecisions();
    for (Staged log : logs) {
      try {
        earlier.read(log, conf);
      } catch (FileNotFoundException e) {
        LOG.info("an earlier AppMaster left no decisions in {}", log.file());
      } catch (IOException e) {
        LOG.warn("the decisions of an earlier AppMaster cannot be read from {}", log.file(), e);
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
          LOG.info("ignored a line in {}: {}", log.file(), line);
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
        // other lines do not matter here
      }
    }
  }

  /** Returns the machines on which each task was killed to be restarted, one for each restart. */
  Map<TaskId, List<String>> restarts() {
    return restarts;
  }

  /** Adds a restart by this AppMaster, so that the next model of the job knows it. */
  void restarted(TaskId task, String machine) {
    restarts.computeIfAbsent(task, t -> new ArrayList<>()).add(machine);
  }

  /** Returns why tasks of the job may have no more second attempts; empty while they may. */
  Optional<String> objection() {
    return objection;
  }

  /** Returns the machines that the job avoids, in a set to which more may be added. */
  Set<String> slowMachines() {
    return slowMachines;
  }
}
