// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFilesTest {
  @TempDir Path dir;

  private static String text(Path file) throws TraceException {
    return TraceFiles.read(file, BufferedReader::readLine);
  }

  @Test
  void gzipIsToldByTheBytesAndNotByTheName() throws IOException {
    Path packed = Files.write(dir.resolve("trace.tsv"), Traces.gzip("märz\n"));
    Path plain = Files.writeString(dir.resolve("trace.gz"), "märz\n");
    assertThat(text(packed)).isEqualTo("märz");
    assertThat(text(plain)).isEqualTo("märz");
  }

  @Test
  void emptyFileIsEmptyText() throws IOException {
    assertThat(text(Files.writeString(dir.resolve("a.tsv"), ""))).isNull();
  }

  @Test
  void gzipThatIsCutOffIsAnError() throws IOException {
    byte[] whole = Traces.gzip("a line of a trace\n".repeat(50));
    for (int length : new int[] {2, 9, 20, whole.length - 1}) {
      Path file = Files.write(dir.resolve("cut.gz"), Arrays.copyOf(whole, length));
      Traces.refuses(
          file, f -> TraceFiles.read(f, t -> t.lines().count()), "cut off", "complete copy");
    }
  }

  @Test
  void damagedGzipIsAnError() throws IOException {
    byte[] bytes = Traces.gzip("a line of a trace\n".repeat(50));
    bytes[bytes.length - 6] ^= 0x55; // the checksum
    Path file = Files.write(dir.resolve("damaged.gz"), bytes);
    Traces.refuses(
        file, f -> TraceFiles.read(f, t -> t.readLine() + t.read() + rest(t)), "damaged");
  }

  private static String rest(BufferedReader text) throws IOException {
    StringBuilder rest = new StringBuilder();
    for (String line = text.readLine(); line != null; line = text.readLine()) {
      rest.append(line);
    }
    return rest.toString();
  }

  @Test
  void whatIsNotTextIsAnError() throws IOException {
    Path file = Files.write(dir.resolve("binary"), new byte[] {65, (byte) 0xC3, 40, 10});
    Traces.refuses(file, TraceFilesTest::text, "not text", "UTF-8");
  }

  @Test
  void fileThatIsNotThereIsAnError() {
    Traces.refuses(dir.resolve("none.tsv"), TraceFilesTest::text, "no such file");
  }

  @Test
  void folderIsAnError() {
    Traces.refuses(dir, TraceFilesTest::text, "cannot be read");
  }
}
