// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.drover.core.config.Mode;
import io.drover.core.config.SlowNodeSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowNodesTest {
  private static final String BY_OPERATOR = "named by an operator";
  private static final String BY_HDFS = "slow as a DataNode, by HDFS";

  /** The cluster, by the names of its NodeManagers. */
  private static final MachineNames CLUSTER =
      new MachineNames(List.of("n1", "n2", "n3.example.com", "N7.example.com", "localhost"));

  @TempDir Path dir;

  /** HDFS, as far as it is asked. */
  public static final class SlowHdfs extends DistributedFileSystem {
    private URI uri;

    @Override
    public void initialize(URI name, Configuration conf) {
      setConf(conf);
      uri = name;
    }

    @Override
    public URI getUri() {
      return uri;
    }

    @Override
    public DatanodeInfo[] getSlowDatanodeStats() throws IOException {
      if (uri.getHost().equals("broken")) {
        throw new IOException("connection refused");
      }
      DatanodeID id = new DatanodeID("127.0.0.1", "n7.Example.com", "uuid", 9866, 9864, 9865, 9867);
      return new DatanodeInfo[] {new DatanodeInfo.DatanodeInfoBuilder().setNodeID(id).build()};
    }

    @Override
    public void close() {
      // it was not opened
    }
  }

  private static Configuration hdfs(String host) {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "slow://" + host);
    conf.setClass("fs.slow.impl", SlowHdfs.class, DistributedFileSystem.class);
    return conf;
  }

  private Path file(String text) throws IOException {
    return Files.writeString(dir.resolve("slow-nodes"), text);
  }

  private static void with(
      Configuration conf, SlowNodeSettings settings, Consumer<SlowNodes> test) {
    SlowNodes nodes = new SlowNodes(System::nanoTime);
    nodes.configure(settings);
    nodes.start(conf);
    try {
      test.accept(nodes);
    } finally {
      nodes.stop();
    }
    assertThat(nodes.isAnyNamed()).isFalse();
    assertThat(nodes.all(CLUSTER)).isEmpty();
  }

  private static SlowNodeSettings settings(Path file, Mode hdfs) {
    return new SlowNodeSettings(Optional.ofNullable(file).map(Path::toString), hdfs, Mode.OFF);
  }

  @Test
  void nodesOfTheFileAreSlow() throws IOException {
    Path file = file("n1\n# n2 is repaired\n  n3 # fan\n\nn9\n");
    with(
        new Configuration(),
        settings(file, Mode.OFF),
        nodes -> {
          await().until(() -> !nodes.told(CLUSTER).isEmpty());
          assertThat(nodes.told(CLUSTER))
              .isEqualTo(Map.of("n1", BY_OPERATOR, "n3.example.com", BY_OPERATOR));
          assertThat(nodes.all(CLUSTER))
              .isEqualTo(
                  Map.of("n1", BY_OPERATOR, "n3.example.com", BY_OPERATOR, "n9", BY_OPERATOR));
        });
  }

  @Test
  void fileIsReadAgainWhenItHasChanged() throws IOException {
    SlowNodeFile reader = new SlowNodeFile(file("n1\n").toString());
    assertThat(reader.hosts()).isEqualTo(Map.of("n1", Set.of("n1")));
    Path file = file("n2\n");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
    assertThat(reader.hosts()).isEqualTo(Map.of("n2", Set.of("n2")));
    file("");
    assertThat(reader.hosts()).isEmpty();
    Files.delete(file);
    assertThatThrownBy(reader::hosts).isInstanceOf(IOException.class);
  }

  @Test
  void fileThatIsMuchTooLongIsNotRead() throws IOException {
    Path file = file("n".repeat(4_000_001));
    assertThatThrownBy(() -> new SlowNodeFile(file.toString()).hosts())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is longer than 4000000 bytes");
  }

  @Test
  void missingFileIsAFailureAndNothingElse() {
    with(
        new Configuration(),
        settings(dir.resolve("missing"), Mode.OFF),
        nodes -> {
          await().until(() -> nodes.fileBreaker().failures() > 0);
          assertThat(nodes.told(CLUSTER)).isEmpty();
        });
  }

  @Test
  void nodesThatHdfsCallsSlowAreKnownByTheirNameOrElseByThatOfTheirAddress() {
    with(
        hdfs("good"),
        settings(null, Mode.ON),
        nodes -> {
          await().until(() -> !nodes.told(CLUSTER).isEmpty());
          assertThat(nodes.told(CLUSTER)).isEqualTo(Map.of("N7.example.com", BY_HDFS));
          MachineNames other = new MachineNames(List.of("n1", "localhost"));
          assertThat(nodes.told(other)).isEqualTo(Map.of("localhost", BY_HDFS));
        });
  }

  @Test
  void observedNodesAreShownAndNotTold() {
    with(
        hdfs("good"),
        settings(null, Mode.OBSERVE),
        nodes -> {
          await().until(() -> !nodes.all(CLUSTER).isEmpty());
          assertThat(nodes.told(CLUSTER)).isEmpty();
        });
  }

  @Test
  void errorsOfHdfsCostNothingElse() throws IOException {
    Path file = file("n1");
    with(
        hdfs("broken"),
        settings(file, Mode.ON),
        nodes -> {
          await().until(() -> nodes.hdfsBreaker().failures() > 0 && !nodes.told(CLUSTER).isEmpty());
          assertThat(nodes.told(CLUSTER)).isEqualTo(Map.of("n1", BY_OPERATOR));
        });
    with(
        new Configuration(), // the local file system
        settings(null, Mode.ON),
        nodes -> {
          await().until(() -> nodes.hdfsBreaker().failures() > 0);
          assertThat(nodes.told(CLUSTER)).isEmpty();
        });
  }

  /** A file system may hang for long, and what was slow before may have been mended. */
  @Test
  void answerHoldsForHalfAnHourAtMost() throws IOException {
    AtomicLong nanos = new AtomicLong();
    SlowNodes nodes = new SlowNodes(nanos::get);
    nodes.configure(settings(null, Mode.ON));
    nodes.start(hdfs("good"));
    try {
      await().until(nodes::isAnyNamed);
      nanos.addAndGet(Duration.ofMinutes(29).toNanos());
      assertThat(nodes.told(CLUSTER)).hasSize(1);
      nanos.addAndGet(Duration.ofMinutes(1).toNanos());
      assertThat(nodes.isAnyNamed()).isFalse();
      assertThat(nodes.told(CLUSTER)).isEmpty();
    } finally {
      nodes.stop();
    }
  }

  @Test
  void settingsTakeEffectAtOnce() throws IOException {
    Path file = file("n1");
    with(
        hdfs("good"),
        settings(null, Mode.OFF),
        nodes -> {
          assertThat(nodes.all(CLUSTER)).isEmpty();
          nodes.configure(settings(file, Mode.ON));
          await().until(() -> nodes.told(CLUSTER).size() == 2);
          nodes.configure(settings(null, Mode.OFF));
          assertThat(nodes.all(CLUSTER)).isEmpty();
        });
  }
}
