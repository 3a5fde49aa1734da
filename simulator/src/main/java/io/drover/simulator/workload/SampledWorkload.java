// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.simulator.world.Chance;
import io.drover.simulator.world.Draws;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;

/**
 * Makes some jobs of another workload need any K of N input blocks, like approximate queries and
 * machine learning on samples (KMN section 2.1). K is the number of maps of the job, and its input
 * has N = K / ratio blocks. So the amount of work stays that of the workload, no matter who chooses
 * the blocks. The seed and the job's number decide which jobs sample.
 */
public final class SampledWorkload implements Workload {
  private static final int OF_SAMPLING = 1;

  private final Workload jobs;
  private final Sampling sampling;
  private final long seed;

  /** Wraps another workload, some of whose jobs will sample. */
  public SampledWorkload(Workload jobs, Sampling sampling, long seed) {
    this.jobs = jobs;
    this.sampling = sampling;
    this.seed = seed;
  }

  @Override
  public String name() {
    return jobs.name();
  }

  @Override
  public int size() {
    return jobs.size();
  }

  @Override
  public Iterator<JobSpec> jobs() {
    Iterator<JobSpec> all = jobs.jobs();
    return new Iterator<>() {
      private int number;

      @Override
      public boolean hasNext() {
        return all.hasNext();
      }

      @Override
      public JobSpec next() {
        if (!hasNext()) {
          throw new NoSuchElementException("there are no more jobs");
        }
        JobSpec job = all.next();
        return samples(number++) ? job.sampling(sampling.ratio()) : job;
      }
    };
  }

  private boolean samples(int job) {
    return Chance.uniform(Draws.key(seed, OF_SAMPLING, job)) < sampling.share();
  }

  @Override
  public List<String> provenance() {
    List<String> all = new ArrayList<>(jobs.provenance());
    all.add(
        String.format(
            Locale.ROOT,
            "Sampling: modelled; %.1f %% of the jobs, chosen at random, need any K of N input"
                + " blocks, with K/N = %s. Such a job has K maps, and the blocks beyond K have the"
                + " same sizes. Schemes other than kmn and drover read K blocks that were selected"
                + " when the job was submitted.",
            100 * sampling.share(),
            sampling.ratio()));
    return all;
  }

  /**
   * Selects the jobs of a workload that need any K of N input blocks.
   *
   * @param ratio K/N, in [0.01,1]
   * @param share the share of the jobs that sample, in (0,1]
   */
  public record Sampling(double ratio, double share) {
    /** The least K/N, from KMN section 6, figure 11. All blocks of a job must fit in memory. */
    public static final double LEAST_RATIO = 0.01;

    /** Checks the ranges above. */
    public Sampling {
      if (!(ratio >= LEAST_RATIO && ratio <= 1)) {
        throw new IllegalArgumentException("K/N must lie in [0.01,1], was " + ratio);
      }
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException("the share must lie in (0,1], was " + share);
      }
    }

    /** Returns the form used on the command line: {@code K/N:SHARE}. */
    @Override
    public String toString() {
      return ratio + ":" + share;
    }
  }
}
