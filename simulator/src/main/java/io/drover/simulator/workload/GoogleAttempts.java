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
 * The attempts of a day in a Google cell (clusterdata-2011-2, one row for an attempt), read for how
 * much longer than the median of its job each attempt took. The rows are not kept, only the
 * durations of those that finished.
 */
public final class GoogleAttempts {
  /**
   * Finished attempts that a job must have for its median to mean something: the number in the
   * profile of the trace's README.
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
   * @throws TraceException if anything in the file is not as it should be, or no job has 10
   *     finished attempts
   */
  public static GoogleSlowness read(Path file, long seed) throws TraceException {
    List<double[]> donors = ratios(file);
    if (donors.isEmpty()) {
      throw new TraceException(
          file + ": no job has " + LEAST + " finished attempts; one that has would be right");
    }
    return new GoogleSlowness(donors, file.getFileName().toString(), seed);
  }

  /** Of each job with enough finished attempts, duration / median of each of them. */
  static List<double[]> ratios(Path file) throws TraceException {
    Map<Long, ResizableDoubleArray> durations = new LinkedHashMap<>();
    TraceTable.read(
        file,
        ',',
        HEADER,
        row -> {
          if (row.line() == 1) {
            row.mustBe(HEADER);
          } else {
            take(row, durations);
          }
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
      throw row.wrong(ENDED, "end_s", "a time not before sched_s, which is " + scheduled + ",");
    }
    // One of 0 s was too short for the clock; one that began at 0 began before the trace, unknown
    // when.
    if (ended > scheduled && scheduled > 0) {
      durations.computeIfAbsent(job, j -> new ResizableDoubleArray()).addElement(ended - scheduled);
    }
  }

  private static double[] ratios(double[] durations) {
    double median = StatUtils.percentile(durations, 50);
    return Arrays.stream(durations).map(seconds -> seconds / median).toArray();
  }

  /**
   * Slowness as it was seen in a Google cell in 2011: how many times the median of its job an
   * attempt took.
   *
   * <p>Each phase gets one job of the trace as its donor, each job as likely as another, and each
   * attempt of the phase one of that job's ratios. So jobs differ as they do in the trace: bad
   * phases are bad in many tasks, and most phases are good.
   *
   * <p>Departures: the trace says nothing of the bytes of a task, so a ratio holds what is due to
   * data as well. The trace's machines play no part: a machine's mean log ratio spreads by 0.09,
   * against 0.49 for attempts. Which attempts of a job were slow at the same time is lost.
   */
  public static final class GoogleSlowness implements Slowness {
    private static final int OF_PHASE = 1;
    private static final int OF_ATTEMPT = 2;

    private final List<double[]> donors;
    private final String source;
    private final long seed;

    /**
     * Slowness out of the ratios of jobs.
     *
     * @param donors of each job, duration / median of its attempts: at least one job, and of each
     *     at least one ratio above 0; kept, not copied
     * @param source the file that they are from, for people
     */
    public GoogleSlowness(List<double[]> donors, String source, long seed) {
      boolean sound =
          !donors.isEmpty()
              && donors.stream()
                  .allMatch(
                      ratios -> ratios.length > 0 && Arrays.stream(ratios).allMatch(r -> r > 0));
      if (!sound) {
        throw new IllegalArgumentException("needs jobs, and of each its ratios, all above 0");
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

    /** How many jobs of the trace the ratios are drawn from. */
    public int donors() {
      return donors.size();
    }

    @Override
    public List<String> provenance() {
      return List.of(
          "Slowness of attempts: real ratios of duration to the job's median, of "
              + donors.size()
              + " jobs of "
              + source
              + "; which job lends its ratios to which phase, and which ratio an attempt gets, is"
              + " chance. Differences of data are part of them, since the trace has no bytes.",
          "Slowness of machines and contention in time: not modelled.");
    }
  }
}
