// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.client.sampling.SampleBlock;
import io.drover.client.sampling.SampleBlock.Part;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFileSystem;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.CombineFileSplit;
import org.apache.hadoop.mapreduce.lib.input.DelegatingInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.split.JobSplitWriter;
import org.apache.hadoop.mapreduce.split.SplitMetaInfoReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SplitReaderTest {
  private final Configuration conf = new Configuration();
  @TempDir private java.nio.file.Path directory;

  /** A split that a job wrote and an AppMaster cannot read. */
  public static final class Unreadable extends InputSplit implements Writable {
    @Override
    public long getLength() {
      return 7;
    }

    @Override
    public String[] getLocations() {
      return new String[] {"host-1"};
    }

    @Override
    public void write(DataOutput out) {}

    @Override
    public void readFields(DataInput in) throws IOException {
      throw new IOException("needs what only a task has");
    }
  }

  private TaskSplitMetaInfo[] write(InputSplit... splits) throws Exception {
    Path job = new Path(directory.toUri());
    FileSystem files = FileSystem.getLocal(conf);
    JobSplitWriter.createSplitFiles(job, conf, files, splits);
    return SplitMetaInfoReader.readSplitMetaInfo(new JobID("1", 1), files, conf, job);
  }

  private static FileSplit split(String... hosts) {
    return new FileSplit(new Path("hdfs://cluster/in"), 64, 32, hosts);
  }

  @Test
  void partsLengthsAndHostsAreTheSplits() throws Exception {
    assertThat(new SplitReader(conf).read(write(split("host-1", "host-2"))))
        .containsExactly(
            new SampleBlock(
                0,
                List.of(new Part("hdfs://cluster/in", 64, 32)),
                32,
                List.of("host-1", "host-2")));
  }

  @Test
  void hostsThatAreAddressesGetTheirNames() throws Exception {
    String name = InetAddress.getByName("127.0.0.1").getHostName();
    assertThat(new SplitReader(conf).read(write(split("127.0.0.1", "host-1"))).get(0).hosts())
        .containsExactly(name, "host-1");
  }

  @Test
  void aSplitThatCannotBeReadKeepsItsLengthAndHosts() throws Exception {
    assertThat(new SplitReader(conf).read(write(new Unreadable())))
        .containsExactly(new SampleBlock(0, List.of(), 7, List.of("host-1")));
  }

  @Test
  void aSplitThatCannotBeReadHidesNoneOfAnotherClass() throws Exception {
    List<SampleBlock> blocks =
        new SplitReader(conf).read(write(new Unreadable(), split("host-1"), new Unreadable()));
    assertThat(blocks).extracting(block -> block.parts().size()).containsExactly(0, 1, 0);
  }

  public static final class NoMapper extends Mapper<LongWritable, Text, LongWritable, Text> {}

  @Test
  void splitsOfSeveralInputsAreReadAsTheOnesInThem() throws Exception {
    Job job = Job.getInstance(conf);
    java.nio.file.Path in = Files.writeString(directory.resolve("in"), "a line\n");
    MultipleInputs.addInputPath(job, new Path(in.toUri()), TextInputFormat.class, NoMapper.class);
    List<InputSplit> splits = new DelegatingInputFormat<>().getSplits(job);
    assertThat(splits.get(0)).isNotInstanceOf(FileSplit.class);
    assertThat(new SplitReader(conf).read(write(splits.toArray(InputSplit[]::new))).get(0).parts())
        .containsExactly(new Part(new Path(in.toUri()).toString(), 0, 7));
  }

  /** A file system that counts reads. On HDFS each may cost a round trip. */
  public static final class CountedReads extends RawLocalFileSystem {
    private static final AtomicInteger READS = new AtomicInteger();

    @Override
    public FSDataInputStream open(Path file, int bufferSize) throws IOException {
      return new FSDataInputStream(new Counted(super.open(file, bufferSize)));
    }

    private static final class Counted extends FSInputStream {
      private final FSDataInputStream in;

      Counted(FSDataInputStream in) {
        this.in = in;
      }

      @Override
      public int read() throws IOException {
        READS.incrementAndGet();
        return in.read();
      }

      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        READS.incrementAndGet();
        return in.read(to, offset, length);
      }

      @Override
      public void seek(long position) throws IOException {
        in.seek(position);
      }

      @Override
      public long getPos() throws IOException {
        return in.getPos();
      }

      @Override
      public boolean seekToNewSource(long position) throws IOException {
        return in.seekToNewSource(position);
      }

      @Override
      public void close() throws IOException {
        in.close();
      }
    }
  }

  @Test
  void manySplitsAreReadInFewReads() throws Exception {
    FileSplit[] splits = new FileSplit[1000];
    for (int i = 0; i < splits.length; i++) {
      splits[i] = new FileSplit(new Path("hdfs://cluster/in-" + i), i, 32, new String[] {"host-1"});
    }
    TaskSplitMetaInfo[] written = write(splits);
    Configuration counted = new Configuration(conf);
    counted.setClass("fs.file.impl", CountedReads.class, FileSystem.class);
    counted.setBoolean("fs.file.impl.disable.cache", true);
    List<SampleBlock> blocks = new SplitReader(counted).read(written);
    for (int i = 0; i < splits.length; i++) {
      assertThat(blocks.get(i).parts()).containsExactly(new Part("hdfs://cluster/in-" + i, i, 32));
    }
    assertThat(CountedReads.READS).hasPositiveValue().hasValueLessThan(20);
  }

  @Test
  void oneSplitIsReadAmongOthers() throws Exception {
    TaskSplitMetaInfo[] splits = write(new Unreadable(), split("host-1"), new Unreadable());
    SplitReader reader = new SplitReader(conf);
    try (FSDataInputStream stored = reader.open(splits[0])) {
      assertThat(reader.parts(stored, splits[1]))
          .containsExactly(new Part("hdfs://cluster/in", 64, 32));
      assertThatThrownBy(() -> reader.parts(stored, splits[0]))
          .hasMessageContaining("only a task has");
      assertThat(reader.parts(stored, splits[1])).as("after that").hasSize(1);
    }
  }

  @Test
  void oneSplitOfVeryManyFilesIsNotRead() throws Exception {
    Path[] files = new Path[2000];
    Arrays.setAll(files, i -> new Path("hdfs://cluster/one-of-many-files-" + i));
    long[] lengths = new long[files.length];
    TaskSplitMetaInfo[] splits = write(new CombineFileSplit(files, lengths));
    SplitReader reader = new SplitReader(conf);
    try (FSDataInputStream stored = reader.open(splits[0])) {
      assertThatThrownBy(() -> reader.parts(stored, splits[0])).isInstanceOf(IOException.class);
    }
    assertThat(reader.read(splits).get(0).parts()).as("with all").hasSize(files.length);
  }

  @Test
  void aFileOfSplitsThatEndsEarlyIsAnError() throws Exception {
    TaskSplitMetaInfo[] splits = write(split("host-1"), split("host-2"));
    Path file = new Path(splits[0].getSplitLocation());
    FileSystem files = FileSystem.getLocal(conf).getRawFileSystem();
    files.truncate(file, splits[1].getStartOffset() - 1);
    FileSystem.getLocal(conf)
        .delete(((ChecksumFileSystem) FileSystem.getLocal(conf)).getChecksumFile(file), false);
    assertThatThrownBy(() -> new SplitReader(conf).read(splits)).isInstanceOf(IOException.class);
  }

  @Test
  void aFileOfSplitsThatIsGoneIsAnError() throws Exception {
    TaskSplitMetaInfo[] splits = write(split("host-1"));
    FileSystem.getLocal(conf).delete(new Path(splits[0].getSplitLocation()), false);
    assertThatThrownBy(() -> new SplitReader(conf).read(splits))
        .isInstanceOf(FileNotFoundException.class);
  }
}
