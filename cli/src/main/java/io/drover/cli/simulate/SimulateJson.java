// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.cli.text.Spread;
import io.drover.simulator.scheme.Schemes;
import io.drover.simulator.world.ClusterShape;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The result as one JSON object. All reductions and shares are fractions; what is not known is
 * null. With several repeats {@code schemes} has the medians, and {@code runs} each repeat.
 */
final class SimulateJson {
  private SimulateJson() {}

  /** On one line. */
  static String of(SimulateResult result) {
    SimulateOptions options = result.options();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ObjectNode schemes = root.putObject("schemes");
    for (String scheme : options.schemes()) {
      scheme(
          schemes.putObject(scheme),
          figure -> result.spread(scheme, figure).map(Spread::median),
          result.seconds(scheme).map(Spread::median));
    }
    root.put("baseline", Schemes.BASELINE);
    root.put("seed", options.seed());
    ArrayNode provenance = root.putArray("provenance");
    result.scene().provenance().forEach(provenance::add);
    facts(root, options, result.scene(), result.size());
    if (result.isRepeated()) {
      runs(root.putArray("runs"), result);
    }
    return root.toString();
  }

  /** What was run. */
  static void facts(
      ObjectNode root, SimulateOptions options, SimulationSetup scene, SimulateResult.Size size) {
    ClusterShape shape = scene.shape();
    root.put("workload", scene.workload().name());
    root.put("slowness", options.slowness().toString());
    root.put("losses", LossesOption.text(options.losses()));
    root.put("machines", shape.machines());
    root.put("slots", shape.slotsPerMachine());
    root.put("racks", shape.racks());
    root.put("jobs", size.jobs());
    root.put("phases", size.phases());
    root.put("tasks", size.tasks());
    root.put("repeat", options.repeat());
    options.inputs().ifPresent(inputs -> root.put("inputs", inputs.toString()));
    options
        .sampling()
        .ifPresent(
            sampling ->
                root.putObject("sampled")
                    .put("ratio", sampling.ratio())
                    .put("share", sampling.share()));
    ObjectNode settings = root.putObject("settings");
    options.settings().forEach(settings::put);
  }

  private static void runs(ArrayNode all, SimulateResult result) {
    List<Long> seeds = result.runs().stream().map(SchemeRun::seed).distinct().toList();
    for (long seed : seeds) {
      ObjectNode node = all.addObject().put("seed", seed);
      ObjectNode schemes = node.putObject("schemes");
      result.runs().stream()
          .filter(run -> run.seed() == seed)
          .forEach(
              run ->
                  scheme(
                      schemes.putObject(run.scheme()),
                      figure -> Optional.ofNullable(run.figures().get(figure)),
                      Optional.of(run.seconds())));
    }
  }

  private static void scheme(
      ObjectNode node, Function<Figure, Optional<Double>> figures, Optional<Double> seconds) {
    figures(node, figures);
    put(node, "seconds", seconds);
  }

  /** All figures, each in its place. */
  static void figures(ObjectNode node, Function<Figure, Optional<Double>> figures) {
    for (Figure figure : Figure.values()) {
      ObjectNode place = figure.group().isEmpty() ? node : node.withObject("/" + figure.group());
      put(place, figure.key(), figures.apply(figure));
    }
  }

  /** A number; null where it is not known. */
  static void put(ObjectNode node, String key, Optional<Double> value) {
    value.ifPresentOrElse(v -> node.put(key, Figures.rounded(v)), () -> node.putNull(key));
  }
}
