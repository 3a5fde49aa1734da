// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.simulator.world.Draws;
import io.drover.simulator.world.Slowness;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.util.ResizableDoubleArray;

/**
 * Reads the attempts of a day in a Google cell (clusterdata-2011-2, one row per attempt) to find
 * out how much longer than the median of its job each attempt took. It does not keep the rows, only
 * the durations of the attempts that finished.
 */
public final class GoogleAttempts {
  /**
   * The number of finished attempts that a job needs for a meaningful median. It is the number that
   * the profile in the trace's README uses.
   */
  private static final int LEAST = 10;

  private static final String HEADER = "job,task,submit_s,sched_s,end_s,end,machine";
  private static final String FINISHED = "FINISH";
  private static final Set<String> ENDS =
      Set.of(FINISHED, "EVICT", "KILL", "FAIL", "LOST", "OPEN", "LOSTINGAP");
  private static final int SCHEDULED = 3;
  private static final int ENDED = 4;
  private static final int END = 5;

  /** Thirty years. */
  private static final double MOST_SECONDS = 1e9;

  private GoogleAttempts() {}

  /**
   * Reads a file, plain or gzipped.
   *
   * @throws TraceException if the file is malformed, or no job has 10 finished attempts
   */
  public static GoogleSlowness read(Path file, long seed) throws TraceException {
    List<double[]> donors = ratios(file);
    if (donors.isEmpty()) {
      throw new TraceException(
          file + ": no job has " + LEAST + " finished attempts; at least one such job is needed");
    }
    return new GoogleSlowness(donors, file.getFileName().toString(), seed);
  }

  /** Returns duration / median of the finished attempts of each job that has enough of them. */
  static List<double[]> ratios(Path file) throws TraceException {
    Map<Long, ResizableDoubleArray> durations = new LinkedHashMap<>();
    new TraceTable(file, ',', HEADER)
        .read(
            row -> row.mustBe(HEADER),
            row -> take(row, durations),
            (row, error) -> {
              throw error;
            });
    return durations.values().stream()
        .filter(of -> of.getNumElements() >= LEAST)
        .map(of -> ratios(of.getElements()))
        .toList();
  }

  private static void take(TraceRow row, Map<Long, ResizableDoubleArray> durations)
      throws TraceException {
    row.mustHave(7, 7, HEADER);
    long job = row.whole(0, "job", 0, Long.MAX_VALUE);
    if (!ENDS.contains(row.text(END))) {
      throw row.wrong(END, "end", "one of FINISH, EVICT, KILL, FAIL, LOST, OPEN and LOSTINGAP");
    }
    boolean timed = !row.isBlank(SCHEDULED) && !row.isBlank(ENDED);
    if (!row.text(END).equals(FINISHED) || !timed) {
      return;
    }
    double scheduled = row.number(SCHEDULED, "sched_s", MOST_SECONDS);
    double ended = row.number(ENDED, "end_s", MOST_SECONDS);
    if (ended < scheduled) {
      throw row.wrong(ENDED, "end_s", "a time not before sched_s (" + scheduled + ")");
    }
    // A duration of 0 s was too short for the clock. A start at 0 means that the attempt began
    // before the trace, at an unknown time.
    if (ended > scheduled && scheduled > 0) {
      durations.computeIfAbsent(job, j -> new ResizableDoubleArray()).addElement(ended - scheduled);
    }
  }

  private static double[] ratios(double[] durations) {
    double median = StatUtils.percentile(durations, 50);
    return Arrays.stream(durations).map(seconds -> seconds / median).toArray();
  }

  /**
   * Slowness as observed in a Google cell in 2011: the ratio of an attempt's duration to the median
   * of its job.
   *
   * <p>Each phase gets a random job of the trace as its donor, and each attempt of the phase gets a
   * random ratio of that job. So jobs differ as they do in the trace: bad phases are bad in many
   * tasks, and most phases are good.
   *
   * <p>Departures: the trace has no task bytes, so a ratio also includes differences in data. The
   * trace's machines are not used because they explain little: the mean log ratio spreads by 0.09
   * between machines, and the log ratio by 0.49 between attempts. The model does not keep which
   * attempts of a job were slow at the same time.
   */
  public static final class GoogleSlowness implements Slowness {
    private static final int OF_PHASE = 1;
    private static final int OF_ATTEMPT = 2;

    private final List<double[]> donors;
    private final String source;
    private final long seed;

    /**
     * Creates a model from the ratios of jobs.
     *
     * @param donors for each job the ratios duration / median of its attempts: at least one job,
     *     and for each job at least one ratio above 0; kept, not copied
     * @param source the name of the file that the ratios come from, for reports
     */
    public GoogleSlowness(List<double[]> donors, String source, long seed) {
      boolean sound =
          !donors.isEmpty()
              && donors.stream()
                  .allMatch(
                      ratios -> ratios.length > 0 && Arrays.stream(ratios).allMatch(r -> r > 0));
      if (!sound) {
        throw new IllegalArgumentException("at least one job is needed, each with ratios above 0");
      }
      this.donors = List.copyOf(donors);
      this.source = source;
      this.seed = seed;
    }

    @Override
    public double of(long phase, int task, int attempt, int machine) {
      double[] ratios = donors.get(Draws.index(Draws.key(seed, OF_PHASE, phase), donors.size()));
      return Draws.oneOf(Draws.key(seed, OF_ATTEMPT, phase, task, attempt), ratios);
    }

    /** Returns the number of jobs from which the ratios are drawn. */
    public int donors() {
      return donors.size();
    }

    @Override
    public List<String> provenance() {
      return List.of(
          "Slowness of attempts: real ratios of an attempt's duration to its job's median, from "
              + donors.size()
              + " jobs of "
              + source
              + ". Each phase gets the ratios of a random job, and each attempt a random one of"
              + " them. The ratios include differences in data, because the trace has no bytes.",
          "Slow machines, and contention that comes and goes: not modelled.");
    }
  }
}
