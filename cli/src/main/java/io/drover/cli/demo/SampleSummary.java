// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.simulator.result.Spread;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.Scenario;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Describes the result of {@link Scenario#SAMPLING} in sentences. */
final class SampleSummary {
  /** Says what the outputs are compared with. */
  static final String OUTPUTS =
      "The outputs differ by design: each run reads another sample. \"right\" means that an output"
          + " is what a plain job computes from exactly the blocks that the run read.";

  private SampleSummary() {}

  /** Describes what late binding and the choice of outputs have changed. */
  static String verdict(ScenarioResult result) {
    Optional<Spread> stock = result.known(RunMode.STOCK, DemoRun::localBlocks);
    Optional<Spread> drover = result.known(RunMode.DROVER, DemoRun::localBlocks);
    if (stock.isEmpty() || drover.isEmpty()) {
      return "A run to compare with is missing.";
    }
    return String.format(
        Locale.ROOT,
        "With %s of the slots held by another application, %.0f of %d blocks were read on their own node"
            + " under Drover and %.0f under stock Hadoop. The job took %.1f s under Drover and"
            + " %.1f s under stock Hadoop.%s%s",
        DemoSummary.percent(result.load().orElseThrow()),
        drover.get().median(),
        needed(result),
        stock.get().median(),
        result.jobSeconds(RunMode.DROVER).orElseThrow().median(),
        result.jobSeconds(RunMode.STOCK).orElseThrow().median(),
        pairs(result),
        uplinks(result).orElseGet(() -> shuffle(result)));
  }

  /** Compares the runs that had the same slots free, if there are several such pairs. */
  private static String pairs(ScenarioResult result) {
    List<Double> ratios = new ArrayList<>();
    List<DemoRun> local = new ArrayList<>();
    for (DemoRun stock : result.of(RunMode.STOCK)) {
      result.of(RunMode.DROVER).stream()
          .filter(run -> run.repeat() == stock.repeat())
          .filter(run -> run.result().succeeded() && stock.result().succeeded())
          .forEach(
              run -> {
                ratios.add(run.jobSeconds() / stock.jobSeconds());
                if (run.localBlocks().orElse(0) == needed(result)) {
                  local.add(run);
                }
              });
    }
    if (ratios.size() < 2) {
      return "";
    }
    double mean = ratios.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    return String.format(
        Locale.ROOT,
        " Of %d pairs with the same slots free, it took %.0f %% of stock Hadoop's time on average,"
            + " %.0f %% at best and %.0f %% at worst; in %d, all blocks were read on their own node.",
        ratios.size(),
        100 * mean,
        100 * Collections.min(ratios),
        100 * Collections.max(ratios),
        local.size());
  }

  /** Describes the uplinks, if they were counted: they carry inputs too. */
  private static Optional<String> uplinks(ScenarioResult result) {
    Optional<Spread> stock = result.known(RunMode.STOCK, DemoRun::uplinkBytes);
    Optional<Spread> drover = result.known(RunMode.DROVER, DemoRun::uplinkBytes);
    return stock.isEmpty() || drover.isEmpty()
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                " The busiest uplink of a rack carried %.1f MB under Drover and %.1f MB under stock"
                    + " Hadoop.",
                drover.get().median() / 1e6,
                stock.get().median() / 1e6));
  }

  private static String shuffle(ScenarioResult result) {
    Optional<Spread> stock = result.known(RunMode.STOCK, DemoRun::maxLinkBytes);
    Optional<Spread> drover = result.known(RunMode.DROVER, DemoRun::maxLinkBytes);
    return stock.isEmpty() || drover.isEmpty()
        ? " The traffic between racks is unknown."
        : String.format(
            Locale.ROOT,
            " In the shuffle, the busiest link carried %.2f MB under Drover and %.2f MB under"
                + " stock Hadoop.",
            drover.get().median() / 1e6,
            stock.get().median() / 1e6);
  }

  /** Describes the results at all loads, short enough for a heading. */
  static String headline(List<ScenarioResult> results) {
    OptionalDouble stock = share(results, RunMode.STOCK);
    OptionalDouble drover = share(results, RunMode.DROVER);
    return stock.isEmpty() || drover.isEmpty()
        ? DemoSummary.noun(Scenario.SAMPLING)
        : String.format(
            Locale.ROOT,
            "On a busy cluster, %s of the blocks are read on their own node instead of %s",
            DemoSummary.percent(drover.getAsDouble()),
            DemoSummary.percent(stock.getAsDouble()));
  }

  private static OptionalDouble share(List<ScenarioResult> results, RunMode mode) {
    return results.stream()
        .flatMap(
            result ->
                result.known(mode, DemoRun::localBlocks).stream()
                    .map(blocks -> blocks.median() / needed(result)))
        .mapToDouble(Double::doubleValue)
        .average();
  }

  private static int needed(ScenarioResult result) {
    return result.runs().get(0).result().spec().sample().orElseThrow().needed();
  }
}
