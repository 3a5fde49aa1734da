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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
      DatanodeID id = new DatanodeID("10.0.0.7", "n7", "uuid", 9866, 9864, 9865, 9867);
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
    assertThat(nodes.all()).isEmpty();
  }

  private static SlowNodeSettings settings(Path file, Mode hdfs) {
    return new SlowNodeSettings(Optional.ofNullable(file).map(Path::toString), hdfs);
  }

  @Test
  void nodesOfTheFileAreSlow() throws IOException {
    Path file = file("n1\n# n2 is repaired\n  n3 # fan\n\n");
    with(
        new Configuration(),
        settings(file, Mode.OFF),
        nodes -> {
          await().until(() -> !nodes.told().isEmpty());
          assertThat(nodes.told()).isEqualTo(Map.of("n1", BY_OPERATOR, "n3", BY_OPERATOR));
        });
  }

  @Test
  void fileIsReadAgainWhenItHasChanged() throws IOException {
    SlowNodeFile reader = new SlowNodeFile(file("n1\n").toString());
    assertThat(reader.hosts()).isEqualTo(Set.of("n1"));
    Path file = file("n2\n");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
    assertThat(reader.hosts()).isEqualTo(Set.of("n2"));
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
          assertThat(nodes.told()).isEmpty();
        });
  }

  @Test
  void nodesThatHdfsCallsSlowAreKnownByNameAndAddress() {
    with(
        hdfs("good"),
        settings(null, Mode.ON),
        nodes -> {
          await().until(() -> !nodes.told().isEmpty());
          assertThat(nodes.told()).isEqualTo(Map.of("n7", BY_HDFS, "10.0.0.7", BY_HDFS));
        });
  }

  @Test
  void observedNodesAreShownAndNotTold() {
    with(
        hdfs("good"),
        settings(null, Mode.OBSERVE),
        nodes -> {
          await().until(() -> !nodes.all().isEmpty());
          assertThat(nodes.told()).isEmpty();
        });
  }

  @Test
  void errorsOfHdfsCostNothingElse() throws IOException {
    Path file = file("n1");
    with(
        hdfs("broken"),
        settings(file, Mode.ON),
        nodes -> {
          await().until(() -> nodes.hdfsBreaker().failures() > 0 && !nodes.told().isEmpty());
          assertThat(nodes.told()).isEqualTo(Map.of("n1", BY_OPERATOR));
        });
    with(
        new Configuration(), // the local file system
        settings(null, Mode.ON),
        nodes -> {
          await().until(() -> nodes.hdfsBreaker().failures() > 0);
          assertThat(nodes.told()).isEmpty();
        });
  }

  @Test
  void settingsTakeEffectAtOnce() throws IOException {
    Path file = file("n1");
    with(
        hdfs("good"),
        settings(null, Mode.OFF),
        nodes -> {
          assertThat(nodes.all()).isEmpty();
          nodes.configure(settings(file, Mode.ON));
          await().until(() -> nodes.told().size() == 3);
          nodes.configure(settings(null, Mode.OFF));
          assertThat(nodes.all()).isEmpty();
        });
  }
}
