// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what was learnt in a directory. Each writing is a file of its own, renamed when it is
 * whole, and named by the epoch of its ResourceManager and a number: so that one that was thought
 * to be dead and writes once more does not take the place of what its successor knows. The newest
 * are kept.
 */
final class MemoryStore {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryStore.class);
  private static final String SUFFIX = ".json";
  private static final int KEPT = 3;
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);

  private final ObjectMapper json =
      new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
  private final FileSystem files;
  private final Path dir;
  private final long epoch;
  private long number;

  /**
   * A store; the directory is made if it is not there.
   *
   * @param epoch of the ResourceManager: larger than that of the one before it
   */
  MemoryStore(String dir, long epoch, Configuration conf) throws IOException {
    this.dir = new Path(dir);
    this.epoch = epoch;
    files = this.dir.getFileSystem(conf);
    files.mkdirs(this.dir, OWNER_ONLY);
  }

  /** Writes. */
  void write(Memory memory) throws IOException {
    number++;
    String name = String.format("%019d-%019d%s", epoch, number, SUFFIX);
    Path whole = new Path(dir, name);
    Path part = new Path(dir, name + ".part");
    try (OutputStream out = files.create(part, true)) {
      json.writeValue(out, memory);
    }
    if (!files.rename(part, whole)) {
      throw new IOException("could not rename " + part + " to " + whole);
    }
    List<Path> all = newestFirst();
    for (Path old : all.subList(Math.min(KEPT, all.size()), all.size())) {
      files.delete(old, false);
    }
  }

  /** The newest that can be read; one that cannot is passed over, with a warning. */
  Optional<Memory> read() throws IOException {
    for (Path file : newestFirst()) {
      try (InputStream in = files.open(file)) {
        return Optional.of(json.readValue(in, Memory.class));
      } catch (IOException e) {
        LOG.warn("What was learnt cannot be read from {}", file, e);
      }
    }
    return Optional.empty();
  }

  private List<Path> newestFirst() throws IOException {
    return Arrays.stream(files.listStatus(dir))
        .map(FileStatus::getPath)
        .filter(file -> file.getName().endsWith(SUFFIX))
        .sorted(Comparator.comparing(Path::getName).reversed())
        .toList();
  }
}
