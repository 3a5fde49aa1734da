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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
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
 * Keeps jobs that have ended in a directory: a file for each hour in which jobs have ended, and for
 * each ResourceManager that has seen them. A file is written anew under another name and renamed,
 * so it is whole or not there. Files of other ResourceManagers are read and never changed, so one
 * that was thought to be dead loses nothing of its successor's.
 */
public final class EndedJobStore {
  private static final Logger LOG = LoggerFactory.getLogger(EndedJobStore.class);
  private static final String FORMAT = "drover-ended-jobs-1";
  private static final String PART = ".part";
  private static final Pattern NAME = Pattern.compile("jobs-(\\d{10})-(\\d{19})\\.gz");
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);
  private static final double HOUR = 3600;

  private final FileSystem files;
  private final Path dir;
  private final long writer;
  private final Map<Long, List<KeptJob>> hours = new HashMap<>();

  /**
   * Opens a store, and creates the directory if it does not exist.
   *
   * @param writer a number that no other ResourceManager has, at least 0
   */
  public EndedJobStore(String dir, long writer, Configuration conf) throws IOException {
    this.dir = new Path(dir);
    this.writer = writer;
    this.files = this.dir.getFileSystem(conf);
    if (!files.exists(this.dir)) { // in safe mode HDFS refuses mkdirs even if it exists
      files.mkdirs(this.dir, OWNER_ONLY);
    }
  }

  private static long hour(double at) {
    return Math.max(0, (long) Math.floor(at / HOUR));
  }

  /**
   * Returns the jobs that have ended since a time, once each, by the times of their ends. A file
   * that cannot be read is skipped with a warning.
   */
  public List<KeptJob> read(double oldest) throws IOException {
    Map<String, KeptJob> jobs = new LinkedHashMap<>();
    for (FileStatus file : files.listStatus(dir)) {
      Matcher name = NAME.matcher(file.getPath().getName());
      if (name.matches() && Long.parseLong(name.group(1)) >= hour(oldest)) {
        try {
          read(file.getPath()).forEach(job -> jobs.put(job.arrival().id(), job));
        } catch (IOException | RuntimeException e) {
          LOG.warn("Jobs that have ended cannot be read from {}", file.getPath(), e);
        }
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
    double[] features = new double[Features.SIZE];
    for (int j = 0; j < features.length; j++) {
      features[j] = in.readFloat();
    }
    return new KeptJob(
        arrival,
        new EndedJob(new Features(features), arrival.at(), endedAt, seconds, tasks, outcome));
  }

  /** Adds jobs, and writes the files of the hours in which they have ended. */
  public void add(List<KeptJob> jobs) throws IOException {
    Map<Long, List<KeptJob>> changed = new HashMap<>();
    for (KeptJob job : jobs) {
      long hour = hour(job.ended().endedAt());
      List<KeptJob> all = hours.computeIfAbsent(hour, h -> new ArrayList<>());
      all.add(job);
      changed.put(hour, all);
    }
    for (Map.Entry<Long, List<KeptJob>> one : changed.entrySet()) {
      write(one.getKey(), one.getValue());
    }
    long newest = hours.keySet().stream().max(Comparator.naturalOrder()).orElse(0L);
    hours.keySet().removeIf(hour -> hour < newest - 1); // no more jobs come that ended then
  }

  private void write(long hour, List<KeptJob> jobs) throws IOException {
    String name = String.format(Locale.ROOT, "jobs-%010d-%019d.gz", hour, writer);
    Path whole = new Path(dir, name);
    Path part = new Path(dir, name + PART);
    try (DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(new GZIPOutputStream(files.create(part, true))))) {
      out.writeUTF(FORMAT);
      out.writeInt(Features.SIZE);
      out.writeInt(jobs.size());
      for (KeptJob job : jobs) {
        write(job, out);
      }
    }
    files.delete(whole, false); // a file system may refuse to rename onto one that is there
    if (!files.rename(part, whole)) {
      throw new IOException("could not rename " + part + " to " + whole);
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
    for (double feature : job.features().all()) {
      out.writeFloat((float) feature);
    }
  }

  /** Deletes the files of hours before a time, and what writers that died have left. */
  void forget(double before) throws IOException {
    for (FileStatus file : files.listStatus(dir)) {
      String name = file.getPath().getName();
      Matcher matcher = NAME.matcher(name.endsWith(PART) ? name.replace(PART, "") : name);
      if (matcher.matches() && Long.parseLong(matcher.group(1)) < hour(before)) {
        files.delete(file.getPath(), false);
      }
    }
  }
}
