// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.core.model.TaskKind;
import io.drover.simulator.world.Chance;
import io.drover.simulator.world.Draws;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Generates jobs from the distributions that the papers publish, without a trace.
 *
 * <pre>
 *   tasks of a job   N = floor(X), X Pareto: P(X &gt; x) = x^-0.745, 1 &lt;= X &lt;= 33,800
 *   reduces          round(0.29 N), at least one if N &gt; 1; the others are maps
 *   input            maps * block;  shuffle = 0.34 * input
 *   sizes            lognormal with the coefficients of variation of Mantri section 4.2
 *   arrivals         Poisson; mean gap = mean work of a job / (utilization * slots)
 * </pre>
 *
 * <p>Published (Dolly section 2): job sizes follow a power law. 82 % of the jobs have fewer than 10
 * tasks, and these jobs take 6 % of the resources. The exponent, {@code -log10(0.18)}, follows from
 * the first figure. The largest size follows from the second, because under a power law the jobs of
 * up to x tasks hold work proportional to {@code x^0.255 - 1}. Chosen: Poisson arrivals, although
 * real ones come in bursts. The share of reduces is that of the 59 job histories in
 * traces/hadoop_rumen (321 of 1,108 tasks). The ratio of shuffle to input is that of Facebook in
 * 2010 (413 of 1,210 TB, traces/swim_facebook).
 *
 * <p>Departures: in Mantri section 3.1 a phase has a median of 2.11 tasks for each slot that the
 * job holds. That ratio is not imposed here because the scheduler decides how many slots a job
 * holds. The work of a job is the time that its bytes take at its own rates. Slow attempts and the
 * network add to the utilisation.
 */
public final class SyntheticWorkload implements Workload {
  private static final double FEW_TASKS = 10;
  private static final double SHARE_OF_LARGER_JOBS = 0.18;
  private static final double WORK_OF_SMALL_JOBS = 0.06;
  private static final double EXPONENT = -Math.log10(SHARE_OF_LARGER_JOBS);

  /**
   * The size at which the power law ends. Jobs of up to x tasks hold {@code x^(1-a) - 1} of the
   * work {@code most^(1-a) - 1}. For x = 10 that must be 6 %, so most = 33,800. (The largest jobs
   * of the Facebook traces have 12,504, 56,262 and 158,500 maps.)
   */
  static final double MOST_TASKS =
      Math.pow(
          1 + (Math.pow(FEW_TASKS, 1 - EXPONENT) - 1) / WORK_OF_SMALL_JOBS, 1 / (1 - EXPONENT));

  private static final double SHARE_OF_REDUCES = 321.0 / 1108;
  private static final double SHUFFLE_TO_INPUT = 413.0 / 1210;

  private static final int OF_TASKS = 1;
  private static final int OF_GAP = 2;
  private static final int OF_RATE = 3;
  private static final int OF_SKEW = 4;
  private static final int OF_SIZES = 5;

  private final SyntheticSettings settings;
  private final double[] submits;

  /** Creates a workload with the given settings. */
  public SyntheticWorkload(SyntheticSettings settings) {
    this.settings = settings;
    double work = IntStream.range(0, settings.jobs()).mapToDouble(this::slotSeconds).sum();
    // The arrival rate follows from the work that was drawn, not from its mean. With a tail this
    // heavy the two are far apart, and the utilisation could be anything.
    double meanGap = work / settings.jobs() / (settings.utilization() * settings.slots());
    this.submits = new double[settings.jobs()];
    for (int job = 1; job < submits.length; job++) {
      submits[job] = submits[job - 1] + Draws.exponential(key(OF_GAP, job), meanGap);
    }
  }

  private long key(int what, int job) {
    return Draws.key(settings.seed(), what, job);
  }

  private int tasks(int job) {
    return (int) Draws.paretoUpTo(key(OF_TASKS, job), 1, MOST_TASKS, EXPONENT);
  }

  private static int reduces(int tasks) {
    return tasks == 1 ? 0 : (int) Math.max(1, Math.round(SHARE_OF_REDUCES * tasks));
  }

  private long input(int tasks) {
    return (tasks - reduces(tasks)) * settings.blockBytes();
  }

  private static long shuffle(long input) {
    return Math.round(SHUFFLE_TO_INPUT * input);
  }

  private double secondsPerByte(TaskKind kind, int job) {
    return settings.rates().secondsPerByte(kind, Chance.mix(key(OF_RATE, job), kind.ordinal()));
  }

  /** Returns the slot time of a job without creating its tasks. */
  private double slotSeconds(int job) {
    int tasks = tasks(job);
    long input = input(tasks);
    double maps = input * secondsPerByte(TaskKind.MAP, job);
    return reduces(tasks) == 0
        ? maps
        : maps + shuffle(input) * secondsPerByte(TaskKind.REDUCE, job);
  }

  @Override
  public String name() {
    return "synthetic";
  }

  @Override
  public int size() {
    return submits.length;
  }

  @Override
  public Iterator<JobSpec> jobs() {
    return IntStream.range(0, submits.length).mapToObj(this::job).iterator();
  }

  private JobSpec job(int job) {
    int tasks = tasks(job);
    int reduces = reduces(tasks);
    long input = input(tasks);
    PhaseSpec maps = phase(TaskKind.MAP, job, tasks - reduces, input);
    String id = "synthetic-" + job;
    return reduces == 0
        ? new JobSpec(id, submits[job], List.of(maps))
        : new JobSpec(
            id, submits[job], List.of(maps, phase(TaskKind.REDUCE, job, reduces, shuffle(input))));
  }

  private PhaseSpec phase(TaskKind kind, int job, int tasks, long bytes) {
    double skew = DataSkew.coefficient(Chance.mix(key(OF_SKEW, job), kind.ordinal()));
    long sizes = Chance.mix(key(OF_SIZES, job), kind.ordinal());
    return new PhaseSpec(
        kind, DataSkew.split(bytes, tasks, skew, sizes), secondsPerByte(kind, job));
  }

  @Override
  public List<String> provenance() {
    return List.of(
        "Everything is modelled; no trace was read.",
        String.format(
            Locale.ROOT,
            "Arrivals: Poisson, at a rate that keeps %.0f %% of %d slots busy if no attempt is"
                + " slow.",
            100 * settings.utilization(),
            settings.slots()),
        String.format(
            Locale.ROOT,
            "Tasks of jobs: a power law from Dolly section 2 (82 %% of the jobs have fewer than 10"
                + " tasks and take 6 %% of the work): exponent %.3f, up to %.0f tasks.",
            EXPONENT,
            MOST_TASKS),
        "Reduces: 29 % of a job's tasks (as in the real histories of traces/hadoop_rumen); the"
            + " shuffle is 34 % of the input (Facebook 2010).",
        "Sizes of maps and reduces: " + DataSkew.SOURCE + ".",
        settings.rates().provenance(),
        "Racks: tasks may run anywhere.");
  }
}
