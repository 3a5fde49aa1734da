// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drover.client.sampling.BlockSampler;
import io.drover.client.sampling.SampleBlock;
import io.drover.client.sampling.SampleBlock.Part;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.SampleSettings;
import io.drover.core.sampling.SamplingSettings;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplePlannerTest {
  private static final int TOTAL = 60;

  private static final List<SampleBlock> BLOCKS =
      IntStream.range(0, TOTAL).mapToObj(i -> block(i, i)).toList();

  private static SampleBlock block(int index, int offset) {
    return new SampleBlock(index, List.of(new Part("/in", offset, 1)), 1, List.of("h"));
  }

  private static SampleSettings request(String... pairs) throws BadSettingException {
    Map<String, String> conf = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      conf.put(SampleSettings.PREFIX + pairs[i], pairs[i + 1]);
    }
    return SampleSettings.read(conf.keySet(), conf::get);
  }

  private static SamplePlanner planner(long seed, String... pairs) throws BadSettingException {
    return new SamplePlanner(request(pairs), BLOCKS, seed);
  }

  private static SamplePlanner sampling(String... more) throws BadSettingException {
    String[] pairs = Arrays.copyOf(more, more.length + 2);
    pairs[more.length] = "sampler";
    pairs[more.length + 1] = "org.example.Strata";
    return planner(1, pairs);
  }

  private static SamplingSettings extra(double ratio) {
    return new SamplingSettings(ratio, 3, 1, 0.01, 5, false);
  }

  private static BlockSampler sampler(List<List<Integer>> samples) {
    return (blocks, needed, random) -> samples;
  }

  private static void assertRefused(SamplePlanner planner, BlockSampler sampler, String... words) {
    assertThatExceptionOfType(BadSettingException.class)
        .isThrownBy(() -> planner.late(sampler, extra(1.05), true))
        .withMessageContainingAll(words);
    assertThatExceptionOfType(BadSettingException.class)
        .isThrownBy(() -> planner.drawn(sampler))
        .withMessageContainingAll(words);
  }

  // --- late binding

  @Test
  void jobWithLateBindingGetsExtraMaps() throws BadSettingException {
    SampleState state = planner(1, "blocks", "20").late(null, extra(1.2), true);
    assertThat(state).isEqualTo(SampleState.unbound(TOTAL, 20, 24, List.of()));
  }

  @Test
  void laterStagesGetNoExtraMaps() throws BadSettingException {
    assertThat(planner(1, "blocks", "20").late(null, extra(1.2), false).maps()).isEqualTo(20);
  }

  @Test
  void thereAreNoMoreMapsThanBlocks() throws BadSettingException {
    assertThat(planner(1, "ratio", "1").late(null, extra(2), true).maps()).isEqualTo(TOTAL);
    assertThat(planner(1, "ratio", "0.1").late(null, extra(1), true))
        .isEqualTo(SampleState.unbound(TOTAL, 6, 6, List.of()));
  }

  @Test
  void requestForMoreBlocksThanThereAreIsRefused() throws BadSettingException {
    assertRefused(planner(1, "blocks", "61"), null, SampleSettings.BLOCKS.key(), "60");
  }

  @Test
  void shareOfAnEmptyInputIsRefused() throws BadSettingException {
    SamplePlanner planner = new SamplePlanner(request("ratio", "0.5"), List.of(), 1);
    assertRefused(planner, null, SampleSettings.RATIO.key());
  }

  // --- blocks that are drawn

  @Test
  void drawnBlocksAreDifferentAndDependOnTheSeedOnly() throws BadSettingException {
    Set<List<Integer>> draws = new HashSet<>();
    for (long seed = 0; seed < 50; seed++) {
      SampleState state = planner(seed, "blocks", "6").drawn(null);
      assertThat(state).isEqualTo(planner(seed, "ratio", "0.1").drawn(null));
      assertThat(state.late()).isFalse();
      assertThat(state.blockOf()).hasSize(6).doesNotHaveDuplicates().isSorted();
      draws.add(state.blockOf());
    }
    assertThat(draws).hasSizeGreaterThan(45);
  }

  @Test
  void eachBlockIsDrawnAboutAsOften() throws BadSettingException {
    int[] drawn = new int[TOTAL];
    SplittableRandom seeds = new SplittableRandom(1);
    for (int job = 0; job < 4000; job++) {
      planner(seeds.nextLong(), "blocks", "15")
          .drawn(null)
          .blockOf()
          .forEach(block -> drawn[block]++);
    }
    for (int times : drawn) {
      assertThat(times).isBetween(850, 1150); // 1000, with a deviation of 27
    }
  }

  @Test
  void drawnBlocksAreOfOneCandidate() throws BadSettingException {
    List<List<Integer>> samples = List.of(List.of(1, 3, 5), List.of(2, 4, 6));
    Set<Integer> seen = new HashSet<>();
    SplittableRandom seeds = new SplittableRandom(1);
    for (int job = 0; job < 50; job++) {
      SampleState state =
          planner(seeds.nextLong(), "blocks", "2", "sampler", "x").drawn(sampler(samples));
      assertThat(samples).anyMatch(sample -> sample.containsAll(state.blockOf()));
      assertThat(state.blockOf()).hasSize(2);
      seen.addAll(state.blockOf());
    }
    assertThat(seen).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6);
  }

  // --- samplers

  @Test
  void candidatesLimitTheMaps() throws BadSettingException {
    List<List<Integer>> samples =
        List.of(IntStream.range(0, 25).boxed().toList(), IntStream.range(25, 50).boxed().toList());
    assertThat(sampling("blocks", "20").late(sampler(samples), extra(2), true))
        .isEqualTo(SampleState.unbound(TOTAL, 20, 25, samples));
    assertThat(sampling().late(sampler(samples), extra(2), true)) // K is the size of a sample
        .isEqualTo(SampleState.unbound(TOTAL, 25, 25, samples));
  }

  @Test
  void samplerGetsTheBlocksAndWhatTheJobNeeds() throws BadSettingException {
    BlockSampler sampler =
        (blocks, needed, random) -> {
          assertThat(blocks).isEqualTo(BLOCKS);
          assertThatExceptionOfType(UnsupportedOperationException.class)
              .isThrownBy(() -> blocks.remove(0));
          assertThat(needed).isEqualTo(OptionalInt.of(3));
          int first = random.nextInt(20);
          return List.of(List.of(first, first + 20, first + 40));
        };
    SampleState state = sampling("ratio", "0.05").late(sampler, extra(1), true);
    assertThat(state).isEqualTo(sampling("blocks", "3").late(sampler, extra(1), true));
    BlockSampler other =
        (blocks, needed, random) -> {
          assertThat(needed).isEmpty();
          return List.of(List.of(8));
        };
    assertThat(sampling().drawn(other).blockOf()).containsExactly(8);
  }

  @Test
  void samplesThatAreNoneAreRefused() throws BadSettingException {
    assertRefused(sampling(), sampler(null), "gives no sample");
    assertRefused(sampling(), sampler(List.of()), "gives no sample");
    assertRefused(sampling(), sampler(Collections.singletonList(null)), "gives no sample");
    assertRefused(sampling(), sampler(Arrays.asList(List.of(1), null)), "gives no sample");
    assertRefused(sampling(), sampler(List.of(List.of())), "samples of 0");
    assertRefused(sampling("blocks", "1"), sampler(List.of(List.of(), List.of())), "samples of 0");
  }

  @Test
  void samplesOfDifferentSizesAreRefused() throws BadSettingException {
    assertRefused(
        sampling("blocks", "1"),
        sampler(List.of(List.of(1, 2), List.of(3))),
        "samples of 2 and of 1 blocks");
  }

  @Test
  void samplesWithABlockTwiceOrAnUnknownOneAreRefused() throws BadSettingException {
    assertRefused(sampling(), sampler(List.of(List.of(1, 1))), "block 1 twice");
    assertRefused(sampling(), sampler(List.of(List.of(1), List.of(1))), "block 1 twice");
    assertRefused(sampling(), sampler(List.of(List.of(1, 60))), "block 60", "0 to 59");
    assertRefused(sampling(), sampler(List.of(List.of(-1))), "block -1");
    assertRefused(sampling(), sampler(List.of(Arrays.asList(1, null))), "block null");
  }

  @Test
  void samplerThatThrowsIsNamed() throws BadSettingException {
    BlockSampler failing =
        (blocks, needed, random) -> {
          throw new IllegalStateException("no strata");
        };
    assertRefused(sampling(), failing, failing.getClass().getName(), "no strata");
    BlockSampler incomplete =
        (blocks, needed, random) -> {
          throw new NoClassDefFoundError("org/example/Part");
        };
    assertRefused(sampling(), incomplete, "org/example/Part");
    BlockSampler asserting =
        (blocks, needed, random) -> {
          throw new AssertionError("strata overlap");
        };
    assertRefused(sampling(), asserting, "strata overlap");
  }

  @Test
  void samplesWithFewerBlocksThanTheJobNeedsAreRefused() throws BadSettingException {
    assertRefused(
        sampling("blocks", "3"),
        sampler(List.of(List.of(1, 2), List.of(3, 4))),
        "needs 3 blocks",
        "org.example.Strata",
        "samples of 2");
  }

  // --- the blocks of an earlier run

  @Test
  void blocksOfAnEarlierRunAreFoundByWhatTheyRead() throws BadSettingException {
    SampleState state =
        planner(1, "record", "/out").again(List.of(block(0, 33), block(1, 7), block(2, 59)), TOTAL);
    assertThat(state).isEqualTo(SampleState.drawn(TOTAL, List.of(7, 33, 59)));
  }

  @Test
  void blockThatTheInputNoLongerHasIsNamed() throws BadSettingException {
    SamplePlanner planner = planner(1, "record", "/out");
    assertThatExceptionOfType(BadSettingException.class)
        .isThrownBy(() -> planner.again(List.of(block(0, 33), block(5, 777)), TOTAL))
        .withMessageContainingAll(SampleSettings.RECORD.key(), "777");
    SampleBlock unknown = new SampleBlock(3, List.of(), 1, List.of());
    assertThatExceptionOfType(BadSettingException.class)
        .isThrownBy(() -> planner.again(List.of(unknown), TOTAL));
  }

  @Test
  void recordThatNamesABlockMoreOftenThanTheInputHasItIsRefused() throws BadSettingException {
    SamplePlanner planner = planner(1, "record", "/out");
    assertThatExceptionOfType(BadSettingException.class)
        .isThrownBy(() -> planner.again(List.of(block(0, 33), block(1, 33)), TOTAL))
        .withMessageContaining(SampleSettings.RECORD.key());
  }

  @Test
  void blocksOfAFileThatTheInputHasTwiceAreFoundTwice() throws BadSettingException {
    List<SampleBlock> twice = List.of(block(0, 1), block(1, 2), block(2, 1), block(3, 2));
    SamplePlanner planner = new SamplePlanner(request("record", "/out"), twice, 1);
    assertThat(planner.again(List.of(block(0, 1), block(2, 1), block(3, 2)), 4).blockOf())
        .containsExactly(0, 1, 2);
  }

  @Test
  void blocksOfUnknownPartsAreFoundByTheirIndices() throws BadSettingException {
    List<SampleBlock> unknown =
        IntStream.range(0, 5).mapToObj(i -> new SampleBlock(i, List.of(), 1, List.of())).toList();
    SamplePlanner planner = new SamplePlanner(request("record", "/out"), unknown, 1);
    assertThat(planner.again(List.of(unknown.get(4), unknown.get(2)), 5).blockOf())
        .containsExactly(2, 4);
  }

  @Test
  void indicesOfAnInputThatHasChangedAreRefused() throws BadSettingException {
    List<SampleBlock> unknown =
        IntStream.range(0, 5).mapToObj(i -> new SampleBlock(i, List.of(), i, List.of())).toList();
    SamplePlanner planner = new SamplePlanner(request("record", "/out"), unknown, 1);
    assertThatExceptionOfType(BadSettingException.class)
        .isThrownBy(() -> planner.again(List.of(unknown.get(4)), 6))
        .withMessageContaining("among 6, and the input has 5");
    SampleBlock shorter = new SampleBlock(4, List.of(), 3, List.of());
    assertThatExceptionOfType(BadSettingException.class)
        .isThrownBy(() -> planner.again(List.of(shorter), 5))
        .withMessageContaining(SampleSettings.RECORD.key());
  }
}
