// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.simulator.result.Spread;
import io.drover.testbed.job.JobStream;
import io.drover.testbed.job.JobStream.JobEnd;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.Scenario;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Describes the result of {@link Scenario#FAILING_JOBS} in sentences. */
final class StreamSummary {
  private StreamSummary() {}

  /** Describes which jobs were ended, and what that saved. */
  static String verdict(ScenarioResult result) {
    List<JobStream> drover = drovers(result);
    OptionalDouble less = less(result);
    if (drover.isEmpty() || less.isEmpty()) {
      return "A run to compare with is missing.";
    }
    long failing = drover.stream().mapToLong(stream -> stream.count(true)).sum();
    long ended = drover.stream().mapToLong(stream -> stream.count(true, JobEnd.ENDED)).sum();
    return String.format(
        Locale.ROOT,
        "Drover ended %d of %d jobs of the program that fails. Such jobs took %.0f s of the"
            + " machines' time under Drover and %.0f s under stock Hadoop, %s. %s",
        ended,
        failing,
        seconds(result, RunMode.DROVER, true).orElseThrow(),
        seconds(result, RunMode.STOCK, true).orElseThrow(),
        compared(less.getAsDouble()),
        others(drover));
  }

  private static List<JobStream> drovers(ScenarioResult result) {
    return result.of(RunMode.DROVER).stream()
        .flatMap(run -> run.result().stream().stream())
        .toList();
  }

  private static long goodEnded(List<JobStream> drover) {
    return drover.stream().mapToLong(stream -> stream.count(false, JobEnd.ENDED)).sum();
  }

  private static String others(List<JobStream> drover) {
    long all = drover.stream().mapToLong(stream -> stream.count(false)).sum();
    long good = drover.stream().mapToLong(s -> s.count(false, JobEnd.SUCCEEDED)).sum();
    long ended = goodEnded(drover);
    return ended == 0 && good == all
        ? "All " + all + " jobs of the other programs succeeded."
        : "Of "
            + all
            + " jobs of the other programs "
            + good
            + " succeeded, and "
            + ended
            + " were ended.";
  }

  private static OptionalDouble seconds(ScenarioResult result, RunMode mode, boolean fails) {
    Optional<Spread> spread = result.known(mode, run -> run.machineSeconds(fails));
    return spread.map(s -> OptionalDouble.of(s.median())).orElse(OptionalDouble.empty());
  }

  /** Returns by which share failing jobs took less machine time than under stock Hadoop. */
  private static OptionalDouble less(ScenarioResult result) {
    OptionalDouble stock = seconds(result, RunMode.STOCK, true);
    OptionalDouble drover = seconds(result, RunMode.DROVER, true);
    return stock.isEmpty() || drover.isEmpty() || stock.getAsDouble() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(1 - drover.getAsDouble() / stock.getAsDouble());
  }

  private static String compared(double less) {
    return DemoSummary.percent(Math.abs(less)) + (less < 0 ? " more" : " less");
  }

  /** Describes the result, short enough for a heading. */
  static String headline(ScenarioResult result) {
    OptionalDouble less = less(result);
    long wrong = goodEnded(drovers(result));
    return less.isEmpty()
        ? DemoSummary.noun(result.scenario())
        : "A program that always fails takes "
            + compared(less.getAsDouble())
            + " of the machines’ time, and "
            + (wrong == 0 ? "no good job is ended" : wrong + " good jobs are ended");
  }
}
