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
import java.util.Locale;
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
 * Stores what was learnt in a directory. Each write creates a file, which is renamed when it is
 * complete. Its name is an epoch and a number, so that it sorts above all that were there when the
 * store was opened. The epoch is the ResourceManager's if it grows (with recovery that preserves
 * work). Then a ResourceManager that was thought to be dead and writes once more does not replace
 * what its successor knows. Otherwise the epoch is always 0, and only the number grows. The newest
 * {@value #KEPT} files are kept.
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

  /** Uses what was read. */
  interface Reader {
    /**
     * Uses a snapshot.
     *
     * @throws RuntimeException if the snapshot cannot be used and another one must be tried
     */
    void use(PersistedState state);
  }

  /**
   * Opens a store, and creates the directory if it does not exist.
   *
   * @param epoch of the ResourceManager: not smaller than that of the one before it
   */
  StateStore(String dir, long epoch, Configuration conf) throws IOException {
    this.dir = new Path(dir);
    files = this.dir.getFileSystem(conf);
    // Not only for speed: in safe mode HDFS refuses mkdirs even if the directory exists.
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

  /** Warns if others may write. A file system that cannot tell is used all the same. */
  private void warnOfOthers() {
    FsPermission permission;
    try {
      permission = files.getFileStatus(dir).getPermission();
    } catch (IOException | RuntimeException e) {
      LOG.debug("the permissions of {} are not known", dir, e);
      return;
    }
    if (permission.getGroupAction().implies(FsAction.WRITE)
        || permission.getOtherAction().implies(FsAction.WRITE)) {
      LOG.warn(
          "{} is writable by others ({}), who can change Drover's machine statistics",
          dir,
          permission);
    }
  }

  /** Returns one of the numbers in a file's name; -1 if the file is not a snapshot. */
  private static long part(Path file, int group) {
    Matcher matcher = NAME.matcher(file.getName());
    return matcher.matches() ? Long.parseLong(matcher.group(group)) : -1;
  }

  /** Returns the largest number of this epoch. */
  private long largestNumber() throws IOException {
    long largest = 0;
    for (Path file : newestFirst()) {
      if (part(file, 1) == epoch) {
        largest = Math.max(largest, part(file, 2));
      }
    }
    return largest;
  }

  /** Writes a snapshot, and deletes all but the newest ones. */
  void write(PersistedState state) throws IOException {
    number = Math.max(number, largestNumber()) + 1;
    String name = String.format(Locale.ROOT, "%019d-%019d%s", epoch, number, SUFFIX);
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
      files.delete(old.suffix(PART), false); // left by a writer that died
    }
  }

  /**
   * Lets a reader use the newest snapshot that it can. Others are skipped with a warning.
   *
   * @return whether one was used; false if there is none
   * @throws IOException if there are snapshots and none of them could be used
   */
  boolean read(Reader reader) throws IOException {
    IOException failure = null;
    for (Path file : newestFirst()) {
      try (InputStream in = files.open(file)) {
        reader.use(json.readValue(in, PersistedState.class));
        return true;
      } catch (IOException | RuntimeException e) {
        LOG.warn("Machine statistics cannot be read from {}", file, e);
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
