// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import io.drover.client.sampling.BlockSampler;
import io.drover.client.sampling.SampleBlock;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.SampleSettings;
import io.drover.core.sampling.ExtraTasks;
import io.drover.core.sampling.SamplingSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;

/** Turns a job's request for a sample into the first {@link SampleState}, or refuses it. */
final class SamplePlanner {
  private final SampleSettings request;
  private final List<SampleBlock> blocks;
  private final long seed;

  /**
   * Creates a planner.
   *
   * @param blocks all N blocks of the job's input
   * @param seed of every random draw; the same for all attempts of the AppMaster
   */
  SamplePlanner(SampleSettings request, List<SampleBlock> blocks, long seed) {
    this.request = request;
    this.blocks = blocks;
    this.seed = seed;
  }

  /**
   * Plans a job whose maps take their blocks when their containers come.
   *
   * @param sampler the job's sampler; null if it has none
   * @param settings have M/K
   * @param isFirstStage whether the job reads the input of a workflow; only then it gets extra maps
   * @throws BadSettingException if the request cannot be met
   */
  SampleState late(BlockSampler sampler, SamplingSettings settings, boolean isFirstStage)
      throws BadSettingException {
    List<List<Integer>> samples = samples(sampler);
    int k = needed(samples);
    int most = samples.isEmpty() ? blocks.size() : samples.get(0).size();
    int maps = new ExtraTasks(settings).of(k, most, isFirstStage).tasks();
    return SampleState.unbound(blocks.size(), k, maps, samples);
  }

  /**
   * Plans a job whose blocks are drawn now, at random, without extra maps.
   *
   * @param sampler the job's sampler; null if it has none
   * @throws BadSettingException if the request cannot be met
   */
  SampleState drawn(BlockSampler sampler) throws BadSettingException {
    List<List<Integer>> samples = samples(sampler);
    int k = needed(samples);
    Random random = new Random(seed);
    List<Integer> from =
        new ArrayList<>(
            samples.isEmpty()
                ? IntStream.range(0, blocks.size()).boxed().toList()
                : samples.get(random.nextInt(samples.size())));
    Collections.shuffle(from, random);
    return SampleState.drawn(blocks.size(), from.subList(0, k));
  }

  /**
   * Plans a job that reads exactly the blocks that an earlier run has read.
   *
   * @param total N of the earlier run
   * @throws BadSettingException if the input no longer has them
   */
  SampleState again(List<SampleBlock> recorded, int total) throws BadSettingException {
    boolean isByIndex = recorded.stream().anyMatch(block -> block.parts().isEmpty());
    if (isByIndex && total != blocks.size()) {
      throw new BadSettingException(
          "%s names blocks by their indices among %d, and the input has %d"
              .formatted(SampleSettings.RECORD.key(), total, blocks.size()));
    }
    Map<Object, Deque<Integer>> byParts = new HashMap<>();
    for (SampleBlock block : blocks) {
      byParts.computeIfAbsent(key(block), k -> new ArrayDeque<>()).add(block.index());
    }
    List<Integer> found = new ArrayList<>();
    for (SampleBlock wanted : recorded) {
      Integer block = byParts.getOrDefault(key(wanted), new ArrayDeque<>()).poll();
      if (block == null) {
        throw new BadSettingException(
            "%s names a block that the input does not have: %s"
                .formatted(SampleSettings.RECORD.key(), wanted));
      }
      found.add(block);
    }
    return SampleState.drawn(blocks.size(), found);
  }

  /** Returns by what a block is found again: its parts, or its index and length without them. */
  private static Object key(SampleBlock block) {
    return block.parts().isEmpty() ? List.of(block.index(), block.length()) : block.parts();
  }

  private List<List<Integer>> samples(BlockSampler sampler) throws BadSettingException {
    if (sampler == null) {
      return List.of();
    }
    String name = sampler.getClass().getName();
    OptionalInt k = request.needed(blocks.size());
    List<List<Integer>> samples;
    try {
      samples = sampler.samples(Collections.unmodifiableList(blocks), k, new Random(seed));
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      throw new BadSettingException(name + " failed: " + e); // other errors end the AppMaster
    }
    if (samples == null || samples.isEmpty() || samples.stream().anyMatch(s -> s == null)) {
      throw new BadSettingException(name + " gives no sample");
    }
    int size = samples.get(0).size();
    BitSet seen = new BitSet();
    for (List<Integer> sample : samples) {
      if (sample.size() != size) {
        throw new BadSettingException(
            "%s gives samples of %d and of %d blocks; they must have one size"
                .formatted(name, size, sample.size()));
      }
      for (Integer block : sample) {
        if (block == null || block < 0 || block >= blocks.size() || seen.get(block)) {
          throw new BadSettingException(
              "%s gives block %s twice, or it is not one of 0 to %d"
                  .formatted(name, block, blocks.size() - 1));
        }
        seen.set(block);
      }
    }
    return samples;
  }

  private int needed(List<List<Integer>> samples) throws BadSettingException {
    OptionalInt asked = request.needed(blocks.size());
    if (samples.isEmpty()) {
      return asked.orElseThrow();
    }
    int size = samples.get(0).size();
    int k = asked.orElse(size);
    if (k < 1 || k > size) {
      throw new BadSettingException(
          "the job needs %d blocks, and %s gives samples of %d"
              .formatted(k, request.sampler().orElseThrow(), size));
    }
    return k;
  }
}
