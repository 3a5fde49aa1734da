// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import io.drover.client.sampling.SampleBlock;
import io.drover.client.sampling.SampleBlock.Part;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
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
final class SplitReader {
  private static final Logger LOG = LoggerFactory.getLogger(SplitReader.class);

  /** An IPv4 address. YARN and HDFS know hosts by name, and so would count it as another host. */
  private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

  private final Configuration conf;
  private final SerializationFactory serializations;
  private final Map<String, String> names = new HashMap<>();

  /**
   * Creates a reader.
   *
   * @param conf its class loader finds the classes of the splits
   */
  SplitReader(Configuration conf) {
    this.conf = conf;
    this.serializations = new SerializationFactory(conf);
  }

  /**
   * Reads all splits. A split has no parts if the AppMaster does not know its class or cannot read
   * it.
   *
   * @throws IOException if the file of splits cannot be opened, or has an end before a split's
   *     place
   */
  List<SampleBlock> read(TaskSplitMetaInfo[] splits) throws IOException {
    List<SampleBlock> blocks = new ArrayList<>(splits.length);
    if (splits.length == 0) {
      return blocks;
    }
    Path file = new Path(splits[0].getSplitLocation());
    boolean readable = true;
    try (FSDataInputStream in = file.getFileSystem(conf).open(file)) {
      for (int i = 0; i < splits.length; i++) {
        TaskSplitMetaInfo split = splits[i];
        List<Part> parts = List.of();
        if (readable) {
          in.seek(split.getStartOffset());
          try {
            parts = parts(deserialize(in));
          } catch (ClassNotFoundException | IOException | LinkageError | RuntimeException e) {
            LOG.warn("It is not known which parts of files the job's splits read", e);
            readable = false; // the others are most likely of the same class
          }
        }
        blocks.add(new SampleBlock(i, parts, split.getInputDataLength(), hosts(split)));
      }
    }
    return blocks;
  }

  private List<String> hosts(TaskSplitMetaInfo split) {
    return Stream.of(split.getLocations())
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

  private Object deserialize(FSDataInputStream in) throws IOException, ClassNotFoundException {
    return deserialize(conf.getClassByName(Text.readString(in)), in);
  }

  private <T> T deserialize(Class<T> type, FSDataInputStream in) throws IOException {
    Deserializer<T> deserializer = serializations.getDeserializer(type);
    deserializer.open(in); // and not closed, because that would close the stream
    return deserializer.deserialize(null);
  }

  private static List<Part> parts(Object split) {
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
