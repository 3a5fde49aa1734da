// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;

/**
 * Fills a directory with histories of jobs, laid out as a JobHistoryServer's done directory, to
 * measure how long `drover report` takes on it. One in eight is JSON, the others are binary. Nodes
 * 7 and 23 of 200 are slow.
 *
 * <p>{@code mvn -q -pl cli -am -Phistories test -Dhistories.args="DIRECTORY 10000 1"}
 */
public final class HistoryFolder {
  private static final long CLUSTER = 1_760_000_000_000L;
  private static final int NODES = 200;

  private static final List<String> PROGRAMS =
      List.of(
          "etl", "sessions", "billing", "index", "search-log", "ads", "fraud", "export", "audit");

  private final Random random;
  private final Path directory;

  private HistoryFolder(Path directory, long seed) {
    this.directory = directory;
    this.random = new Random(seed);
  }

  /** Writes histories: the directory, the number of jobs, and the seed. */
  public static void main(String[] args) throws IOException {
    HistoryFolder folder = new HistoryFolder(Path.of(args[0]), Long.parseLong(args[2]));
    int jobs = Integer.parseInt(args[1]);
    for (int number = 1; number <= jobs; number++) {
      folder.write(number);
    }
  }

  private void write(int number) throws IOException {
    JobID job = new JobID(Long.toString(CLUSTER), number);
    String program = PROGRAMS.get(number % PROGRAMS.size());
    String user = "user" + number % 11;
    long submitted = CLUSTER + number * 20_000L;
    Path day =
        directory.resolve("2025/10/%02d/%06d".formatted(1 + number / 1000 % 28, number / 1000));
    Files.createDirectories(day);
    int maps = (int) Math.min(1500, 4 + Math.exp(2.5 + 1.1 * random.nextGaussian()));
    int reduces = Math.max(1, maps / 8);
    Path file = day.resolve(job + "-" + submitted + "-" + user + "-" + program + "-.jhist");
    try (HistoryWriter history = new HistoryWriter(file, job, number % 8 == 0)) {
      history.submitted(program + " of 2025-10-" + number % 28, user, "default", submitted);
      history.inited(submitted + 5000, maps, reduces);
      long mapsEnd = submitted;
      for (int map = 0; map < maps; map++) {
        mapsEnd = Math.max(mapsEnd, map(history, map, submitted + 6000));
      }
      long end = mapsEnd;
      for (int reduce = 0; reduce < reduces; reduce++) {
        end = Math.max(end, reduce(history, reduce, mapsEnd));
      }
      history.finished(end + 500, maps, reduces, counters(1));
    }
  }

  private long map(HistoryWriter history, int number, long ready) throws IOException {
    int node = random.nextInt(NODES);
    TaskID task = history.task(TaskType.MAP, number, ready, host(node));
    TaskAttemptID attempt = new TaskAttemptID(task, 0);
    long launched = ready + random.nextInt(3000);
    long seconds = seconds(node, 30);
    history.launched(attempt, launched, host(node));
    long end = launched + seconds;
    if (seconds > 120_000) { // Hadoop copies it
      int other = (node + 1) % NODES;
      TaskAttemptID copy = new TaskAttemptID(task, 1);
      history.launched(copy, launched + 60_000, host(other));
      end = launched + 60_000 + seconds(other, 30);
      history.mapDone(copy, end, host(other), rack(other), counters(64), splits(end - launched));
      history.killed(
          attempt, end + 100, host(node), rack(node), cut(splits(seconds), end - launched));
      return end;
    }
    history.mapDone(attempt, end, host(node), rack(node), counters(64), splits(seconds));
    return end;
  }

  private long reduce(HistoryWriter history, int number, long mapsEnd) throws IOException {
    int node = random.nextInt(NODES);
    TaskID task = history.task(TaskType.REDUCE, number, mapsEnd - 10_000, "");
    TaskAttemptID attempt = new TaskAttemptID(task, 0);
    long launched = mapsEnd - 5000;
    history.launched(attempt, launched, host(node));
    long end = mapsEnd + seconds(node, 40);
    long fetched = mapsEnd + (end - mapsEnd) / 5;
    history.reduceDone(
        attempt, fetched, end, host(node), rack(node), counters(256), splits(end - launched));
    return end;
  }

  /** Returns milliseconds about so many seconds: log-normal, one in fifty slow. */
  private long seconds(int node, double usual) {
    double factor = Math.exp(0.15 * random.nextGaussian());
    boolean isSlow = random.nextInt(50) == 0;
    double machine = node == 7 || node == 23 ? 3 : 1;
    return Math.round(1000 * usual * factor * machine * (isSlow ? 2 + 4 * random.nextDouble() : 1));
  }

  private static int[][] splits(long millis) {
    int[][] splits = new int[4][12];
    for (int i = 0; i < 12; i++) {
      splits[0][i] = (int) (millis / 12 + (i == 0 ? 500 : 0));
      splits[1][i] = (int) (millis / 20);
    }
    return splits;
  }

  /** Cuts off an attempt: its last report was three seconds before it was killed. */
  private static int[][] cut(int[][] splits, long killedAt) {
    int reached = 0;
    long passed = 0;
    while (reached < 12 && passed + splits[0][reached] <= killedAt - 3000) {
      passed += splits[0][reached++];
    }
    for (int i = reached; i < 12; i++) {
      splits[0][i] = (int) ((killedAt - passed) / (12 - reached));
    }
    return splits;
  }

  private Counters counters(long megabytes) {
    Counters counters = new Counters();
    long bytes = Math.round(megabytes * 1e6 * (0.95 + 0.1 * random.nextDouble()));
    counters.findCounter("hdfs", FileSystemCounter.BYTES_READ).setValue(bytes);
    counters.findCounter("hdfs", FileSystemCounter.BYTES_WRITTEN).setValue(bytes / 2);
    counters.findCounter("file", FileSystemCounter.BYTES_READ).setValue(bytes / 3);
    counters.findCounter("file", FileSystemCounter.BYTES_WRITTEN).setValue(bytes / 3);
    counters.findCounter(FileInputFormatCounter.BYTES_READ).setValue(bytes);
    counters.findCounter(JobCounter.TOTAL_LAUNCHED_MAPS).setValue(1);
    for (TaskCounter counter : TaskCounter.values()) {
      counters.findCounter(counter).setValue(bytes / 100);
    }
    return counters;
  }

  private static String host(int node) {
    return "node%04d".formatted(node);
  }

  private static String rack(int node) {
    return "/rack" + node / 20;
  }
}
