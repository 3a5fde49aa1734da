// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** Keeps what Drover's AppMaster heard in the runs in which it only recorded. */
final class Recordings {
  private Recordings() {}

  /**
   * Writes a file for each run of {@link RunMode#RECORD}: the lines of its decision log on reports
   * and attempts, compressed.
   *
   * @param directory is created if it is not there
   */
  static void write(Path directory, DemoResult result) throws IOException {
    Files.createDirectories(directory);
    for (ScenarioResult scenario : result.scenarios()) {
      for (DemoRun run : scenario.of(RunMode.RECORD)) {
        String name = scenario.scenario().key() + "-" + run.repeat() + ".jsonl.gz";
        write(directory.resolve(name), run.result());
      }
    }
  }

  private static void write(Path file, RunResult run) throws IOException {
    if (run.decisions().isEmpty()) {
      throw new IOException("the AppMaster of " + run.jobId() + " kept no record");
    }
    try (BufferedWriter out =
        new BufferedWriter(
            new OutputStreamWriter(
                new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8))) {
      for (String line : run.decisions()) {
        if (line.contains("\"type\":\"report\"") || line.contains("\"type\":\"attempt\"")) {
          out.write(line);
          out.newLine();
        }
      }
    }
  }
}
