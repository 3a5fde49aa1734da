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
 * Jobs from a Hadoop job history, either in the JSON of Rumen (a file of job objects, one after
 * another) or flattened into a pair of tables, {@code jobs_*} and {@code attempts_*} beside it.
 *
 * <p>A task takes as long as its first successful attempt took. With {@link #slowness} and without
 * a scheme, a replay gives the recorded task durations. The duration of a reduce counts from the
 * end of the job's last map. Before that, the reduce was waiting for maps and fetching while they
 * ran, but the replay starts reduces only when the maps have ended. Data fetched by then is not
 * charged.
 *
 * <p>Failed attempts are not replayed. Tasks that never succeeded and jobs without a successful map
 * are left out, and {@link #provenance} reports how many there are.
 */
public final class HistoryWorkload implements Workload {
  /** The content of a file: jobs in any order, and the number of tasks that never succeeded. */
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
   * Reads a history, plain or gzipped. A file that begins with a brace is read as JSON, any other
   * file as the table of jobs.
   *
   * @param file the JSON, or the table of jobs, {@code jobs_*}
   * @throws TraceException if the file or the table of attempts is malformed, or no job has a
   *     successful map
   */
  public static HistoryWorkload read(Path file) throws TraceException {
    boolean json = TraceFiles.read(file, text -> firstSign(text) == '{');
    History history = json ? RumenJson.read(file) : HistoryTables.read(file);
    HistoryWorkload workload = new HistoryWorkload("history:" + file.getFileName(), history);
    if (workload.jobs.isEmpty()) {
      throw new TraceException(
          file + ": no job has a map that succeeded; at least one such job is needed");
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
   * Returns the recorded slowness, which fits only this workload.
   *
   * @param seed the seed for attempts that are not in the history
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
        "Tasks: real counts of the tasks that succeeded. Left out: "
            + unfinished
            + " tasks that never succeeded, and "
            + jobsWithoutMaps
            + " jobs without a successful map.",
        "Sizes of tasks: real in "
            + phasesWithRealBytes
            + " of "
            + phases
            + " phases. In the others, the bytes were not recorded or do not explain the durations,"
            + " so all tasks count as equal, with 1 byte each.",
        "Durations: real. The seconds per byte are the median of the phase, and differences from it"
            + " count as slowness. A reduce's time counts from the end of the last map.",
        "Racks: not used; tasks may run anywhere.");
  }

  /**
   * Slowness as recorded in a job history. The first attempt of a task is as slow as the task
   * really was, so a replay without a scheme gives the recorded durations. The history knows
   * nothing about later attempts: each is as slow as a random recorded attempt of its phase.
   *
   * <p>Departure: the recorded slowness stays with the first attempt on any machine, although some
   * of it may have come from the machine or the time.
   */
  public static final class HistorySlowness implements Slowness {
    private final Map<Long, double[]> factors;
    private final long seed;

    /**
     * Creates a model from observed factors.
     *
     * @param factors by {@link PhaseKey} the factor of each task, above 0, in the order of the
     *     workload; the arrays are kept, not copied
     */
    public HistorySlowness(Map<Long, double[]> factors, long seed) {
      this.factors = Map.copyOf(factors);
      this.seed = seed;
    }

    /**
     * Returns the factor of an attempt. If the job did not select the task's block, the history has
     * no such task, and the factor is drawn as for a later attempt.
     *
     * @throws IllegalArgumentException if the history has no such phase, which means that the phase
     *     is from another workload
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
          "Slowness of first attempts: real; the recorded duration divided by the duration that the"
              + " phase's median rate gives for the task's bytes.",
          "Slowness of later attempts: drawn from the real factors of the same phase.",
          "Slow machines, and contention that comes and goes: not modelled separately; the recorded"
              + " durations include them.");
    }
  }
}
