// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.testbed.job.DemoJobSpec.SampleSpec;
import io.drover.testbed.job.SampleRun.Lineage;
import io.drover.testbed.job.SampleRun.OutputChoice;
import io.drover.testbed.job.SampleRun.Read;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleRunTest {
  private static final List<String> LOG =
      List.of(
          "{\"type\":\"blockBound\",\"block\":3,\"nearness\":\"machine\",\"waited\":0.0}",
          "{\"type\":\"blockBound\",\"block\":5,\"nearness\":\"rack\",\"waited\":3.1}",
          "{\"type\":\"outputsChosen\",\"needed\":2,\"maps\":3,\"done\":2,\"racks\":2,"
              + "\"busiestLinkSeconds\":0.5,\"lowerBoundSeconds\":0.4,\"crossRackBytes\":900,"
              + "\"reason\":\"no_gain\"}",
          "{\"type\":\"blockBo");

  @TempDir private java.nio.file.Path directory;

  @Test
  void theLongestWaitAndTheChoiceAreThoseOfTheDecisionLog() {
    assertThat(SampleRun.longestWait(LOG)).contains(Duration.ofMillis(3100));
    assertThat(SampleRun.choice(LOG)).contains(new OutputChoice(3, 2, 2, "no_gain", 0.5, 0.4, 900));
  }

  @Test
  void stockHadoopLogsNeither() {
    assertThat(SampleRun.longestWait(List.of())).isEmpty();
    assertThat(SampleRun.choice(List.of())).isEmpty();
  }

  @Test
  void anAttemptWhoseOutputCountsSpeaksForItsBlock() {
    Read leftOut = new Read(1, "a", "n1", BlockLocality.RACK, false);
    Read used = new Read(1, "b", "n2", BlockLocality.MACHINE, true);
    SampleRun run =
        new SampleRun(
            new SampleSpec(1, 0.5, 1, OptionalLong.empty()),
            4,
            Map.of(),
            OptionalLong.empty(),
            List.of("n1", "n2"),
            List.of(leftOut, used),
            Optional.empty(),
            Optional.empty());

    assertThat(run.of(1)).contains(used);
    assertThat(run.of(0)).isEmpty();
    assertThat(run.count(BlockLocality.MACHINE)).isEqualTo(1);
    assertThat(run.count(BlockLocality.RACK)).isZero();
    assertThat(run.maps()).isEqualTo(1);
  }

  @Test
  void theRecordNamesTheFileOfEachAttempt() throws Exception {
    record("a", "/in/text-03", "b", "/in/text-07");

    assertThat(lineage(2, 9).files())
        .isEqualTo(Map.of("a", new Path("/in/text-03"), "b", new Path("/in/text-07")));
  }

  @Test
  void aRecordOfOtherBlocksThanAskedForIsRefused() throws Exception {
    assertThatThrownBy(() -> lineage(2, 9)).hasMessage("the job left no record of its sample");
    record("a", "/in/text-03", "b", "/in/text-03");
    assertThatThrownBy(() -> lineage(2, 9))
        .isInstanceOf(IOException.class)
        .hasMessage("the record does not name 2 of 9 blocks");
    record("a", "/in/text-03", "b", "/in/text-07");
    assertThatThrownBy(() -> lineage(3, 9)).hasMessageContaining("3 of 9");
    assertThatThrownBy(() -> lineage(2, 8)).hasMessageContaining("2 of 8");
  }

  private Lineage lineage(int needed, int total) throws IOException {
    FileSystem local = FileSystem.getLocal(new Configuration(false)).getRaw();
    return Lineage.read(local, new Path(directory.toUri()), needed, total);
  }

  private void record(String attempt, String file, String other, String otherFile)
      throws IOException {
    String block = "{\"parts\": [{\"file\": \"%s\"}], \"attempt\": \"%s\"}";
    String json =
        "{\"total\": 9, \"blocks\": [%s, %s]}"
            .formatted(block.formatted(file, attempt), block.formatted(otherFile, other));
    Files.writeString(directory.resolve("_drover_sample.json"), json);
  }
}
