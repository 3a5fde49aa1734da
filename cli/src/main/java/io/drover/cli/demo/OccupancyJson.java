// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.testbed.job.Occupancy;

/** How full the cluster was, for programs and for the page. Described in docs/demo.md. */
final class OccupancyJson {
  private OccupancyJson() {}

  /** What is not known is left out. */
  static void put(ObjectNode node, Occupancy occupancy) {
    node.put("tau", occupancy.tau());
    node.put("peakClones", occupancy.peakClones());
    node.put("clonesKilled", occupancy.kills().size());
    occupancy.crossedAt().ifPresent(at -> node.put("crossedAt", DemoRun.seconds(at)));
    occupancy.reclaimedAt().ifPresent(at -> node.put("reclaimedAt", DemoRun.seconds(at)));
    occupancy.reclaimTime().ifPresent(time -> node.put("reclaimSeconds", DemoRun.seconds(time)));
    ArrayNode small = node.putArray("smallJobSeconds");
    occupancy.smallJobs().forEach(job -> small.add(DemoRun.seconds(job.time())));
    ArrayNode kills = node.putArray("killedAt");
    occupancy.kills().forEach(at -> kills.add(DemoRun.seconds(at)));
    node.put("samplesMissed", occupancy.missed());
    ArrayNode samples = node.putArray("samples");
    for (Occupancy.Sample sample : occupancy.samples()) {
      samples
          .addObject()
          .put("at", DemoRun.seconds(sample.at()))
          .put("utilisation", DemoJson.rounded(sample.utilisation()))
          .put("clones", sample.clones())
          .put("cloneShare", DemoJson.rounded(sample.cloneShare()));
    }
  }
}
