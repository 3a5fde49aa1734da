// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Provides trace files for tests: small ones, and the real ones beside the repository. */
final class Traces {
  private Traces() {}

  /** Writes a file of lines, each with a line break at its end. */
  static Path lines(Path file, String... lines) throws IOException {
    return Files.writeString(file, String.join("\n", lines) + "\n");
  }

  static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  /** Returns a real trace. If it is missing, skips the test and names the file. */
  static Path real(String name) {
    return shared("traces/" + name);
  }

  /** Returns a file that readers once refused. If it is missing, skips the test and names it. */
  static Path realCase(String name) {
    return shared("cases/" + name);
  }

  private static Path shared(String name) {
    Path here = Path.of("").toAbsolutePath();
    while (here != null && !Files.exists(here.resolve(".mvn"))) {
      here = here.getParent();
    }
    assumeTrue(here != null, "not inside a checkout");
    Path file = here.resolveSibling("shared").resolve(name);
    assumeTrue(Files.isReadable(file), file + " is absent");
    return file;
  }

  static List<JobSpec> jobs(Workload workload) {
    List<JobSpec> jobs = new ArrayList<>();
    workload.jobs().forEachRemaining(jobs::add);
    return jobs;
  }

  static long[] bytes(PhaseSpec phase) {
    long[] bytes = new long[phase.tasks()];
    for (int task = 0; task < bytes.length; task++) {
      bytes[task] = phase.bytes(task);
    }
    return bytes;
  }

  /** Describes all jobs, so that two workloads can be compared. */
  static List<String> told(Workload workload) {
    List<String> told = new ArrayList<>();
    for (JobSpec job : jobs(workload)) {
      told.add(job.id() + " at " + job.submitSeconds());
      for (PhaseSpec phase : job.phases()) {
        String bytes = Arrays.toString(bytes(phase));
        told.add(phase.kind() + " " + phase.secondsPerByte() + " " + bytes);
      }
    }
    return told;
  }

  /** Reads a trace in one of the formats. */
  interface Read {
    Object from(Path file) throws IOException;
  }

  /** Checks the rule of all formats: one error that names the file, the place and the problem. */
  static void refuses(Path file, Read read, String... said) {
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> read.from(file))
        .withMessageContaining(file.getFileName().toString())
        .satisfies(e -> assertThat(e.getMessage()).contains(said));
  }
}
