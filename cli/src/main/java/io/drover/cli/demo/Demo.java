// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.demo.DemoCommand.RunSource;
import io.drover.cli.demo.ReportData.ReportPage;
import io.drover.cli.progress.Terminal;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.job.RunResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Does all runs of a demo and reports the result. */
final class Demo {
  private final DemoOptions options;
  private final InstantSource clock;
  private final PrintStream out;
  private final PrintStream err;

  Demo(DemoOptions options, InstantSource clock, PrintStream out, PrintStream err) {
    this.options = options;
    this.clock = clock;
    this.out = out;
    this.err = err;
  }

  /**
   * Does the runs, writes the page and prints the result.
   *
   * @param sources creates the source of runs for a listener to the cluster's start
   * @return whether every job succeeded and all outputs are equal
   */
  boolean run(Function<StartListener, RunSource> sources) throws IOException, InterruptedException {
    Instant began = clock.instant();
    DemoResult result = runAll(sources, began);
    Files.writeString(options.report(), ReportPage.of(result));
    (options.json() ? err : out).print(DemoTable.of(result));
    if (options.json()) {
      out.println(DemoJson.of(result));
    }
    err.println("The page: " + options.report().toAbsolutePath().normalize());
    if (options.record().isPresent()) {
      Recordings.write(options.record().get(), result);
    }
    return result.isGood();
  }

  private DemoResult runAll(Function<StartListener, RunSource> sources, Instant began)
      throws IOException, InterruptedException {
    List<PlannedRun> plan = PlannedRun.of(options);
    try (DemoProgress progress = DemoProgress.on(Terminal.of(err), plan);
        RunSource source = sources.apply(progress::clusterStep)) {
      Map<PlannedRun, RunResult> done = new PlanRunner(source, progress, clock).run(plan);
      return DemoResult.of(options, began, source.hosts(), done);
    }
  }
}
