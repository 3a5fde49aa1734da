// SPDX-License-Identifier: Apache-2.0
package io.drover.client.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drover.client.sampling.SampleBlock.Part;
import io.drover.client.sampling.SampleLineage.UsedBlock;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleLineageTest {
  private static final UsedBlock FIRST =
      new UsedBlock(
          new SampleBlock(
              1,
              List.of(new Part("hdfs://n/in/\u00e4 \"b\"", 0, 100), new Part("hdfs://n/c", 5, 1)),
              101,
              List.of("h1", "h2")),
          "h2",
          "attempt_1_0001_m_000003_1",
          2);

  private static final UsedBlock SECOND =
      new UsedBlock(
          new SampleBlock(4, List.of(), 1L << 40, List.of()), "", "attempt_1_0001_m_000000_0", 1);

  @TempDir private Path dir;

  private final Configuration conf = new Configuration();

  private static SampleLineage lineage() {
    return of(2, 9, FIRST, SECOND);
  }

  private static SampleLineage of(int needed, int total, UsedBlock... blocks) {
    return new SampleLineage(
        "job_1_0001", needed, total, true, List.of(blocks), List.of(1.25, 60.0, 7.5));
  }

  private static org.apache.hadoop.fs.Path path(Path file) {
    return new org.apache.hadoop.fs.Path(file.toUri());
  }

  private Path file() {
    return dir.resolve(SampleLineage.FILE);
  }

  private void assertNoRecord() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> SampleLineage.read(conf, path(dir)));
  }

  @Test
  void recordIsReadBackByItsDirectory() throws IOException {
    lineage().write(conf, path(dir));
    assertThat(SampleLineage.read(conf, path(dir))).isEqualTo(lineage());
    SampleLineage drawn = new SampleLineage("job_1_0002", 1, 1, false, List.of(SECOND), List.of());
    drawn.write(conf, path(dir)); // in place of the other
    assertThat(SampleLineage.read(conf, path(dir))).isEqualTo(drawn);
  }

  @Test
  void recordIsReadBackByItsFile() throws IOException {
    lineage().write(conf, path(dir));
    assertThat(SampleLineage.read(conf, path(file()))).isEqualTo(lineage());
    Path copy = dir.resolve("copy.json");
    Files.write(copy, lineage().toJson());
    assertThat(SampleLineage.read(conf, path(copy))).isEqualTo(lineage());
  }

  @Test
  void reducesOfALaterJobDoNotTakeTheRecordForInput() {
    assertThat(SampleLineage.FILE).startsWith("_");
  }

  @Test
  void missingRecordIsNamed() {
    assertThatExceptionOfType(FileNotFoundException.class)
        .isThrownBy(() -> SampleLineage.read(conf, path(dir)))
        .withMessageContaining(SampleLineage.FILE);
    assertThatExceptionOfType(FileNotFoundException.class)
        .isThrownBy(() -> SampleLineage.read(conf, path(dir.resolve("nowhere"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "[]", "{}", "{\"format\":2}", "{\"format\":1}", "no json"})
  void whatIsNoRecordIsRefused(String text) throws IOException {
    Files.writeString(file(), text);
    assertNoRecord();
  }

  @Test
  void recordWithWrongCountsIsRefused() throws IOException {
    String text = new String(lineage().toJson(), StandardCharsets.UTF_8);
    Files.writeString(file(), text.replace("\"needed\" : 2", "\"needed\" : 3"));
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> SampleLineage.read(conf, path(dir)))
        .withMessageContainingAll(SampleLineage.FILE, "not a record", "K = 3");
    Files.writeString(file(), text.replace("\"total\" : 9", "\"total\" : 1"));
    assertNoRecord();
    Files.writeString(file(), text.substring(0, text.length() / 2));
    assertNoRecord();
  }

  @Test
  void samplesOfOtherSizesThanKAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> of(2, 9, FIRST));
    assertThatIllegalArgumentException().isThrownBy(() -> of(0, 9));
    assertThatIllegalArgumentException().isThrownBy(() -> of(2, 1, FIRST, SECOND));
  }
}
