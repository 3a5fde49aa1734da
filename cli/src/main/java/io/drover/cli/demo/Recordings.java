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
import java.util.Map;
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
  static void write(Path directory, Map<PlannedRun, RunResult> runs) throws IOException {
    Files.createDirectories(directory);
    for (Map.Entry<PlannedRun, RunResult> run : runs.entrySet()) {
      PlannedRun planned = run.getKey();
      if (planned.mode() == RunMode.RECORD) {
        String name = planned.scenario().key() + "-" + planned.repeat() + ".jsonl.gz";
        write(directory.resolve(name), run.getValue());
      }
    }
  }

  private static void write(Path file, RunResult run) throws IOException {
    try (BufferedWriter out =
        new BufferedWriter(
            new OutputStreamWriter(
                new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8))) {
      if (run.decisions().isEmpty()) {
        throw new IOException("the AppMaster of " + run.jobId() + " kept no record");
      }
      for (String line : run.decisions()) {
        if (line.contains("\"type\":\"report\"") || line.contains("\"type\":\"attempt\"")) {
          out.write(line);
          out.newLine();
        }
      }
    }
  }
}
