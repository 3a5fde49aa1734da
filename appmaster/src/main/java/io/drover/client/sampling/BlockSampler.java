// SPDX-License-Identifier: Apache-2.0
package io.drover.client.sampling;

import java.util.List;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * Offers candidate samples of a job's input: the sampling function of KMN section 3.2. The job
 * reads its blocks from one of the candidates, the one with the most blocks on nodes with free
 * containers.
 *
 * <p>Name the class in {@code mapreduce.drover.sample.sampler}. It needs a public constructor
 * without arguments, and must be in the job's jar. If it implements Hadoop's {@code Configurable},
 * it gets the job's configuration first. It runs once, in the AppMaster, before the job starts. An
 * exception fails the job.
 */
@FunctionalInterface
public interface BlockSampler {
  /**
   * Returns candidate samples.
   *
   * @param blocks all blocks of the input, by index
   * @param needed K, if the job gives it; each sample then has at least K blocks. Otherwise K is
   *     the size of a sample
   * @param random the source of randomness; a job always gets the same numbers
   * @return indices of blocks: at least one sample, all of one size, none with a block of another.
   *     Samples of K blocks leave no room for extra maps
   */
  List<List<Integer>> samples(List<SampleBlock> blocks, OptionalInt needed, RandomGenerator random);
}
