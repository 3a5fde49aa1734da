// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import io.drover.core.predict.JobArrival;
import io.drover.core.predict.JobOutcome;
import io.drover.core.predict.JobRequests;
import io.drover.core.predict.JobRequests.Spread;
import io.drover.core.predict.MaskedName;
import io.drover.core.predict.evaluate.TraceJob;
import io.drover.testbed.history.JobHistory;
import io.drover.testbed.history.JobRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobPriority;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;

/**
 * Reads the jobs of a directory of MapReduce's history files, and of its subdirectories. The
 * configuration of a job ({@code JOBID_conf.xml}), if it lies beside its history, tells what its
 * tasks asked for.
 */
final class HistoryFiles {
  private static final String SUFFIX = ".jhist";

  /** The lowest priority, so that none is below 0. */
  private static final int LOWEST = -JobPriority.VERY_LOW.ordinal();

  private HistoryFiles() {}

  static JobTable read(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files = all.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
    }
    List<TraceJob> jobs = new ArrayList<>();
    Skipped skipped = new Skipped();
    Set<String> seen = new HashSet<>();
    Configuration conf = new Configuration(false);
    FileSystem local = FileSystem.getLocal(new Configuration());
    for (Path file : files) {
      try {
        TraceJob job = job(local, conf, file);
        if (seen.add(job.arrival().id())) {
          jobs.add(job);
        } else {
          skipped.add("a job that was there before", file.getFileName().toString());
        }
      } catch (IOException | RuntimeException e) {
        skipped.add("no complete history", file.getFileName().toString());
      } catch (OutOfMemoryError e) {
        skipped.add("more than this JVM has memory for", file.getFileName().toString());
      }
    }
    if (jobs.isEmpty()) {
      throw new IOException(
          "%s has no readable history file (*%s)%s"
              .formatted(directory, SUFFIX, skipped.inWords()));
    }
    return new JobTable(
        jobs,
        skipped,
        List.of("Histories of MapReduce jobs. Jobs of other kinds do not appear in the load."));
  }

  private static TraceJob job(FileSystem files, Configuration empty, Path file) throws IOException {
    JobRecord job = JobHistory.read(files, new org.apache.hadoop.fs.Path(file.toUri()));
    Configuration conf = new Configuration(empty);
    Path beside = file.resolveSibling(job.id() + "_conf.xml");
    boolean isConfigured = Files.isReadable(beside);
    if (isConfigured) {
      conf.addResource(new org.apache.hadoop.fs.Path(beside.toUri()));
    }
    double submitted = job.submitted().toEpochMilli() / 1e3;
    double start = Math.max(submitted, job.launched().orElse(job.submitted()).toEpochMilli() / 1e3);
    JobArrival arrival =
        new JobArrival(
            job.id(), submitted, job.user(), job.queue(), MaskedName.of(job.name()), priority(job));
    return new TraceJob(
        arrival,
        requests(job, conf, isConfigured),
        OptionalDouble.of(start),
        OptionalDouble.of(Math.max(start, job.finished().toEpochMilli() / 1e3)),
        Optional.of(outcome(job.state())));
  }

  private static JobOutcome outcome(JobRecord.State state) {
    return switch (state) {
      case SUCCEEDED -> JobOutcome.SUCCEEDED;
      case FAILED -> JobOutcome.FAILED;
      case KILLED -> JobOutcome.KILLED;
      case UNFINISHED -> throw new IllegalArgumentException("a job that has not ended");
    };
  }

  private static int priority(JobRecord job) {
    try {
      return -JobPriority.valueOf(job.priority()).ordinal(); // VERY_HIGH is the first
    } catch (IllegalArgumentException e) {
      return -JobPriority.NORMAL.ordinal();
    }
  }

  private static JobRequests requests(JobRecord job, Configuration conf, boolean isConfigured) {
    int maps = job.maps();
    int reduces = job.reduces();
    double tasks = maps + reduces > 0 ? maps + reduces : Double.NaN;
    Spread priority = Spread.same(priority(job) - LOWEST);
    if (!isConfigured || maps + reduces == 0) {
      return new JobRequests(tasks, Spread.UNKNOWN, Spread.UNKNOWN, Spread.UNKNOWN, priority);
    }
    JobConf asked = new JobConf(conf);
    Spread cpu =
        Spread.of(
            conf.getInt(MRJobConfig.MAP_CPU_VCORES, MRJobConfig.DEFAULT_MAP_CPU_VCORES),
            maps,
            conf.getInt(MRJobConfig.REDUCE_CPU_VCORES, MRJobConfig.DEFAULT_REDUCE_CPU_VCORES),
            reduces);
    Spread ram =
        Spread.of(
            asked.getMemoryRequired(TaskType.MAP),
            maps,
            asked.getMemoryRequired(TaskType.REDUCE),
            reduces);
    return new JobRequests(tasks, cpu, ram, Spread.UNKNOWN, priority);
  }
}
