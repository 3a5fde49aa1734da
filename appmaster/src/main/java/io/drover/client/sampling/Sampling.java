// SPDX-License-Identifier: Apache-2.0
package io.drover.client.sampling;

import io.drover.core.config.SampleSettings;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Lets a job read a sample of its input, for programs that set jobs up in Java. Each method sets
 * the property of the same name below {@code mapreduce.drover.sample.}, which {@code -D} sets as
 * well. The job has to run in Drover's AppMaster: Hadoop's own ignores the properties and reads
 * all.
 *
 * <p>A job asks in one way: {@link #blocks} or {@link #ratio}, alone or with a {@link #sampler}, a
 * sampler alone, or a {@link #record}.
 */
public final class Sampling {
  private Sampling() {}

  /**
   * Lets a job read this many of its blocks, whichever they are.
   *
   * @param k at least 1; the job fails before it starts if its input has fewer blocks
   */
  public static void blocks(Configuration job, int k) {
    check(k >= 1, "K must be at least 1, was " + k);
    job.setInt(SampleSettings.BLOCKS.key(), k);
  }

  /**
   * Lets a job read a share of its blocks, rounded up.
   *
   * @param ratio in (0,1]
   */
  public static void ratio(Configuration job, double ratio) {
    check(ratio > 0 && ratio <= 1, "the ratio must lie in (0,1], was " + ratio);
    job.setDouble(SampleSettings.RATIO.key(), ratio);
  }

  /** Lets a job read its blocks from one of the samples that a class gives. */
  public static void sampler(Configuration job, Class<? extends BlockSampler> sampler) {
    job.setClass(SampleSettings.SAMPLER.key(), sampler, BlockSampler.class);
  }

  /**
   * Lets a job read exactly the blocks that an earlier job has read.
   *
   * @param earlier the output directory of that job, or a copy of its {@link SampleLineage#FILE}
   */
  public static void record(Configuration job, Path earlier) {
    job.set(SampleSettings.RECORD.key(), earlier.toString());
  }

  /**
   * Names an earlier run of the job, whose maps tell how long those of this one will take. A run
   * that cannot be read is no error: the AppMaster's log says so, and the times are learned from
   * this run's own maps.
   *
   * @param earlier as for {@link #record}
   */
  public static void history(Configuration job, Path earlier) {
    job.set(SampleSettings.HISTORY.key(), earlier.toString());
  }

  private static void check(boolean good, String problem) {
    if (!good) {
      throw new IllegalArgumentException(problem);
    }
  }
}
