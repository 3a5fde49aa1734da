// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.core.model.TaskKind;
import io.drover.simulator.workload.HistoryJob.HistoryPhase;
import io.drover.simulator.world.Draws;
import io.drover.simulator.world.PhaseKey;
import io.drover.simulator.world.Slowness;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Jobs out of Hadoop's job history, in the JSON of Rumen (a file of job objects, one after another)
 * or flattened into a pair of tables, {@code jobs_*} and {@code attempts_*} beside it.
 *
 * <p>A task takes what its first successful attempt took. Played with {@link #slowness} and without
 * any scheme, tasks take what they took. A reduce counts from the end of its job's last map on,
 * since what it did before was waiting for maps and, overlapping with them, fetching: the replay
 * begins reduces when the maps have ended. What it had fetched by then is not charged.
 *
 * <p>Attempts that failed are not replayed. A task that never succeeded, or a job without any
 * successful map, is left out, and {@link #provenance} says how many there are.
 */
public final class HistoryWorkload implements Workload {
  /** What was read of a file: jobs in any order, and how many tasks never succeeded. */
  record History(List<HistoryJob> jobs, int unfinished) {}

  private final String name;
  private final List<JobSpec> jobs = new ArrayList<>();
  private final Map<Long, double[]> factors = new HashMap<>();
  private final int jobsWithoutMaps;
  private final int unfinished;
  private int phases;
  private int phasesWithRealBytes;

  private HistoryWorkload(String name, History history) {
    this.name = name;
    this.unfinished = history.unfinished;
    List<HistoryJob> ran =
        history.jobs.stream()
            .filter(job -> !job.maps().isEmpty())
            .sorted(Comparator.comparingDouble(HistoryJob::submitSeconds))
            .toList();
    this.jobsWithoutMaps = history.jobs.size() - ran.size();
    ran.forEach(job -> add(job, ran.get(0).submitSeconds()));
  }

  /**
   * Reads a history, plain or gzipped. A file that begins with a brace is taken as JSON, any other
   * as the table of jobs.
   *
   * @param file the JSON, or the table of jobs, {@code jobs_*}
   * @throws TraceException if anything in the file, or in the table of attempts, is not as it
   *     should be, or no job has a successful map
   */
  public static HistoryWorkload read(Path file) throws TraceException {
    boolean json = TraceFiles.read(file, text -> firstSign(text) == '{');
    History history = json ? RumenJson.read(file) : HistoryTables.read(file);
    HistoryWorkload workload = new HistoryWorkload("history:" + file.getFileName(), history);
    if (workload.jobs.isEmpty()) {
      throw new TraceException(
          file + ": no job has a map that succeeded; at least one that has would be right");
    }
    return workload;
  }

  private static int firstSign(Reader text) throws IOException {
    int sign = text.read();
    while (Character.isWhitespace(sign)) {
      sign = text.read();
    }
    return sign;
  }

  private void add(HistoryJob job, double start) {
    List<PhaseSpec> specs = new ArrayList<>();
    specs.add(phase(new HistoryPhase(TaskKind.MAP, job.maps(), 0), 0));
    if (!job.reduces().isEmpty()) {
      specs.add(phase(new HistoryPhase(TaskKind.REDUCE, job.reduces(), job.mapsEnd()), 1));
    }
    jobs.add(new JobSpec(job.id(), job.submitSeconds() - start, specs));
  }

  private PhaseSpec phase(HistoryPhase phase, int index) {
    phases++;
    phasesWithRealBytes += phase.hasRealBytes() ? 1 : 0;
    factors.put(PhaseKey.of(jobs.size(), index), phase.factors());
    return phase.spec();
  }

  /**
   * How slow the attempts were, for this workload only.
   *
   * @param seed for attempts that are not in the history
   */
  public HistorySlowness slowness(long seed) {
    return new HistorySlowness(factors, seed);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int size() {
    return jobs.size();
  }

  @Override
  public Iterator<JobSpec> jobs() {
    return IntStream.range(0, jobs.size()).mapToObj(jobs::get).iterator();
  }

  @Override
  public List<String> provenance() {
    return List.of(
        "Arrivals: real.",
        "Tasks: real counts, of those that succeeded; left out: "
            + unfinished
            + " tasks that never did, and "
            + jobsWithoutMaps
            + " jobs without a successful map.",
        "Sizes of tasks: real in "
            + phasesWithRealBytes
            + " of "
            + phases
            + " phases; in the others bytes were not recorded or do not explain the durations, and"
            + " tasks count as equal, 1 byte each.",
        "Durations: real; seconds per byte are the median of the phase, and the rest is slowness."
            + " Reduces count from the end of the last map.",
        "Racks: not used; tasks may run anywhere.");
  }

  /**
   * Slowness as a job history recorded it: the first attempt of a task is as slow as the task
   * really was, so that a replay without any scheme gives the recorded durations. Later attempts,
   * which the history does not know, are as slow as one of the attempts of the same phase, drawn by
   * chance.
   *
   * <p>Departure: the recorded slowness stays with the first attempt wherever it runs, though some
   * of it may have come from the machine or the time.
   */
  public static final class HistorySlowness implements Slowness {
    private final Map<Long, double[]> factors;
    private final long seed;

    /**
     * Slowness out of observed factors.
     *
     * @param factors by {@link PhaseKey}, of each task in the order of the workload, above 0; the
     *     arrays are kept, not copied
     */
    public HistorySlowness(Map<Long, double[]> factors, long seed) {
      this.factors = Map.copyOf(factors);
      this.seed = seed;
    }

    /**
     * The factor of an attempt. Of a task that the history has not, since it reads a block that the
     * job did not select, it is drawn as of a later attempt.
     *
     * @throws IllegalArgumentException if the history has no such phase: the slowness of a history
     *     belongs to the workload of the same history
     */
    @Override
    public double of(long phase, int task, int attempt, int machine) {
      double[] observed = factors.get(phase);
      if (observed == null) {
        throw new IllegalArgumentException("the history has no phase with the key " + phase);
      }
      return attempt == 0 && task < observed.length
          ? observed[task]
          : Draws.oneOf(Draws.key(seed, phase, task, attempt), observed);
    }

    @Override
    public List<String> provenance() {
      return List.of(
          "Slowness of first attempts: real, the recorded duration over what the phase's median rate"
              + " gives for the task's bytes.",
          "Slowness of later attempts: drawn from the real factors of the same phase.",
          "Slowness of machines and contention in time: not modelled apart; what there was of them is"
              + " in the recorded durations.");
    }
  }
}
