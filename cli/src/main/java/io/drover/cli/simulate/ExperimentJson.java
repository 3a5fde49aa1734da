// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.cli.text.Spread;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * What came of an experiment as one JSON object. The numbers of a row are in its unit; what is not
 * known is null. With several repeats {@code ours} is the median, and the ends stand beside it.
 */
final class ExperimentJson {
  private ExperimentJson() {}

  /** On one line. */
  static String of(ExperimentRun run) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("experiment", run.experiment().name());
    root.put("source", run.experiment().source());
    ArrayNode rows = root.putArray("rows");
    for (ExperimentRun.Line line : run.lines()) {
      ObjectNode row = rows.addObject();
      row.put("label", line.row().label());
      put(row, "paper", line.row().paper());
      put(row, "ours", value(line, Spread::median));
      put(row, "difference", line.difference());
      row.put("unit", line.row().unit().label());
      if (run.isRepeated()) {
        put(row, "least", value(line, Spread::min));
        put(row, "greatest", value(line, Spread::max));
      }
    }
    ArrayNode why = root.putArray("why");
    run.why().forEach(why::add);
    ArrayNode provenance = root.putArray("provenance");
    run.provenance().forEach(provenance::add);
    root.put("seed", run.seed());
    root.put("repeat", run.results().size());
    return root.toString();
  }

  private static OptionalDouble value(ExperimentRun.Line line, ToDoubleFunction<Spread> which) {
    return line.ours().stream().mapToDouble(which).findFirst();
  }

  private static void put(ObjectNode node, String key, OptionalDouble value) {
    value.ifPresentOrElse(v -> node.put(key, Figures.rounded(v)), () -> node.putNull(key));
  }
}
