// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.simulator.scheme.Schemes;
import java.util.List;

/** What the page draws: all in per cent. */
final class SimulatePageData {
  private SimulatePageData() {}

  static ObjectNode of(SimulateResult result) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    // The baseline is the upright line at 0.
    List<String> schemes =
        result.options().schemes().stream().filter(s -> !s.equals(Schemes.BASELINE)).toList();
    ArrayNode names = root.putArray("schemes");
    schemes.forEach(names::add);
    double[] points = Curve.points();
    percents(root.putArray("points"), points);
    ArrayNode charts = root.putArray("charts");
    for (Curve curve : Curve.values()) {
      ObjectNode chart = charts.addObject().put("title", curve.title()).put("share", curve.share());
      ObjectNode curves = chart.putObject("curves");
      ObjectNode medians = chart.putObject("medians");
      for (String scheme : schemes) {
        double[] shares = result.curve(scheme, curve);
        if (shares.length > 0) {
          percents(curves.putArray(scheme), shares);
          medians.put(scheme, percent(points[median(shares)]));
        }
      }
    }
    return root;
  }

  /** The first point up to which half of the weight lies, or the last of all. */
  private static int median(double[] shares) {
    for (int i = 0; i < shares.length; i++) {
      if (shares[i] >= 0.5) {
        return i;
      }
    }
    return shares.length - 1;
  }

  private static void percents(ArrayNode array, double[] shares) {
    for (double share : shares) {
      array.add(percent(share));
    }
  }

  private static double percent(double share) {
    return Math.round(share * 1e4) / 1e2;
  }
}
