// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import static io.drover.core.sampling.BlockChoices.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.drover.core.sampling.BlockChoice.Ending;
import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.core.sampling.OfferAnswer.Binding;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests what an AppMaster needs of late binding besides offers. */
class TakenBlocksTest {
  private static BlockChoice anyOf(int needed, int most, InputBlock... blocks) {
    return BlockChoice.anyOf(
        List.of(blocks), needed, most, SamplingSettings.KMN, new SplittableRandom(1));
  }

  /** Creates a choice of 2 blocks, at most 3, of two samples with the blocks 0-2 and 3-5. */
  private static BlockChoice ofTwoSamples() {
    return BlockChoice.oneOf(
        List.of(on(1), on(1), on(2), on(3), on(3), on(4)),
        BlockChoices.disjoint(2, 3),
        2,
        3,
        SamplingSettings.KMN,
        new SplittableRandom(1));
  }

  private static Optional<Binding> take(BlockChoice choice, int machine) {
    return choice.take("m" + machine, BlockChoices.rackOf(machine));
  }

  private static int taken(BlockChoice choice, int machine) {
    return take(choice, machine).orElseThrow().block();
  }

  private static int beside(BlockChoice choice, int machine) {
    return choice.takeBeside("m" + machine).orElseThrow().block();
  }

  // --- slots that cannot be left

  @Test
  void slotThatCannotBeLeftTakesTheNearestBlockAtOnce() {
    BlockChoice choice = anyOf(3, 3, on(50), on(3), on(1), on(60));
    assertThat(take(choice, 1)).contains(new Binding(2, 0, "m1", BlockLocality.MACHINE, false));
    assertThat(take(choice, 1)).contains(new Binding(1, 0, "m1", BlockLocality.RACK, false));
    assertThat(take(choice, 1).orElseThrow().nearness()).isEqualTo(BlockLocality.ELSEWHERE);
    assertThat(take(choice, 1)).isEmpty(); // M are bound
    assertThat(choice.running()).isEqualTo(3);
  }

  @Test
  void slotThatCannotBeLeftTakesABlockEvenIfEnoughAreDone() {
    BlockChoice choice = anyOf(1, 2, on(1), on(2), on(3));
    choice.done(taken(choice, 1));
    assertThat(choice.wanted()).isZero();
    assertThat(taken(choice, 2)).isEqualTo(1);
    assertThat(take(choice, 3)).isEmpty();
  }

  @Test
  void slotThatCannotBeLeftTakesABlockWhoseTaskFailedFirst() {
    BlockChoice choice = anyOf(1, 2, on(1), on(2), on(3));
    choice.released(taken(choice, 1), Ending.FAILED);
    assertThat(take(choice, 2)).contains(new Binding(0, 0, "m2", BlockLocality.RACK, true));
    assertThat(taken(choice, 2)).isEqualTo(1);
  }

  @Test
  void slotThatCannotBeLeftChoosesASample() {
    BlockChoice choice = ofTwoSamples();
    assertThat(choice.sample()).isEmpty();
    assertThat(take(choice, 4)).contains(new Binding(5, 1, "m4", BlockLocality.MACHINE, false));
    assertThat(choice.sample()).hasValue(1);
    assertThat(taken(choice, 1)).isBetween(3, 4); // even though m1 has others
  }

  @Test
  void nothingIsTakenOnceTheBlocksAreFixed() {
    BlockChoice choice = anyOf(1, 3, on(1), on(1), on(1));
    int used = taken(choice, 1);
    int other = taken(choice, 1);
    choice.done(used);
    choice.fix(List.of(used));
    assertThat(take(choice, 1)).isEmpty();
    assertThat(choice.takeBeside("m1")).isEmpty();
    assertThat(choice.exchange(other, "m1")).isEmpty();
    assertThat(choice.open()).isEmpty();
    assertThat(choice.running()).isEqualTo(1);
  }

  // --- exchanges

  @Test
  void blockIsExchangedForOneOfTheMachine() {
    BlockChoice choice = anyOf(1, 1, on(1), on(2));
    int block = taken(choice, 1);
    assertThat(choice.exchange(block, "m2"))
        .contains(new Binding(1, 0, "m2", BlockLocality.MACHINE, false));
    assertThat(choice.open()).containsExactly(block);
    assertThat(choice.running()).isEqualTo(1);
    assertThat(choice.exchange(1, "m1").orElseThrow().again()).isTrue();
  }

  @Test
  void blockIsKeptIfTheMachineHasNoUnusedOne() {
    BlockChoice choice = anyOf(2, 2, on(1), on(2), on(3));
    int block = taken(choice, 1);
    int second = taken(choice, 2);
    assertThat(choice.exchange(block, "m2")).isEmpty();
    assertThat(choice.exchange(block, "m9")).isEmpty();
    choice.done(block);
    choice.done(second);
    assertThat(choice.missing()).isZero();
  }

  @Test
  void onlyBlocksOfTasksAreExchanged() {
    BlockChoice choice = anyOf(2, 2, on(1), on(1), on(1), on(1));
    int done = taken(choice, 1);
    int bound = taken(choice, 1);
    int beside = beside(choice, 1);
    int unused = choice.open().get(0);
    choice.done(done);
    assertThatIllegalStateException().isThrownBy(() -> choice.exchange(done, "m1"));
    assertThatIllegalStateException().isThrownBy(() -> choice.exchange(unused, "m1"));
    assertThatIllegalStateException().isThrownBy(() -> choice.exchange(beside, "m1"));
    assertThatIllegalArgumentException().isThrownBy(() -> choice.exchange(4, "m1"));
    assertThatIllegalArgumentException().isThrownBy(() -> choice.exchange(-1, "m1"));
    assertThat(choice.exchange(bound, "m1")).isPresent();
    assertThat(choice.running()).isEqualTo(1);
  }

  // --- blocks beside others

  @Test
  void blockBesideAnotherDoesNotCount() {
    BlockChoice choice = anyOf(1, 2, on(1), on(2), on(3));
    int own = taken(choice, 1);
    assertThat(choice.takeBeside("m2"))
        .contains(new Binding(1, 0, "m2", BlockLocality.MACHINE, false));
    assertThat(choice.running()).isEqualTo(1);
    assertThat(choice.wanted()).isEqualTo(1);
    assertThat(choice.open()).containsExactly(2);
    choice.released(1, Ending.KILLED);
    assertThat(choice.open()).containsExactly(1, 2);
    assertThat(choice.running()).isEqualTo(1);
    choice.done(own);
    assertThat(choice.missing()).isZero();
  }

  @Test
  void onlyBlocksThatNoTaskNeedsAreTakenBesideOthers() {
    BlockChoice choice = anyOf(2, 3, on(1), on(1), on(1), on(1));
    taken(choice, 1);
    assertThat(choice.takeBeside("m2")).isEmpty(); // it has none
    beside(choice, 1);
    assertThat(choice.takeBeside("m1")).isEmpty(); // two are left for two tasks
    taken(choice, 1);
    taken(choice, 1);
    assertThat(choice.open()).isEmpty();
    assertThat(choice.takeBeside("m1")).isEmpty();
  }

  @Test
  void blocksThatATaskMayNeedAfterALossAreNotTakenBesideOthers() {
    BlockChoice choice = anyOf(1, 3, on(1), on(1), on(1));
    int done = taken(choice, 1);
    taken(choice, 1);
    choice.done(done);
    assertThat(choice.takeBeside("m1")).isEmpty();
    choice.undone(done);
    assertThat(choice.wanted()).isEqualTo(1);
    assertThat(choice.open()).hasSize(1);
  }

  @Test
  void nothingIsBesideOthersBeforeASampleIsChosen() {
    assertThat(ofTwoSamples().takeBeside("m1")).isEmpty();
  }

  @Test
  void blockBesideAnotherBecomesTheTasks() {
    BlockChoice choice = anyOf(1, 1, on(1), on(2), on(3));
    int own = taken(choice, 1);
    int other = beside(choice, 2);
    assertThatIllegalStateException().isThrownBy(() -> choice.done(other));
    choice.swap(own, other);
    assertThatIllegalStateException().isThrownBy(() -> choice.done(own));
    choice.done(other);
    assertThat(choice.missing()).isZero();
    choice.released(own, Ending.KILLED);
    assertThat(choice.running()).isZero();
    assertThat(choice.open()).containsExactly(0, 2);
  }

  @Test
  void onlyABlockBesideAnotherIsSwapped() {
    BlockChoice choice = anyOf(2, 2, on(1), on(1), on(1), on(1));
    int own = taken(choice, 1);
    int second = taken(choice, 1);
    int other = beside(choice, 1);
    int unused = choice.open().get(0);
    assertThatIllegalStateException().isThrownBy(() -> choice.swap(own, second));
    assertThatIllegalStateException().isThrownBy(() -> choice.swap(other, own));
    assertThatIllegalStateException().isThrownBy(() -> choice.swap(own, unused));
    assertThatIllegalStateException().isThrownBy(() -> choice.swap(unused, other));
    assertThatIllegalArgumentException().isThrownBy(() -> choice.swap(-1, other));
    choice.swap(own, other);
    assertThatIllegalStateException().isThrownBy(() -> choice.swap(own, other));
    choice.swap(other, own); // and back
    choice.done(own);
  }

  // --- lost outputs

  @Test
  void blockWhoseOutputIsLostIsBoundAgain() {
    BlockChoice choice = anyOf(1, 1, on(1), on(2));
    int block = taken(choice, 1);
    choice.done(block);
    choice.undone(block);
    assertThat(choice.missing()).isEqualTo(1);
    assertThat(choice.running()).isEqualTo(1);
    assertThat(choice.wanted()).isZero();
    assertThat(choice.open()).containsExactly(1);
    assertThat(choice.exchange(block, "m2").orElseThrow().block()).isEqualTo(1);
  }

  @Test
  void onlyBlocksThatWereDoneAreUndone() {
    BlockChoice choice = anyOf(1, 1, on(1), on(2));
    int block = taken(choice, 1);
    assertThatIllegalStateException().isThrownBy(() -> choice.undone(block));
    assertThatIllegalStateException().isThrownBy(() -> choice.undone(1));
    assertThatIllegalArgumentException().isThrownBy(() -> choice.undone(2));
  }

  @Test
  void afterTheBlocksAreFixedOnlyTheirOutputsCount() {
    BlockChoice choice = anyOf(1, 2, on(1), on(1));
    int used = taken(choice, 1);
    int other = taken(choice, 1);
    choice.done(used);
    choice.done(other);
    choice.fix(List.of(used));
    choice.undone(other);
    assertThat(choice.missing()).isZero();
    choice.undone(used);
    assertThat(choice.missing()).isEqualTo(1);
    choice.done(other);
    assertThat(choice.missing()).isEqualTo(1);
    choice.done(used);
    assertThat(choice.missing()).isZero();
  }

  // --- an AppMaster after another

  @Test
  void whatWasBoundBeforeIsBound() {
    BlockChoice choice = anyOf(2, 3, on(1), on(1), on(1), on(1));
    choice.restore(0, List.of(3, 1));
    assertThat(choice.running()).isEqualTo(2);
    assertThat(choice.wanted()).isEqualTo(1);
    assertThat(choice.open()).containsExactly(0, 2);
    choice.done(3);
    choice.released(1, Ending.KILLED);
    assertThat(choice.missing()).isEqualTo(1);
    assertThat(choice.open()).containsExactly(0, 1, 2);
    assertThat(taken(choice, 1)).isNotEqualTo(3);
  }

  @Test
  void blockThatWasBoundBeforeIsBoundAgain() {
    BlockChoice choice = anyOf(1, 1, on(1), on(2));
    choice.restore(0, List.of(0));
    assertThat(choice.exchange(0, "m2").orElseThrow().again()).isFalse();
    assertThat(choice.exchange(1, "m1").orElseThrow().again()).isTrue();
  }

  @Test
  void sampleThatWasChosenBeforeIsChosen() {
    BlockChoice choice = ofTwoSamples();
    choice.restore(1, List.of(4));
    assertThat(choice.sample()).hasValue(1);
    assertThat(choice.open()).containsExactly(3, 5);
    assertThat(taken(choice, 1)).isIn(3, 5);
  }

  @Test
  void nothingButTheSampleMayHaveBeenBoundBefore() {
    BlockChoice choice = ofTwoSamples();
    choice.restore(0, List.of());
    assertThat(choice.sample()).hasValue(0);
    assertThat(choice.running()).isZero();
    assertThat(choice.open()).containsExactly(0, 1, 2);
  }

  @Test
  void whatCannotHaveBeenBoundBeforeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ofTwoSamples().restore(0, List.of(1, 4))); // of two samples
    assertThatIllegalArgumentException().isThrownBy(() -> ofTwoSamples().restore(2, List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> ofTwoSamples().restore(0, List.of(6)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> anyOf(1, 2, on(1), on(1), on(1)).restore(0, List.of(0, 1, 2)));
    assertThatIllegalStateException()
        .isThrownBy(() -> anyOf(1, 2, on(1), on(1)).restore(0, List.of(1, 1)));
  }

  // --- what it tells

  @Test
  void anyBlockOfAnySampleIsOpenAtFirst() {
    BlockChoice choice = ofTwoSamples();
    assertThat(choice.open()).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
    assertThat(choice.openCount()).isEqualTo(6);
    int block = taken(choice, 2);
    assertThat(block).isEqualTo(2);
    assertThat(choice.open()).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void blocksWhoseTaskFailedAreOpenFirst() {
    BlockChoice choice = anyOf(2, 2, on(1), on(2), on(3));
    int block = taken(choice, 3);
    choice.released(block, Ending.FAILED);
    assertThat(choice.open()).containsExactly(2, 0, 1);
  }

  @Test
  void lostBlockIsTheOnlyOpenOneOnceTheBlocksAreFixed() {
    BlockChoice choice = anyOf(1, 1, on(1), on(2));
    int block = taken(choice, 1);
    choice.done(block);
    choice.fix(List.of(block));
    choice.released(block, Ending.OUTPUT_LOST);
    assertThat(choice.open()).containsExactly(block);
    assertThat(choice.openCount()).isEqualTo(1);
  }

  @Test
  void machinesAndNumbersAreTold() {
    BlockChoice choice = anyOf(1, 2, on(1, 2), on(3), on());
    assertThat(choice.nearness(0, "m2", "?")).isEqualTo(BlockLocality.MACHINE);
    assertThat(choice.nearness(1, "m2", "?")).isEqualTo(BlockLocality.ELSEWHERE);
    assertThat(choice.nearness(2, "m2", "?")).isEqualTo(BlockLocality.ELSEWHERE);
    assertThat(choice.needed()).isEqualTo(1);
    assertThat(choice.most()).isEqualTo(2);
    assertThat(choice.total()).isEqualTo(3);
  }
}
