// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import java.util.Arrays;
import java.util.List;

/**
 * Slowness as it was seen in a Google cell in 2011: how many times the median of its job an attempt
 * took.
 *
 * <p>Each phase gets one job of the trace as its donor, each job as likely as another, and each
 * attempt of the phase one of that job's ratios. So jobs differ as they do in the trace: bad phases
 * are bad in many tasks, and most phases are good.
 *
 * <p>Departures: the trace says nothing of the bytes of a task, so a ratio holds what is due to
 * data as well. The trace's machines play no part: a machine's mean log ratio spreads by 0.09,
 * against 0.49 for attempts. Which attempts of a job were slow at the same time is lost.
 */
public final class GoogleSlowness implements Slowness {
  private static final int OF_PHASE = 1;
  private static final int OF_ATTEMPT = 2;

  private final List<double[]> donors;
  private final String source;
  private final long seed;

  /**
   * Slowness out of the ratios of jobs.
   *
   * @param donors of each job, duration / median of its attempts: at least one job, and of each at
   *     least one ratio above 0; kept, not copied
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
