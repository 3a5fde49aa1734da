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
 * The output directory of a job in several copies, and beside it one for each copy: {@code
 * _<name>.drover-copy-<number>-<run>}. Names that begin with an underscore are hidden from jobs
 * that read all of a directory, and the run, a chance number, lets nobody stumble over what a
 * client that was killed has left. Beside it, so that a rename changes nothing but a name: quota,
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
   * The output of a job.
   *
   * @throws InvalidJobConfException if the job has no output directory, or its file system has no
   *     rename in one step
   */
  static CopiedOutput of(Job job) throws IOException {
    JobConf conf = new JobConf(job.getConfiguration());
    String name = conf.get(FileOutputFormat.OUTDIR);
    if (name == null) {
      throw new InvalidJobConfException(
          FileOutputFormat.OUTDIR
              + " is not set: a job in several copies needs an output directory, as by"
              + " FileOutputFormat.setOutputPath");
    }
    Path path = new Path(conf.getWorkingDirectory(), name);
    FileSystem files = path.getFileSystem(conf);
    Path place = files.makeQualified(path);
    String scheme = schemeBelow(files, place);
    if (!RENAME_IN_ONE_STEP.contains(scheme)) {
      throw new InvalidJobConfException(
          place
              + " lies in a file system of "
              + scheme
              + ", in which a reader may see a directory half renamed, its _SUCCESS included: the"
              + " output of a job in several copies must lie in one of "
              + RENAME_IN_ONE_STEP);
    }
    return new CopiedOutput(conf, files, place);
  }

  /** The scheme of the file system that a path is in, mounts resolved. */
  private static String schemeBelow(FileSystem files, Path path) throws IOException {
    Path existing = path;
    while (existing.getParent() != null && !files.exists(existing)) {
      existing = existing.getParent();
    }
    return files.resolvePath(existing).toUri().getScheme();
  }

  /** Where the output is to be. */
  Path place() {
    return place;
  }

  /** Where a copy's output is to be. */
  Path of(int copy) {
    return new Path(place.getParent(), "_" + place.getName() + ".drover-copy-" + copy + "-" + run);
  }

  /**
   * Makes sure that there is no output yet.
   *
   * @throws FileAlreadyExistsException if there is, as when Hadoop checks a job's output
   */
  void checkAbsent() throws IOException {
    if (files.exists(place)) {
      throw new FileAlreadyExistsException("Output directory " + place + " already exists");
    }
  }

  /**
   * Gives the output of a copy its final name, whole or not at all, and never over or into
   * something that is there. {@code FileSystem.rename} would move it into a directory that has
   * appeared.
   */
  void install(Path ofCopy) throws IOException {
    FileContext.getFileContext(place.toUri(), conf).rename(ofCopy, place);
  }

  /**
   * Removes the output of a copy, if there is one, and once more when this process ends: a task
   * that is dying may still make its directory. What cannot be removed is only logged.
   */
  void remove(Path ofCopy) {
    try {
      files.deleteOnExit(ofCopy);
      files.delete(ofCopy, true);
    } catch (IOException e) {
      LOG.warn("{} could not be removed; it is of no use to anybody", ofCopy, e);
    }
  }
}
