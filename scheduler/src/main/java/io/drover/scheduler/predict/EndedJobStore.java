// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import io.drover.core.predict.EndedJob;
import io.drover.core.predict.EndedJob.Features;
import io.drover.core.predict.JobArrival;
import io.drover.core.predict.JobOutcome;
import io.drover.core.predict.KeptJob;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps jobs that have ended in a directory. Each write makes a new file, under another name until
 * it is whole, and no file is ever changed. So a ResourceManager that was thought to be dead loses
 * nothing of its successor's. Which files are old is told by the file system's own times, because
 * the clock of a ResourceManager may be wrong.
 */
public final class EndedJobStore {
  private static final Logger LOG = LoggerFactory.getLogger(EndedJobStore.class);
  private static final String FORMAT = "drover-ended-jobs-1";
  private static final String PART = ".part";
  private static final Pattern NAME = Pattern.compile("jobs-\\d{19}-\\d{10}\\.gz");
  private static final Pattern NAME_OR_PART = Pattern.compile(NAME + "(\\.part)?");
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);

  private final FileSystem files;
  private final Path dir;
  private final long writer;
  private long written;

  /**
   * Opens a store, and creates the directory if it does not exist.
   *
   * @param writer a number that no other writer has, at least 0
   */
  public EndedJobStore(String dir, long writer, Configuration conf) throws IOException {
    this.dir = new Path(dir);
    this.writer = writer;
    this.files = this.dir.getFileSystem(conf);
    if (!files.exists(this.dir)) { // in safe mode HDFS refuses mkdirs even if it exists
      files.mkdirs(this.dir, OWNER_ONLY);
    }
  }

  private List<FileStatus> newestFirst(Pattern name) throws IOException {
    return Arrays.stream(files.listStatus(dir))
        .filter(file -> name.matcher(file.getPath().getName()).matches())
        .sorted(Comparator.comparingLong(FileStatus::getModificationTime).reversed())
        .toList();
  }

  /**
   * Returns jobs that have ended since a time, once each, in the order of their ends. A file that
   * cannot be read is skipped with a warning.
   *
   * @param most the number of jobs at which no older file is read
   */
  public List<KeptJob> read(double oldest, int most) throws IOException {
    Map<String, KeptJob> jobs = new LinkedHashMap<>();
    for (FileStatus file : newestFirst(NAME)) {
      if (jobs.size() >= most) {
        break;
      }
      try {
        read(file.getPath()).stream()
            .filter(job -> job.ended().endedAt() >= oldest)
            .forEach(job -> jobs.putIfAbsent(job.arrival().id(), job));
      } catch (IOException | RuntimeException e) {
        LOG.warn("Jobs that have ended cannot be read from {}", file.getPath(), e);
      }
    }
    List<KeptJob> sorted = new ArrayList<>(jobs.values());
    sorted.sort(Comparator.comparingDouble(job -> job.ended().endedAt()));
    return sorted;
  }

  private List<KeptJob> read(Path file) throws IOException {
    List<KeptJob> jobs = new ArrayList<>();
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(new GZIPInputStream(files.open(file))))) {
      String format = in.readUTF();
      int features = in.readInt();
      if (!format.equals(FORMAT) || features != Features.SIZE) {
        throw new IOException("it is of another version of Drover");
      }
      int number = in.readInt();
      for (int i = 0; i < number; i++) {
        jobs.add(read(in));
      }
    } catch (EOFException e) {
      throw new IOException("it ends too early", e);
    }
    return jobs;
  }

  private static KeptJob read(DataInputStream in) throws IOException {
    JobArrival arrival =
        new JobArrival(
            in.readUTF(), in.readDouble(), in.readUTF(), in.readUTF(), in.readUTF(), in.readInt());
    double endedAt = in.readDouble();
    double seconds = in.readDouble();
    double tasks = in.readDouble();
    JobOutcome outcome = JobOutcome.valueOf(in.readUTF());
    int standsFor = in.readInt();
    boolean isJudged = in.readBoolean();
    boolean isMisjudged = in.readBoolean();
    double[] features = new double[Features.SIZE];
    for (int j = 0; j < features.length; j++) {
      features[j] = in.readFloat();
    }
    EndedJob ended =
        new EndedJob(
            new Features(features), arrival.at(), endedAt, seconds, tasks, outcome, standsFor);
    return new KeptJob(arrival, ended, isJudged, isMisjudged);
  }

  /**
   * Writes jobs to a new file. If that fails, none of them is kept, or all of them if it was the
   * answer that was lost. So each try has another name.
   */
  public void add(List<KeptJob> jobs) throws IOException {
    String name = String.format(Locale.ROOT, "jobs-%019d-%010d.gz", writer, written++);
    Path whole = new Path(dir, name);
    Path part = new Path(dir, name + PART);
    try {
      write(jobs, part);
      if (!files.rename(part, whole)) {
        throw new IOException("could not rename " + part + " to " + whole);
      }
    } catch (IOException | RuntimeException e) {
      try {
        files.delete(part, false); // no other try has this name
      } catch (IOException | RuntimeException another) {
        e.addSuppressed(another);
      }
      throw e;
    }
  }

  private void write(List<KeptJob> jobs, Path file) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(new GZIPOutputStream(files.create(file, true))))) {
      out.writeUTF(FORMAT);
      out.writeInt(Features.SIZE);
      out.writeInt(jobs.size());
      for (KeptJob job : jobs) {
        write(job, out);
      }
    }
  }

  private static void write(KeptJob kept, DataOutputStream out) throws IOException {
    JobArrival arrival = kept.arrival();
    out.writeUTF(arrival.id());
    out.writeDouble(arrival.at());
    out.writeUTF(arrival.user());
    out.writeUTF(arrival.queue());
    out.writeUTF(arrival.program());
    out.writeInt(arrival.priority());
    EndedJob job = kept.ended();
    out.writeDouble(job.endedAt());
    out.writeDouble(job.seconds());
    out.writeDouble(job.tasks());
    out.writeUTF(job.outcome().name());
    out.writeInt(job.standsFor());
    out.writeBoolean(kept.isJudged());
    out.writeBoolean(kept.isMisjudged());
    for (double feature : job.features().all()) {
      out.writeFloat((float) feature);
    }
  }

  /**
   * Deletes the files that were written longer than some time before the newest one, also those
   * that a writer left that died.
   */
  void forget(Duration age) throws IOException {
    List<FileStatus> all = newestFirst(NAME_OR_PART);
    for (FileStatus file : all) {
      long behind = all.get(0).getModificationTime() - file.getModificationTime();
      if (behind > age.toMillis()) {
        files.delete(file.getPath(), false);
      }
    }
  }
}
