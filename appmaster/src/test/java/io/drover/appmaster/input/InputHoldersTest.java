// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.speculator.Breakers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.io.serializer.WritableSerialization;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.lib.input.CombineFileSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.split.JobSplitWriter;
import org.apache.hadoop.mapreduce.split.SplitMetaInfoReader;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputHoldersTest {
  private static final String[] NAMED = {"a"};

  /** A file system with blocks of 100 bytes: on a and b, on b and c, and so on. */
  public static final class Blocks extends RawLocalFileSystem {
    private static final AtomicInteger OPENED = new AtomicInteger();

    @Override
    public FSDataInputStream open(Path file, int bufferSize) throws IOException {
      OPENED.incrementAndGet();
      return super.open(file, bufferSize);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(Path file, long start, long length)
        throws IOException {
      switch (file.getName()) {
        case "gone" -> throw new IOException("on purpose");
        case "broken" -> throw new AssertionError("on purpose");
        default -> {}
      }
      int first = (int) (start / 100);
      BlockLocation[] blocks = new BlockLocation[(int) ((start + length - 1) / 100) - first + 1];
      for (int i = 0; i < blocks.length; i++) {
        String[] hosts = {host(first + i), host(first + i + 1)};
        blocks[i] = new BlockLocation(hosts, hosts, (first + i) * 100L, 100);
      }
      return blocks;
    }

    private static String host(int number) {
      return Character.toString('a' + number);
    }
  }

  private final TaskId map =
      MRBuilderUtils.newTaskId(
          MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1), 0, TaskType.MAP);
  private final Configuration conf = new Configuration();
  private InputHolders holders;
  @TempDir private java.nio.file.Path directory;

  @BeforeEach
  void create() {
    conf.setClass("fs.file.impl", Blocks.class, FileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    holders = holders(true, Runnable::run);
  }

  private InputHolders holders(boolean isUseful, Executor thread) {
    ClassLoader classes = InputHoldersTest.class.getClassLoader();
    return new InputHolders(conf, classes, () -> isUseful, Breakers.uncounted(), thread);
  }

  private void lookUp(InputSplit split) throws Exception {
    Path job = new Path(directory.toUri());
    FileSystem files = FileSystem.getLocal(new Configuration());
    JobSplitWriter.createSplitFiles(job, new Configuration(), files, List.of(split));
    TaskSplitMetaInfo[] written =
        SplitMetaInfoReader.readSplitMetaInfo(new JobID("1", 1), files, conf, job);
    holders.lookUp(map, written[0]);
  }

  private static FileSplit split(String name, long start, long length) {
    return new FileSplit(new Path("file:///" + name), start, length, NAMED);
  }

  @Test
  void allHoldersOfABlockAreFoundNotOnlyTheNamedOne() throws Exception {
    assertThat(holders.of(map)).isEmpty();
    lookUp(split("in", 0, 100));
    assertThat(holders.of(map)).containsExactlyInAnyOrder("a", "b");
    assertThat(holders.news()).containsExactly(map);
    assertThat(holders.news()).as("once").isEmpty();
  }

  @Test
  void whoHoldsLittleOfASplitDoesNotCount() throws Exception {
    lookUp(split("in", 90, 110)); // 10 bytes on a and b, 100 on b and c
    assertThat(holders.of(map)).containsExactlyInAnyOrder("b", "c");
  }

  @Test
  void partsOfSeveralFilesAreAddedUp() throws Exception {
    Path[] files = {new Path("file:///in-1"), new Path("file:///in-2")};
    lookUp(new CombineFileSplit(files, new long[] {0, 150}, new long[] {100, 50}, NAMED));
    assertThat(holders.of(map)).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void lastAnswerCounts() throws Exception {
    lookUp(split("in", 0, 100));
    lookUp(split("in", 300, 100));
    assertThat(holders.of(map)).containsExactlyInAnyOrder("d", "e");
  }

  @Test
  void nothingIsKnownOfAFileThatCannotBeAskedFor() throws Exception {
    lookUp(split("gone", 0, 100));
    lookUp(split("broken", 0, 100));
    assertThat(holders.of(map)).isEmpty();
    assertThat(holders.news()).isEmpty();
  }

  @Test
  void nobodyIsAskedAboutASplitOfVeryManyParts() throws Exception {
    Path[] files = new Path[17];
    Arrays.fill(files, new Path("file:///broken"));
    lookUp(new CombineFileSplit(files, new long[17], new long[17], NAMED));
    assertThat(holders.news()).as("no error").containsExactly(map);
    assertThat(holders.of(map)).isEmpty();
  }

  @Test
  void splitsAreOpenedOnceForMapsThatRunAgainTogether() throws Exception {
    List<Runnable> work = new ArrayList<>();
    holders = holders(true, work::add);
    lookUp(split("in", 0, 100));
    lookUp(split("in", 0, 100));
    Blocks.OPENED.set(0);
    work.forEach(Runnable::run);
    assertThat(Blocks.OPENED).hasValue(1);
    assertThat(holders.news()).hasSize(2);
  }

  @Test
  void nobodyIsAskedIfItDoesNotMatter() throws Exception {
    holders = holders(false, Runnable::run);
    lookUp(split("in", 0, 100));
    assertThat(holders.of(map)).isEmpty();
  }

  /** A job's own serializations may fail; the AppMaster goes on without the answer. */
  @Test
  void serializationsThatCannotBeMadeAreContained() throws Exception {
    conf.set("io.serializations", Broken.class.getName());
    lookUp(split("in", 0, 100));
    assertThat(holders.of(map)).isEmpty();
  }

  /** A serialization that cannot be made. */
  public static final class Broken extends WritableSerialization {
    public Broken() {
      throw new AssertionError("on purpose");
    }
  }
}
