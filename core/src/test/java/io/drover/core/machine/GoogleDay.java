// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The finished attempts of one day and which of them were outliers. An outlier took more than twice
 * the median duration of its job, of which at least {@value #LEAST} attempts must have finished.
 * (The trace does not contain sizes, so durations replace progress rates.)
 */
final class GoogleDay {
  /** The number of finished attempts that a job needs for its attempts to be judged. */
  static final int LEAST = 10;

  private static final String PLACE = "shared/traces/google2011/attempts_day1.csv.gz";

  /**
   * A finished attempt.
   *
   * @param job number of its job, from 0
   * @param machine number of its machine, from 0
   * @param start seconds
   * @param end seconds
   * @param slowed whether its machine was made slow
   */
  record Attempt(int job, int machine, double start, double end, boolean slowed) {
    double seconds() {
      return end - start;
    }
  }

  final List<Attempt> attempts;
  final int jobs;
  final int machines;

  private final double[] thresholds;

  GoogleDay(List<Attempt> attempts) {
    this.attempts = attempts;
    this.jobs = attempts.stream().mapToInt(Attempt::job).max().orElse(-1) + 1;
    this.machines = attempts.stream().mapToInt(Attempt::machine).max().orElse(-1) + 1;
    List<List<Double>> durations = new ArrayList<>();
    for (int job = 0; job < jobs; job++) {
      durations.add(new ArrayList<>());
    }
    attempts.forEach(a -> durations.get(a.job()).add(a.seconds()));
    thresholds =
        durations.stream()
            .mapToDouble(
                d ->
                    d.size() < LEAST
                        ? Double.NaN
                        : 2 * StatUtils.percentile(d.stream().mapToDouble(x -> x).toArray(), 50))
            .toArray();
  }

  /** Returns whether the attempt's job has a median. */
  boolean isJudged(Attempt attempt) {
    return !Double.isNaN(thresholds[attempt.job()]);
  }

  /** Compares with all attempts of the job, later ones too: this is the truth to predict. */
  boolean isOutlier(Attempt attempt) {
    return attempt.seconds() > thresholds[attempt.job()];
  }

  /** Finds the trace beside the repository, if it is there. */
  static Optional<Path> find() {
    Path here = Path.of("").toAbsolutePath();
    while (here != null && !Files.exists(here.resolve(".mvn"))) {
      here = here.getParent();
    }
    return Optional.ofNullable(here)
        .map(root -> root.resolveSibling(PLACE))
        .filter(Files::isReadable);
  }

  /** Reads the rows of finished attempts that contain the start and the machine. */
  static GoogleDay read(Path file) throws IOException {
    Map<String, Integer> jobs = new HashMap<>();
    List<Attempt> attempts = new ArrayList<>();
    try (BufferedReader rows =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      String header = rows.readLine();
      if (!"job,task,submit_s,sched_s,end_s,end,machine".equals(header)) {
        throw new IOException(file + " has other columns: " + header);
      }
      for (String row = rows.readLine(); row != null; row = rows.readLine()) {
        String[] cells = row.split(",", -1);
        boolean usable = cells[5].equals("FINISH") && !cells[3].isEmpty() && !cells[6].isEmpty();
        if (usable && Double.parseDouble(cells[4]) > Double.parseDouble(cells[3])) {
          attempts.add(
              new Attempt(
                  jobs.computeIfAbsent(cells[0], job -> jobs.size()),
                  Integer.parseInt(cells[6]),
                  Double.parseDouble(cells[3]),
                  Double.parseDouble(cells[4]),
                  false));
        }
      }
    }
    return new GoogleDay(attempts);
  }

  /**
   * Returns the same day with machines that are slow for some time. This is a model, not a
   * measurement. Attempts that start on a slow machine take longer; nothing else changes.
   *
   * @param share the share of slow machines
   * @param factor how many times longer attempts take there
   * @param seconds how long a machine is slow, from a random time on
   */
  GoogleDay withSlowMachines(double share, double factor, double seconds, long seed) {
    Random random = new Random(seed);
    double[] since = new double[machines];
    for (int m = 0; m < machines; m++) {
      boolean slow = random.nextDouble() < share;
      double begin = random.nextDouble() * 90_000 - seconds / 2;
      since[m] = slow ? begin : Double.POSITIVE_INFINITY;
    }
    List<Attempt> changed = new ArrayList<>();
    for (Attempt a : attempts) {
      double into = a.start() - since[a.machine()];
      boolean slowed = into >= 0 && into < seconds;
      double took = slowed ? factor * a.seconds() : a.seconds();
      changed.add(new Attempt(a.job(), a.machine(), a.start(), a.start() + took, slowed));
    }
    return new GoogleDay(changed);
  }
}
