// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.cli.text.Spread;

/**
 * How the time of simulations grew, as one JSON object. With several repeats the figures are
 * medians, and the ends of {@code nLogN} stand beside it.
 */
final class ScalingJson {
  private ScalingJson() {}

  /** On one line. */
  static String of(ScalingResult result) {
    SimulateOptions options = result.options();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("scheme", result.scheme());
    ArrayNode steps = root.putArray("scaling");
    for (int factor : Scaling.FACTORS) {
      ObjectNode step = steps.addObject().put("jobs", (long) factor * options.jobs());
      step.put("tasks", result.of(factor, ScalingResult.Step::tasks).median());
      step.put("events", result.of(factor, ScalingResult.Step::events).median());
      step.put("seconds", Figures.rounded(result.of(factor, ScalingResult.Step::seconds).median()));
      Spread growth = result.growth(factor);
      step.put("nLogN", Figures.rounded(growth.median()));
      step.put("least", Figures.rounded(growth.min()));
      step.put("greatest", Figures.rounded(growth.max()));
    }
    root.put("atMostNLogN", result.isWithin());
    root.put("seed", options.seed());
    root.put("repeat", options.repeat());
    ArrayNode provenance = root.putArray("provenance");
    result.scene().provenance().forEach(provenance::add);
    return root.toString();
  }
}
