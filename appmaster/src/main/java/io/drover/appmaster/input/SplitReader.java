// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.input;

import io.drover.client.sampling.SampleBlock;
import io.drover.client.sampling.SampleBlock.Part;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.serializer.Deserializer;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.mapreduce.lib.input.CombineFileSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads which parts of which files the splits of a job are. Hadoop's AppMaster does not look at
 * that. It only tells a task where its split is in the file that the client has written.
 */
public final class SplitReader {
  private static final Logger LOG = LoggerFactory.getLogger(SplitReader.class);

  /** The host that object stores give, because their data is on no node. */
  private static final String NOWHERE = "localhost";

  /** An IPv4 address. YARN and HDFS know hosts by name, and so would count it as another host. */
  private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

  /** The splits of MultipleInputs, in both APIs. Each has another split in it. */
  private static final Set<String> WRAPPERS =
      Set.of(
          "org.apache.hadoop.mapreduce.lib.input.TaggedInputSplit",
          "org.apache.hadoop.mapred.lib.TaggedInputSplit");

  /** No split is longer; a place beyond it is damage. */
  private static final long MOST_BYTES = 64 << 20;

  private static final int BUFFER_BYTES = 64 << 10;

  private final Configuration conf;
  private final SerializationFactory serializations;
  private final Map<String, String> names = new HashMap<>();
  private final Set<String> unreadable = new HashSet<>();

  /**
   * Creates a reader.
   *
   * @param conf its class loader finds the classes of the splits
   */
  public SplitReader(Configuration conf) {
    this.conf = conf;
    this.serializations = new SerializationFactory(conf);
  }

  /**
   * Reads all splits. A split has no parts if the AppMaster does not know its class or cannot read
   * it.
   *
   * @throws IOException if the file of splits cannot be read, or ends before a split does
   */
  public List<SampleBlock> read(TaskSplitMetaInfo[] splits) throws IOException {
    List<SampleBlock> blocks = new ArrayList<>(splits.length);
    if (splits.length == 0) {
      return blocks;
    }
    Path file = new Path(splits[0].getSplitLocation());
    FileSystem files = file.getFileSystem(conf);
    long end = files.getFileStatus(file).getLen();
    try (FSDataInputStream stored = files.open(file)) {
      stored.seek(splits[0].getStartOffset());
      DataInputStream in = new DataInputStream(new BufferedInputStream(stored, BUFFER_BYTES));
      for (int i = 0; i < splits.length; i++) {
        TaskSplitMetaInfo split = splits[i];
        long to = i + 1 < splits.length ? splits[i + 1].getStartOffset() : end;
        List<Part> parts = parts(next(in, split.getStartOffset(), to));
        blocks.add(
            new SampleBlock(i, parts, split.getInputDataLength(), names(split.getLocations())));
      }
    }
    return blocks;
  }

  /** Returns whether a host that a split names may be one of the cluster. */
  public static boolean isHost(String host) {
    return !host.isEmpty() && !host.equals(NOWHERE);
  }

  /** Opens the file that a split is in. */
  FSDataInputStream open(TaskSplitMetaInfo split) throws IOException {
    Path file = new Path(split.getSplitLocation());
    return file.getFileSystem(conf).open(file);
  }

  /**
   * Reads one split.
   *
   * @param stored the file that it is in
   * @return the parts of files that it reads; none if its class does not tell
   * @throws IOException if it cannot be read, or takes more than {@value #BUFFER_BYTES} bytes
   */
  List<Part> parts(FSDataInputStream stored, TaskSplitMetaInfo split) throws IOException {
    byte[] bytes = new byte[BUFFER_BYTES];
    DataInputBuffer in = new DataInputBuffer();
    stored.seek(split.getStartOffset());
    in.reset(bytes, stored.readNBytes(bytes, 0, bytes.length)); // further splits come after it
    String type = Text.readString(in);
    try {
      return parts(deserialize(type, in));
    } catch (ReflectiveOperationException e) {
      throw new IOException("no object can be made of a split of " + type, e);
    }
  }

  /**
   * Reads the next split as it was written. Splits are in the file in the order of their numbers,
   * so all of them are read in large pieces: HDFS would open a connection for each read at a
   * position.
   */
  private static DataInputBuffer next(DataInputStream in, long from, long to) throws IOException {
    if (from < 0 || to < from || to - from > MOST_BYTES) {
      throw new IOException("a split cannot begin at %d and end at %d".formatted(from, to));
    }
    byte[] bytes = new byte[(int) (to - from)];
    in.readFully(bytes);
    DataInputBuffer split = new DataInputBuffer();
    split.reset(bytes, bytes.length);
    return split;
  }

  /** Returns the parts of a split; none if its class is not known or cannot be read here. */
  private List<Part> parts(DataInputBuffer split) {
    String type = "?";
    try {
      type = Text.readString(split);
      return unreadable.contains(type) ? List.of() : parts(deserialize(type, split));
    } catch (ReflectiveOperationException | IOException | LinkageError | RuntimeException e) {
      LOG.warn("It is not known which parts of files the job's splits of {} read", type, e);
      unreadable.add(type);
      return List.of();
    }
  }

  /** Returns hosts with names instead of addresses. */
  List<String> names(String... hosts) {
    return Stream.of(hosts)
        .map(
            host ->
                ADDRESS.matcher(host).matches() ? names.computeIfAbsent(host, this::name) : host)
        .toList();
  }

  /** Returns the name of an address, as Hadoop's TaskAttemptImpl.resolveHost finds it. */
  private String name(String address) {
    try {
      return InetAddress.getByName(address).getHostName();
    } catch (UnknownHostException e) {
      LOG.warn("The host {} of a split has no name, so no map will be local to it", address, e);
      return address;
    }
  }

  private Object deserialize(String type, InputStream in)
      throws IOException, ClassNotFoundException {
    return deserialize(conf.getClassByName(type), in);
  }

  private <T> T deserialize(Class<T> type, InputStream in) throws IOException {
    Deserializer<T> deserializer = serializations.getDeserializer(type);
    deserializer.open(in);
    return deserializer.deserialize(null);
  }

  private static List<Part> parts(Object split) throws ReflectiveOperationException {
    if (WRAPPERS.contains(split.getClass().getName())) {
      Method inner = split.getClass().getMethod("getInputSplit");
      inner.setAccessible(true); // the method is public, its class is not
      return parts(inner.invoke(split));
    }
    if (split instanceof FileSplit file) {
      return List.of(new Part(file.getPath().toString(), file.getStart(), file.getLength()));
    }
    if (split instanceof org.apache.hadoop.mapred.FileSplit file) {
      return List.of(new Part(file.getPath().toString(), file.getStart(), file.getLength()));
    }
    if (split instanceof CombineFileSplit combined) { // also the one of the old API
      return IntStream.range(0, combined.getNumPaths())
          .mapToObj(
              i ->
                  new Part(
                      combined.getPath(i).toString(), combined.getOffset(i), combined.getLength(i)))
          .toList();
    }
    return List.of();
  }
}
