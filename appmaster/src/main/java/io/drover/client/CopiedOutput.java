// SPDX-License-Identifier: Apache-2.0
package io.drover.client;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileAlreadyExistsException;
import org.apache.hadoop.mapred.InvalidJobConfException;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The output directory of a job in several copies, and beside it one directory for each copy:
 * {@code _<name>.drover-copy-<number>-<run>}. Jobs that read a whole directory skip names that
 * begin with an underscore. The run is a random number, so that nobody stumbles over what a killed
 * client has left. The directories lie side by side, so that a rename changes only the name: quota,
 * encryption zone and file system are the same.
 */
final class CopiedOutput {
  private static final Logger LOG = LoggerFactory.getLogger(CopiedOutput.class);

  /** File systems in which a directory is renamed in one step, however much is in it. */
  private static final List<String> RENAME_IN_ONE_STEP =
      List.of("hdfs", "webhdfs", "swebhdfs", "file");

  private final Configuration conf;
  private final FileSystem files;
  private final Path place;
  private final String run = UUID.randomUUID().toString().substring(0, 8);

  private CopiedOutput(Configuration conf, FileSystem files, Path place) {
    this.conf = conf;
    this.files = files;
    this.place = place;
  }

  /**
   * Returns the output of a job.
   *
   * @throws InvalidJobConfException if the job has no output directory, or its file system cannot
   *     rename in one step
   */
  static CopiedOutput of(Job job) throws IOException {
    JobConf conf = new JobConf(job.getConfiguration());
    String name = conf.get(FileOutputFormat.OUTDIR);
    if (name == null) {
      throw new InvalidJobConfException(
          FileOutputFormat.OUTDIR
              + " is not set: a job in several copies needs an output directory; set it"
              + " with FileOutputFormat.setOutputPath");
    }
    Path path = new Path(conf.getWorkingDirectory(), name);
    FileSystem files = path.getFileSystem(conf);
    Path place = files.makeQualified(path);
    String scheme = schemeBelow(files, place);
    if (!RENAME_IN_ONE_STEP.contains(scheme)) {
      throw new InvalidJobConfException(
          place
              + " is in a file system with the scheme "
              + scheme
              + ", where a reader may see a half-renamed directory that already has its _SUCCESS:"
              + " the output of a job in several copies needs one of the schemes "
              + RENAME_IN_ONE_STEP);
    }
    return new CopiedOutput(conf, files, place);
  }

  /** Returns the scheme of the file system that a path is in, with mounts resolved. */
  private static String schemeBelow(FileSystem files, Path path) throws IOException {
    Path existing = path;
    while (existing.getParent() != null && !files.exists(existing)) {
      existing = existing.getParent();
    }
    return files.resolvePath(existing).toUri().getScheme();
  }

  /** Returns the final place of the output. */
  Path place() {
    return place;
  }

  /** Returns the place of a copy's output. */
  Path of(int copy) {
    return new Path(place.getParent(), "_" + place.getName() + ".drover-copy-" + copy + "-" + run);
  }

  /**
   * Makes sure that there is no output yet.
   *
   * @throws FileAlreadyExistsException if there is, as in Hadoop's check of a job's output
   */
  void checkAbsent() throws IOException {
    if (files.exists(place)) {
      throw new FileAlreadyExistsException("Output directory " + place + " already exists");
    }
  }

  /**
   * Gives a copy's output its final name, as a whole or not at all, never over or into something
   * that exists. {@code FileSystem.rename} would move it into a directory that has appeared.
   */
  void install(Path ofCopy) throws IOException {
    FileContext.getFileContext(place.toUri(), conf).rename(ofCopy, place);
  }

  /**
   * Removes the output of a copy, if there is one, and does so again when this process ends,
   * because a dying task may still make its directory. If there is none yet, it is not removed
   * later either: {@code deleteOnExit} takes only what exists. A failure is only logged.
   */
  void remove(Path ofCopy) {
    try {
      files.deleteOnExit(ofCopy);
      files.delete(ofCopy, true);
    } catch (IOException e) {
      LOG.warn("Could not remove {}, which is no longer needed", ofCopy, e);
    }
  }
}
