// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the history files in a directory and below. Each directory is listed by itself, since one
 * may belong to another user: those below the JobHistoryServer's intermediate directory do. None is
 * listed twice, wherever links lead. What is no regular file is passed over.
 */
final class HistoryWalk {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryWalk.class);

  private final FileSystem files;
  private final List<Path> found = new ArrayList<>();
  private final Deque<Path> open = new ArrayDeque<>();

  /** The real paths of local directories, since Hadoop follows links without telling. */
  private final Set<java.nio.file.Path> entered = new HashSet<>();

  /** Is told of a directory that cannot be listed. */
  interface Unlisted {
    void add(Path directory, IOException failure) throws IOException;
  }

  private HistoryWalk(FileSystem files) {
    this.files = files;
  }

  /** Returns the history files in a directory and below. */
  static List<Path> from(FileSystem files, Path directory, Unlisted unlisted) throws IOException {
    HistoryWalk walk = new HistoryWalk(files);
    walk.open.push(directory);
    while (!walk.open.isEmpty()) {
      Path next = walk.open.pop();
      try {
        walk.list(next);
      } catch (FileNotFoundException | NoSuchFileException e) {
        LOG.debug("{} is gone: a JobHistoryServer moves files and removes directories", next, e);
      } catch (IOException e) {
        unlisted.add(next, e);
      }
    }
    return walk.found;
  }

  private void list(Path directory) throws IOException {
    Optional<java.nio.file.Path> local = local(directory);
    if (local.isPresent() && !entered.add(local.get().toRealPath())) {
      return;
    }
    RemoteIterator<FileStatus> children = files.listStatusIterator(directory);
    while (children.hasNext()) {
      FileStatus child = children.next();
      String name = child.getPath().getName();
      if (child.isDirectory()) {
        open.push(child.getPath());
      } else if ((name.endsWith(".jhist") || name.endsWith(".jhist.gz"))
          && isRegular(child.getPath())) {
        found.add(child.getPath());
      }
    }
  }

  /**
   * Returns whether what is no directory is a regular file. Of local files, Hadoop says so of pipes
   * too, and reading one might never end.
   */
  static boolean isRegular(Path path) {
    return local(path).map(Files::isRegularFile).orElse(true);
  }

  private static Optional<java.nio.file.Path> local(Path path) {
    return "file".equals(path.toUri().getScheme())
        ? Optional.of(java.nio.file.Path.of(path.toUri().getPath()))
        : Optional.empty();
  }
}
