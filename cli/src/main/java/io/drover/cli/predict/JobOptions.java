// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import io.drover.cli.command.Arguments;
import io.drover.core.predict.JobOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that say which jobs are looked at. */
final class JobOptions {
  private static final String GOOGLE = "google:";

  @Parameters(
      paramLabel = "FILE",
      description =
          "A table of jobs (CSV, plain or gzipped), a directory of MapReduce's history files"
              + " (*.jhist), or google:FILE for the jobs of Google's trace of 2011.")
  private String file;

  @Option(
      names = "--requests",
      paramLabel = "FILE",
      description = "With google:FILE, the table of what the first day's jobs asked for.")
  private Optional<Path> requests;

  @Option(
      names = "--failing",
      paramLabel = "OUTCOME",
      split = ",",
      defaultValue = "failed",
      description = "The outcomes that count as failures: failed, killed. Default: failed.")
  private List<String> failing;

  /** Returns what was typed for the jobs. */
  String name() {
    return file;
  }

  /** Returns the outcomes that count as failures. */
  Set<JobOutcome> failing(Arguments arguments) {
    Set<JobOutcome> outcomes = EnumSet.noneOf(JobOutcome.class);
    for (String name : failing) {
      switch (name.toLowerCase(Locale.ROOT)) {
        case "failed" -> outcomes.add(JobOutcome.FAILED);
        case "killed" -> outcomes.add(JobOutcome.KILLED);
        default -> throw arguments.unknown("outcome", name, List.of("failed", "killed"));
      }
    }
    return outcomes;
  }

  /** Reads the jobs. */
  JobTable read(Arguments arguments) throws IOException {
    Set<JobOutcome> counted = failing(arguments);
    if (file.startsWith(GOOGLE)) {
      Path jobs = arguments.input("FILE", Path.of(file.substring(GOOGLE.length())));
      requests.ifPresent(table -> arguments.input("--requests", table));
      return GoogleJobs.read(jobs, requests).counting(counted);
    }
    if (requests.isPresent()) {
      throw arguments.bad("option '--requests' needs google:FILE");
    }
    Path path = arguments.input("FILE", Path.of(file));
    JobTable table = Files.isDirectory(path) ? HistoryFiles.read(path) : JobFile.read(path);
    return table.counting(counted);
  }
}
