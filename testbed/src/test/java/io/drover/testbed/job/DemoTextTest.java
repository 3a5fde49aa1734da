// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.testbed.job.DemoJobSpec.DemoWorkload;
import io.drover.testbed.job.DemoText.InputTexts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTextTest {
  @TempDir Path directory;

  @Test
  void aShortTextIsRepeatedInWholeLines() throws IOException {
    Path file = Files.writeString(directory.resolve("a.txt"), "one two\n\ntwo three\r\n");
    DemoJobSpec.Builder spec = DemoJobSpec.of(Scenario.NONE).with().input(file);

    for (DemoWorkload workload : DemoWorkload.values()) {
      DemoText text = DemoText.of(spec.workload(workload).build(), new InputTexts());
      DemoText.Part part = text.take(30);
      assertThat(new String(part.content(), StandardCharsets.UTF_8))
          .isEqualTo("one two\ntwo three\none two\ntwo three\n");
      assertThat(part.records())
          .isEqualTo(
              switch (workload) {
                case WORD_COUNT -> 3;
                case LINE_COUNT -> 1;
                case SORT, FAST_WORD_COUNT, TERA_SORT -> 4;
              });
    }
  }

  @Test
  void theSameFilesGiveTheSameText() throws IOException {
    Files.writeString(directory.resolve("b.txt"), "second\n");
    Files.writeString(directory.resolve("a.txt"), "first\n");
    DemoJobSpec spec = DemoJobSpec.of(Scenario.NONE).with().input(directory).build();

    byte[] once = DemoText.of(spec, new InputTexts()).take(100).content();

    assertThat(once).startsWith("first\nsecond\nfirst\n".getBytes(StandardCharsets.UTF_8));
    assertThat(DemoText.of(spec, new InputTexts()).take(100).content()).isEqualTo(once);
  }

  @Test
  void whatIsInstalledMeanwhileChangesNoText() throws IOException {
    Files.writeString(directory.resolve("b.txt"), "first\n");
    DemoJobSpec spec = DemoJobSpec.of(Scenario.NONE).with().input(directory).build();
    InputTexts texts = new InputTexts();
    byte[] before = DemoText.of(spec, texts).take(100).content();

    Files.writeString(directory.resolve("a.txt"), "new\n");

    assertThat(DemoText.of(spec, texts).take(100).content()).isEqualTo(before);
    assertThat(DemoText.of(spec, new InputTexts()).take(100).content()).isNotEqualTo(before);
  }

  @Test
  void withoutInputThereIsTextOnThisMachine() throws IOException {
    DemoText.Part part = DemoText.of(DemoJobSpec.of(Scenario.NONE), new InputTexts()).take(100_000);

    assertThat(part.content().length).isBetween(100_000, 102_000);
    assertThat(part.records()).isGreaterThan(1000);
  }

  @Test
  void aMissingInputIsNamed() {
    DemoJobSpec spec =
        DemoJobSpec.of(Scenario.NONE).with().input(directory.resolve("gone")).build();
    assertThatThrownBy(() -> DemoText.of(spec, new InputTexts()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("gone");
  }
}
