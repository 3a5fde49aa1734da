// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.cli.command.Version;
import io.drover.cli.demo.DemoRun.DecisionLogLines;
import io.drover.cli.page.AttemptJson;
import io.drover.cli.page.TimeLinePage;
import io.drover.cli.page.TimeLinePage.Part;
import io.drover.simulator.result.Spread;
import io.drover.testbed.host.Host;
import io.drover.testbed.job.RunListener.RunEvent;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Collects the data that the page draws. Times are seconds since the job was submitted. */
final class ReportData {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT);

  private ReportData() {}

  static ObjectNode of(DemoResult result) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("at", STAMP.format(result.at().atZone(ZoneOffset.UTC)));
    root.put("version", Version.text());
    root.put("job", result.options().job().title());
    root.put("repeats", result.options().runs());
    ArrayNode nodes = root.putArray("nodes");
    nodes(result).forEach((name, rack) -> nodes.addObject().put("name", name).put("rack", rack));
    ArrayNode scenarios = root.putArray("scenarios");
    result.scenarios().forEach(scenario -> scenario(scenarios.addObject(), scenario));
    return root;
  }

  private static Map<String, String> nodes(DemoResult result) {
    Map<String, String> nodes = new LinkedHashMap<>();
    result.hosts().forEach((Host host) -> nodes.put(host.name(), host.rack()));
    Map<String, String> others = new TreeMap<>();
    for (ScenarioResult scenario : result.scenarios()) {
      for (DemoRun run : scenario.runs()) {
        run.result().attempts().forEach(a -> others.put(a.node(), a.rack()));
      }
    }
    others.forEach(nodes::putIfAbsent);
    return nodes;
  }

  private static void scenario(ObjectNode node, ScenarioResult result) {
    node.put("name", result.name().replace(" ", "-").replace("-%", ""));
    node.put("noun", result.noun());
    node.put("title", result.title());
    result.load().ifPresent(load -> node.put("load", load));
    node.put("verdict", DemoSummary.verdict(result));
    node.put("series", result.series());
    node.put("repeats", result.runs().stream().mapToInt(DemoRun::repeat).max().orElse(1));
    node.set("summary", DemoJson.summary(result));
    ObjectNode typical = node.putObject("typical");
    for (RunMode mode : result.modes()) {
      List<DemoRun> runs = result.of(mode);
      double[] times = runs.stream().mapToDouble(DemoRun::jobSeconds).toArray();
      typical.put(mode.key(), runs.get(Spread.indexOfMedian(times)).repeat());
    }
    ArrayNode runs = node.putArray("runs");
    result.runs().forEach(run -> run(runs.addObject(), run, result.scenario()));
  }

  private static void run(ObjectNode node, DemoRun run, Scenario scenario) {
    RunResult result = run.result();
    DemoJson.run(node, run);
    node.put("good", result.succeeded());
    node.put("diagnostics", AttemptJson.shortened(result.diagnostics()));
    node.put("amNode", result.amNode());
    if (run.mode() != RunMode.CLEAN) {
      result.faultNode().ifPresent(name -> node.put("faultNode", name));
      result.faultTask().ifPresent(task -> node.put("faultTask", task));
      node.put("faultLabel", faultLabel(scenario, result.spec().slowdown()));
    }
    Instant zero = result.submitted();
    ArrayNode attempts = node.putArray("attempts");
    AttemptJson.add(attempts, result.attempts(), zero);
    ArrayNode events = node.putArray("events");
    for (RunEvent event : result.events()) {
      events.addObject().put("at", AttemptJson.since(zero, event.at())).put("what", event.what());
    }
    ArrayNode decisions = node.putArray("decisions");
    for (String line : result.decisions()) {
      decision(line, zero).ifPresent(decisions::add);
    }
  }

  private static String faultLabel(Scenario scenario, int slowdown) {
    return switch (scenario) {
      case SLOW_NODE -> "slow: 1/" + slowdown + " rate";
      case SLOW_ATTEMPT -> "1/" + slowdown + " rate";
      case SILENT_ATTEMPT -> "falls silent";
      case STALL_90 -> "stalls at 90 %";
      case SKEW -> "6 × the data";
      case LONG_TASK -> slowdown + " × the work";
      case NODE_DEATH -> "dies";
      case STARVED_HOST -> "5 % of a core";
      case STOPPED_TASKS -> "tasks stopped";
      case PAUSING_TASKS -> "stopped 90 %";
      case SLOW_HOST_LINK -> "slow link";
      case SLOW_UPLINK -> "slow uplink";
      case CUT_HOST -> "cut off";
      case CUT_RACK -> "rack cut off";
      case NM_DEATH, FLAKY_NM_DEATH -> "NodeManager dies";
      case HOST_DEATH -> "dies";
      case LOST_OUTPUTS, FLAKY_OUTPUTS -> "outputs deleted";
      case FULL_DISK -> "disk full";
      case WRONG_CLOCK -> "90 s ahead";
      case FAULTS -> "fault";
      case SMALL_JOBS -> "1/" + slowdown + " rate";
      case NONE, PLACEMENT, CEILING, SAMPLING, FAILING_JOBS -> "";
    };
  }

  /** Parses a line of the decision log and adds its relative time. Empty if it is not shown. */
  static Optional<ObjectNode> decision(String line, Instant zero) {
    JsonNode parsed = DecisionLogLines.parse(line).orElse(null);
    if (parsed instanceof ObjectNode node && node.path("time").isNumber()) {
      AttemptJson.addTime(node, zero);
      return AttemptJson.isShown(node) ? Optional.of(node) : Optional.empty();
    }
    return Optional.empty();
  }

  /** Builds the page. */
  static final class ReportPage {
    private ReportPage() {}

    static String of(DemoResult result) throws IOException {
      return TimeLinePage.of(
          "demo",
          DemoSummary.headline(result),
          DemoSummary.lede(result),
          parts("sampling.css", "stream.css"),
          parts("ceiling.js", "sampling.js", "stream.js", "page.js"),
          ReportData.of(result));
    }

    private static List<Part> parts(String... names) {
      return Stream.of(names).map(name -> new Part(ReportPage.class, "report/" + name)).toList();
    }
  }
}
