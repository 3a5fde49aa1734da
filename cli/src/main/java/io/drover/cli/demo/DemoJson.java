// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.cli.job.Mode;
import io.drover.cli.job.Tally;
import java.util.Optional;

/** The result as one JSON object, for programs. The keys are described in docs/demo.md. */
final class DemoJson {
  private DemoJson() {}

  /** On one line. */
  static String of(DemoResult result) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("job", result.options().job().key());
    root.put("repeats", result.options().runs());
    root.put("good", result.isGood());
    ArrayNode scenarios = root.putArray("scenarios");
    for (ScenarioResult scenario : result.scenarios()) {
      ObjectNode node = scenarios.addObject();
      node.put("name", scenario.scenario().key());
      node.put("title", scenario.scenario().title());
      node.put("verdict", Words.verdict(scenario));
      node.set("summary", summary(scenario));
      ArrayNode runs = node.putArray("runs");
      scenario.runs().forEach(run -> run(runs.addObject(), run));
    }
    return root.toString();
  }

  static void run(ObjectNode node, DemoRun run) {
    Tally tally = run.result().tally();
    node.put("mode", run.mode().key());
    node.put("repeat", run.repeat());
    node.put("jobId", run.result().jobId());
    node.put("state", run.result().state());
    node.put("jobSeconds", run.jobSeconds());
    node.put("wallSeconds", DemoRun.seconds(run.result().wall()));
    node.put("taskSeconds", run.taskSeconds());
    node.put("copies", tally.copies());
    node.put("copiesWon", tally.copiesWon());
    node.put("copiesLost", tally.copiesLost());
    node.put("restarts", tally.restarts());
    node.put("failedAttempts", tally.failed());
    node.put("wastedSeconds", run.wastedSeconds());
    node.put("outputSha256", run.result().output().sha256());
    node.put("outputEqual", run.outputEqual());
  }

  static ObjectNode summary(ScenarioResult scenario) {
    ObjectNode summary = JsonNodeFactory.instance.objectNode();
    for (Mode mode : scenario.modes()) {
      ObjectNode node = summary.putObject(mode.key());
      spread(node, "jobSeconds", scenario.jobSeconds(mode));
      spread(node, "taskSeconds", scenario.spread(mode, DemoRun::taskSeconds));
      spread(node, "wastedSeconds", scenario.spread(mode, DemoRun::wastedSeconds));
      spread(node, "copies", scenario.spread(mode, run -> run.result().tally().copies()));
      spread(node, "restarts", scenario.spread(mode, run -> run.result().tally().restarts()));
      if (mode.hasSpeculation()) {
        spread(node, "recovered", scenario.recovered(mode));
      }
    }
    return summary;
  }

  /** What is not known is left out. */
  private static void spread(ObjectNode node, String name, Optional<Spread> spread) {
    spread.ifPresent(
        s -> {
          ObjectNode values = node.putObject(name);
          values.put("min", rounded(s.min()));
          values.put("median", rounded(s.median()));
          values.put("max", rounded(s.max()));
        });
  }

  static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }
}
