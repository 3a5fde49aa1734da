// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.core.model.TaskKind;
import io.drover.simulator.workload.HistoryJob.HistoryPhase;
import io.drover.simulator.world.Draws;
import io.drover.simulator.world.PhaseKey;
import io.drover.simulator.world.Slowness;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Jobs from a Hadoop job history, either in the JSON of Rumen (job objects, one after another or in
 * an array) or flattened into a pair of tables, {@code jobs_*} and {@code attempts_*} beside it.
 *
 * <p>A task takes as long as its first successful attempt took. With {@link #slowness} and without
 * a scheme, a replay gives the recorded task durations. The duration of a reduce counts from the
 * end of the job's last map. Before that, the reduce was waiting for maps and fetching while they
 * ran, but the replay starts reduces only when the maps have ended. Data fetched by then is not
 * charged.
 *
 * <p>Failed attempts are not replayed. Jobs that did not succeed, jobs without a successful map,
 * and tasks that never succeeded are left out ({@link HistoryJobs} says why), and {@link
 * #provenance} reports how many there are.
 */
public final class HistoryWorkload implements Workload {
  private final String name;
  private final List<String> whichJobs;
  private final List<String> badInput;
  private final List<JobSpec> jobs = new ArrayList<>();
  private final Map<Long, double[]> factors = new HashMap<>();
  private int phases;
  private int phasesWithRealBytes;

  private HistoryWorkload(String name, HistoryJobs history) {
    this.name = name;
    // The recorded tasks are not kept: what is replayed takes less memory.
    this.whichJobs = history.provenance();
    this.badInput = history.bad().provenance();
    List<HistoryJob> ordered =
        history.jobs().stream()
            .sorted(Comparator.comparingDouble(HistoryJob::submitSeconds))
            .toList();
    ordered.forEach(job -> add(job, ordered.get(0).submitSeconds()));
  }

  /**
   * Reads a history, plain or gzipped. A file whose first sign is a brace or a bracket is read as
   * JSON, any other file as the table of jobs. Comments before that are skipped.
   *
   * @param file the JSON, or the table of jobs, {@code jobs_*}
   * @param skipBad whether jobs that are malformed are left out and counted; if not, the first one
   *     is an error
   * @throws TraceException if the file or the table of attempts is malformed, or no job succeeded
   *     and has a successful map
   */
  public static HistoryWorkload read(Path file, boolean skipBad) throws TraceException {
    HistoryJobs history = new HistoryJobs(new BadRecords(skipBad));
    if (TraceFiles.read(file, HistoryWorkload::isJson)) {
      RumenJson.read(file, history);
    } else {
      HistoryTables.read(file, history);
    }
    history.bad().mustLeave(file, history.jobs().size());
    if (history.jobs().isEmpty()) {
      throw new TraceException(file + ": " + history.whyNone());
    }
    return new HistoryWorkload("history:" + file.getFileName(), history);
  }

  private static boolean isJson(BufferedReader text) throws IOException {
    LeadingComments.skip(text);
    int sign = text.read();
    while (Character.isWhitespace(sign)) {
      sign = text.read();
    }
    return sign == '{' || sign == '[';
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
    List<String> all = new ArrayList<>();
    all.add("Arrivals: real.");
    all.addAll(whichJobs);
    all.add(
        "Sizes of tasks: real in "
            + phasesWithRealBytes
            + " of "
            + phases
            + " phases. In the others, the bytes were not recorded or do not explain the durations,"
            + " so all tasks count as equal, with 1 byte each.");
    all.add(
        "Durations: real. The seconds per byte are the median of the phase, and differences from it"
            + " count as slowness. A reduce's time counts from the end of the last map.");
    all.add("Racks: not used; tasks may run anywhere.");
    all.addAll(badInput);
    return all;
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
