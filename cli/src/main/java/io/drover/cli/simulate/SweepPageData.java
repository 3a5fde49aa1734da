// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.cli.text.Spread;

/** What the page of a sweep draws: gains over the default, in points. */
final class SweepPageData {
  private SweepPageData() {}

  static ObjectNode of(SweepResult result) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("repeated", result.isRepeated());
    ArrayNode aims = root.putArray("aims");
    for (Aim aim : Aim.values()) {
      aims.add(aim.label());
    }
    ArrayNode settings = root.putArray("settings");
    for (Swept swept : result.options().swept()) {
      ObjectNode node = settings.addObject().put("name", swept.name());
      node.put("usual", swept.values().indexOf(swept.byDefault()));
      ArrayNode values = node.putArray("values");
      swept.values().forEach(values::add);
      ArrayNode gains = node.putArray("gains");
      for (Aim aim : Aim.values()) {
        gains(gains.addObject(), result, swept, aim);
      }
    }
    return root;
  }

  private static void gains(ObjectNode node, SweepResult result, Swept swept, Aim aim) {
    ArrayNode least = node.putArray("least");
    ArrayNode median = node.putArray("median");
    ArrayNode greatest = node.putArray("greatest");
    for (String value : swept.values()) {
      Spread gain = result.gain(swept, value, aim.figure()).orElse(null);
      add(least, gain == null ? null : gain.min());
      add(median, gain == null ? null : gain.median());
      add(greatest, gain == null ? null : gain.max());
    }
  }

  private static void add(ArrayNode array, Double share) {
    if (share == null) {
      array.addNull();
    } else {
      array.add(Math.round(share * 1e4) / 1e2);
    }
  }
}
