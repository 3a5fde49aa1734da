// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.simulator.report.Text;
import io.drover.testbed.job.JobStream;
import io.drover.testbed.job.JobStream.JobEnd;
import java.util.ArrayList;
import java.util.List;

/** Shows what the jobs of a stream have come to, in the run of median time of each mode. */
final class StreamTable {
  private StreamTable() {}

  /** Returns the lines, or none if there was no stream. */
  static List<String> of(ScenarioResult result) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("  jobs", "", "succeeded", "failed", "ended by Drover", "machine time"));
    for (DemoRun run : result.typical()) {
      run.result().stream()
          .ifPresent(
              stream -> {
                rows.add(
                    row("  " + run.mode().key() + ", of the program that fails", stream, true));
                rows.add(row("  " + run.mode().key() + ", of the others", stream, false));
              });
    }
    if (rows.size() == 1) {
      return List.of();
    }
    List<String> lines = new ArrayList<>(List.of(""));
    lines.addAll(Text.align(rows));
    return lines;
  }

  private static List<String> row(String name, JobStream stream, boolean fails) {
    return List.of(
        name,
        Long.toString(stream.count(fails)),
        Long.toString(stream.count(fails, JobEnd.SUCCEEDED)),
        Long.toString(stream.count(fails, JobEnd.FAILED)),
        Long.toString(stream.count(fails, JobEnd.ENDED)),
        Math.round(DemoRun.seconds(stream.machineTime(fails))) + " s");
  }
}
