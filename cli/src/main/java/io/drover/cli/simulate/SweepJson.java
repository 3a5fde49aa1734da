// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.cli.text.Spread;
import io.drover.simulator.scheme.Schemes;
import java.util.Optional;

/**
 * What came of a sweep as one JSON object. All reductions, shares and gains are fractions; what is
 * not known is null. With several repeats the figures are medians.
 */
final class SweepJson {
  private SweepJson() {}

  /** On one line. */
  static String of(SweepResult result) {
    SimulateOptions options = result.options().common();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("scheme", result.options().scheme());
    root.put("baseline", Schemes.BASELINE);
    ObjectNode settings = root.putObject("sweep");
    for (Swept swept : result.options().swept()) {
      setting(settings.putObject(swept.name()), result, swept);
    }
    root.put("headline", SweepSummary.headline(result));
    root.put("seed", options.seed());
    ArrayNode provenance = root.putArray("provenance");
    result.scene().provenance().forEach(provenance::add);
    SimulateJson.facts(root, options, result.scene(), result.size());
    return root.toString();
  }

  private static void setting(ObjectNode node, SweepResult result, Swept swept) {
    SweepVerdict verdict = SweepVerdict.of(result, swept);
    node.put("key", swept.key());
    node.put("default", swept.byDefault());
    ArrayNode values = node.putArray("values");
    for (String value : swept.values()) {
      ObjectNode one = values.addObject().put("value", value);
      one.put("default", swept.isDefault(value));
      SimulateJson.figures(one, figure -> result.spread(swept, value, figure).map(Spread::median));
      ObjectNode gains = one.putObject("gain");
      for (Aim aim : Aim.values()) {
        spread(gains, aim, result.gain(swept, value, aim.figure()));
      }
    }
    ObjectNode standings = node.putObject("standing");
    for (SweepVerdict.Standing standing : verdict.standings()) {
      ObjectNode one = standings.putObject(key(standing.aim()));
      one.put("default", standing.rank().label());
      one.put("best", standing.best());
    }
    verdict
        .beatenBy()
        .ifPresentOrElse(value -> node.put("beatenBy", value), () -> node.putNull("beatenBy"));
    node.put("verdict", SweepSummary.verdict(result, swept));
  }

  private static void spread(ObjectNode gains, Aim aim, Optional<Spread> gain) {
    ObjectNode node = gains.putObject(key(aim));
    SimulateJson.put(node, "median", gain.map(Spread::median));
    SimulateJson.put(node, "least", gain.map(Spread::min));
    SimulateJson.put(node, "greatest", gain.map(Spread::max));
  }

  private static String key(Aim aim) {
    return aim.figure().group() + "." + aim.figure().key();
  }
}
