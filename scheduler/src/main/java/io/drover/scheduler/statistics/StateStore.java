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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores what was learnt in a directory. Each writing is a file of its own, renamed when it is
 * whole, and named by an epoch and a number, so that it sorts above all that were there when the
 * store was opened. The epoch is that of the ResourceManager, where it has one that grows (with
 * recovery that preserves work): then one that was thought to be dead and writes once more does not
 * take the place of what its successor knows. Without, it is always 0, and only the number grows.
 * The newest are kept.
 */
final class StateStore {
  private static final Logger LOG = LoggerFactory.getLogger(StateStore.class);
  private static final String SUFFIX = ".json";
  private static final String PART = ".part";
  private static final int KEPT = 3;
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);
  private static final Pattern NAME = Pattern.compile("(\\d{19})-(\\d{19})\\" + SUFFIX);

  private final ObjectMapper json =
      new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
  private final FileSystem files;
  private final Path dir;
  private final long epoch;
  private long number;

  /** What can be done with something that was read. */
  interface Reader {
    /**
     * Uses it.
     *
     * @throws RuntimeException if it is of no use, and another one is to be tried
     */
    void use(PersistedState state);
  }

  /**
   * A store; the directory is made if it is not there.
   *
   * @param epoch of the ResourceManager: not smaller than that of the one before it
   */
  StateStore(String dir, long epoch, Configuration conf) throws IOException {
    this.dir = new Path(dir);
    files = this.dir.getFileSystem(conf);
    // Not only for speed: in safe mode HDFS makes none, also if it is there, but can be read.
    if (files.exists(this.dir)) {
      warnOfOthers();
    } else {
      files.mkdirs(this.dir, OWNER_ONLY);
    }
    long newest = epoch;
    for (Path file : newestFirst()) {
      newest = Math.max(newest, part(file, 1));
    }
    this.epoch = newest;
    this.number = largestNumber();
  }

  /** Not every file system can say, and it is no reason to keep nothing. */
  private void warnOfOthers() {
    FsPermission permission;
    try {
      permission = files.getFileStatus(dir).getPermission();
    } catch (IOException | RuntimeException e) {
      LOG.debug("who may write into {} is not known", dir, e);
      return;
    }
    if (permission.getGroupAction().implies(FsAction.WRITE)
        || permission.getOtherAction().implies(FsAction.WRITE)) {
      LOG.warn(
          "{} can be written by others ({}), who can so change what is thought of machines",
          dir,
          permission);
    }
  }

  /** A part of a file's name; -1 if it is none of ours. */
  private static long part(Path file, int group) {
    Matcher matcher = NAME.matcher(file.getName());
    return matcher.matches() ? Long.parseLong(matcher.group(group)) : -1;
  }

  /** Of our epoch. */
  private long largestNumber() throws IOException {
    long largest = 0;
    for (Path file : newestFirst()) {
      if (part(file, 1) == epoch) {
        largest = Math.max(largest, part(file, 2));
      }
    }
    return largest;
  }

  /** Writes. */
  void write(PersistedState state) throws IOException {
    number = Math.max(number, largestNumber()) + 1;
    String name = String.format("%019d-%019d%s", epoch, number, SUFFIX);
    Path whole = new Path(dir, name);
    Path part = new Path(dir, name + PART);
    try (OutputStream out = files.create(part, true)) {
      json.writeValue(out, state);
    }
    if (!files.rename(part, whole)) {
      throw new IOException("could not rename " + part + " to " + whole);
    }
    List<Path> all = newestFirst();
    for (Path old : all.subList(Math.min(KEPT, all.size()), all.size())) {
      files.delete(old, false);
      files.delete(old.suffix(PART), false); // of one that ended while it wrote
    }
  }

  /**
   * Has the newest used that can be; those that cannot are passed over, with a warning.
   *
   * @return whether one was used; false if there is none
   * @throws IOException if there are some, and none of them could be used
   */
  boolean read(Reader reader) throws IOException {
    IOException failure = null;
    for (Path file : newestFirst()) {
      try (InputStream in = files.open(file)) {
        reader.use(json.readValue(in, PersistedState.class));
        return true;
      } catch (IOException | RuntimeException e) {
        LOG.warn("What was learnt cannot be read from {}", file, e);
        failure = new IOException("none of the snapshots in " + dir + " can be read", e);
      }
    }
    if (failure != null) {
      throw failure;
    }
    return false;
  }

  private List<Path> newestFirst() throws IOException {
    return Arrays.stream(files.listStatus(dir))
        .map(FileStatus::getPath)
        .filter(file -> NAME.matcher(file.getName()).matches())
        .sorted(Comparator.comparing(Path::getName).reversed())
        .toList();
  }
}
