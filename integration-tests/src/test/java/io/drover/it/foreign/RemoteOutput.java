// SPDX-License-Identifier: Apache-2.0
package io.drover.it.foreign;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptID;

/**
 * What one attempt of a map has for one reduce, in a directory of a shared file system. It stands
 * for a shuffle service: nothing of it is where Hadoop's shuffle would look.
 *
 * @param fs the file system
 * @param file where it is
 */
record RemoteOutput(FileSystem fs, Path file) {
  /** The key of the directory in a job's configuration. */
  static final String DIRECTORY = "drover.it.foreign.directory";

  private static final int END = -1;

  /** A key and its value, both serialized. */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  record Pair(byte[] key, byte[] value) {}

  static RemoteOutput of(Configuration conf, TaskAttemptID map, int reduce) throws IOException {
    Path directory = new Path(conf.get(DIRECTORY), map.getJobID().toString());
    Path file = new Path(directory, map + "/" + reduce);
    return new RemoteOutput(file.getFileSystem(conf), file);
  }

  void write(List<Pair> pairs) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (Pair pair : pairs) {
      out.writeInt(pair.key().length);
      out.write(pair.key());
      out.writeInt(pair.value().length);
      out.write(pair.value());
    }
    out.writeInt(END);
    try (DataOutputStream to = fs.create(file, false)) {
      bytes.writeTo(to);
    }
  }

  List<Pair> read() throws IOException {
    List<Pair> pairs = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(fs.open(file))) {
      for (int length = in.readInt(); length != END; length = in.readInt()) {
        byte[] key = in.readNBytes(length);
        pairs.add(new Pair(key, in.readNBytes(in.readInt())));
      }
    }
    return pairs;
  }
}
