// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.simulator.report.Text;
import io.drover.speculator.DroverCounter;
import io.drover.testbed.history.JobRecord;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * What Drover did in one or many jobs, by the counters that it leaves in their histories. It leaves
 * none in a job in which it had nothing to do, or which did not succeed.
 */
final class DroverActions {
  private static final String GROUP = DroverCounter.class.getName() + "/";

  private final Map<DroverCounter, Long> sums = new EnumMap<>(DroverCounter.class);
  private long jobs;
  private long ioBytes;

  /** Adds what Drover did in a job, and returns whether it did anything. */
  boolean add(JobRecord job) {
    boolean acted = false;
    for (DroverCounter counter : DroverCounter.values()) {
      long count = job.counters().getOrDefault(GROUP + counter.name(), 0L);
      if (count > 0) {
        sums.merge(counter, count, Long::sum);
        acted = true;
      }
    }
    if (acted) {
      jobs++;
      ioBytes += ProtectionFigures.of(job.counters()).map(ProtectionFigures::ioBytes).orElse(0L);
    }
    return acted;
  }

  /** Returns in how many jobs it acted. */
  long jobs() {
    return jobs;
  }

  /** Returns what it did, in one or two sentences. */
  String sentence() {
    return "Drover acted in %d of these jobs: %s.".formatted(jobs, counted()) + aboutReplicas();
  }

  /** Returns what it did to attempts and outputs, in half a sentence. */
  String counted() {
    return "%s (%d won), %s, %s (%d won), %s; what lost took %s"
        .formatted(
            Text.count(sum(DroverCounter.COPIES_LAUNCHED), "copy", "copies"),
            sum(DroverCounter.COPIES_WON),
            Text.count(sum(DroverCounter.RESTARTS), "restart", "restarts"),
            Text.count(sum(DroverCounter.CLONES_LAUNCHED), "clone", "clones"),
            sum(DroverCounter.CLONES_WON),
            Text.count(
                sum(DroverCounter.OUTPUTS_REMADE), "map output remade", "map outputs remade"),
            Figures.seconds(wastedSeconds()));
  }

  private String aboutReplicas() {
    long bytes = sum(DroverCounter.REPLICATED_BYTES);
    return bytes == 0 || ioBytes == 0
        ? ""
        : String.format(
            Locale.ROOT,
            " %s of map outputs replicated, %.2f %% of what the jobs in which it acted read and wrote.",
            ProtectionFigures.size(bytes),
            100.0 * bytes / ioBytes);
  }

  private double wastedSeconds() {
    return (sum(DroverCounter.WASTED_MILLIS) + sum(DroverCounter.CLONE_WASTED_MILLIS)) / 1e3;
  }

  /** Returns the sum of a counter. */
  long sum(DroverCounter counter) {
    return sums.getOrDefault(counter, 0L);
  }

  /**
   * Writes in how many jobs it acted, what they read and wrote, and the sums of its counters that
   * are not 0.
   */
  void addTo(ObjectNode json) {
    json.put("jobs", jobs).put("ioBytes", ioBytes);
    addCounters(json);
  }

  /** Writes the sums of its counters that are not 0. */
  void addCounters(ObjectNode json) {
    ObjectNode counters = json.putObject("counters");
    sums.forEach((counter, sum) -> counters.put(counter.name(), sum));
  }
}
