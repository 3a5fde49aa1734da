// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import static io.drover.core.sampling.BlockChoices.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.core.sampling.OfferAnswer.Binding;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BlockChoiceTest {
  private static final double TIMEOUT = SamplingSettings.KMN.localitySeconds();
  private static final SamplingSettings NO_WAIT = new SamplingSettings(1.05, 0, 0, 0.01, 5, true);

  private static BlockChoice anyOf(int needed, int most, InputBlock... blocks) {
    return anyOf(SamplingSettings.KMN, needed, most, blocks);
  }

  private static BlockChoice anyOf(
      SamplingSettings settings, int needed, int most, InputBlock... blocks) {
    return BlockChoice.anyOf(List.of(blocks), needed, most, settings, new SplittableRandom(1));
  }

  private static BlockChoice oneOf(List<List<Integer>> samples, InputBlock... blocks) {
    int needed = samples.get(0).size();
    return BlockChoice.oneOf(
        List.of(blocks), samples, needed, needed, SamplingSettings.KMN, new SplittableRandom(1));
  }

  private static int bind(BlockChoice choice, int machine, double now) {
    return offer(choice, machine, now).binding().orElseThrow().block();
  }

  private static OfferAnswer offer(BlockChoice choice, int machine, double now) {
    return choice.offer("m" + machine, BlockChoices.rackOf(machine), now);
  }

  private static OfferAnswer.Reason reason(BlockChoice choice, int machine, double now) {
    return offer(choice, machine, now).reason();
  }

  @Test
  void slotTakesABlockOfItsMachine() {
    BlockChoice choice = anyOf(2, 2, on(1), on(2), on(3));
    OfferAnswer answer = offer(choice, 2, 0);
    assertThat(answer.reason()).isEqualTo(OfferAnswer.Reason.LOCAL);
    assertThat(answer.binding()).contains(new Binding(1, 0, "m2", BlockLocality.MACHINE, false));
    assertThat(answer.wanted()).isEqualTo(1);
    assertThat(answer.toString()).contains("block 1 of sample 0 on m2", "LOCAL");
  }

  @Test
  void slotOfAnotherMachineIsLeftUntilTheTimeout() {
    BlockChoice choice = anyOf(1, 1, on(1));
    assertThat(reason(choice, 2, 10)).isEqualTo(OfferAnswer.Reason.WAIT_FOR_LOCALITY);
    assertThat(reason(choice, 2, 10 + 0.9 * TIMEOUT))
        .isEqualTo(OfferAnswer.Reason.WAIT_FOR_LOCALITY);
    OfferAnswer late = offer(choice, 2, 10 + TIMEOUT);
    assertThat(late.reason()).isEqualTo(OfferAnswer.Reason.WAITED_ENOUGH);
    assertThat(late.waitedSeconds()).isEqualTo(TIMEOUT);
  }

  @Test
  void waitBeginsWithTheFirstSlotThatWasLeft() {
    BlockChoice choice = anyOf(2, 2, on(1), on(1));
    assertThat(reason(choice, 1, 0)).isEqualTo(OfferAnswer.Reason.LOCAL);
    assertThat(reason(choice, 2, 100)).isEqualTo(OfferAnswer.Reason.WAIT_FOR_LOCALITY);
  }

  @Test
  void localBindingBeginsTheWaitAnew() {
    BlockChoice choice = anyOf(3, 3, on(1), on(1), on(1));
    assertThat(reason(choice, 2, 0)).isEqualTo(OfferAnswer.Reason.WAIT_FOR_LOCALITY);
    assertThat(reason(choice, 1, 2)).isEqualTo(OfferAnswer.Reason.LOCAL);
    assertThat(reason(choice, 2, 4)).isEqualTo(OfferAnswer.Reason.WAIT_FOR_LOCALITY);
    assertThat(reason(choice, 2, 4 + TIMEOUT)).isEqualTo(OfferAnswer.Reason.WAITED_ENOUGH);
    assertThat(reason(choice, 2, 4 + TIMEOUT)).isEqualTo(OfferAnswer.Reason.WAITED_ENOUGH);
  }

  @Test
  void afterTheTimeoutTheNearestBlockIsTaken() {
    BlockChoice choice = anyOf(NO_WAIT, 3, 3, on(50), on(3), on(1));
    assertThat(offer(choice, 1, 0).binding().orElseThrow().nearness())
        .isEqualTo(BlockLocality.MACHINE);
    assertThat(offer(choice, 1, 0).binding().orElseThrow().nearness())
        .isEqualTo(BlockLocality.RACK);
    assertThat(offer(choice, 1, 0).binding().orElseThrow().nearness())
        .isEqualTo(BlockLocality.ELSEWHERE);
  }

  @Test
  void noMoreThanMAreBoundAndNoneOnceKAreDone() {
    BlockChoice choice = anyOf(2, 3, on(1), on(1), on(1), on(1), on(1));
    int first = bind(choice, 1, 0);
    int second = bind(choice, 1, 0);
    int third = bind(choice, 1, 0);
    assertThat(reason(choice, 1, 0)).isEqualTo(OfferAnswer.Reason.ALL_BOUND);
    choice.done(first);
    choice.released(third, BlockChoice.Ending.KILLED);
    assertThat(choice.wanted()).isEqualTo(1);
    choice.done(second);
    assertThat(reason(choice, 1, 0)).isEqualTo(OfferAnswer.Reason.ENOUGH_DONE);
    assertThat(choice.wanted()).isZero();
    assertThat(choice.missing()).isZero();
  }

  @Test
  void failedBlockIsReadAgainAndNotExchanged() {
    BlockChoice choice = anyOf(1, 1, on(1), on(1), on(2));
    int block = bind(choice, 1, 0);
    choice.released(block, BlockChoice.Ending.FAILED);
    assertThat(reason(choice, 2, 1)).isEqualTo(OfferAnswer.Reason.WAIT_FOR_LOCALITY);
    Binding again = offer(choice, 1, 1).binding().orElseThrow();
    assertThat(again.block()).isEqualTo(block);
    assertThat(again.again()).isTrue();
  }

  @Test
  void failedBlockMayBeExchangedWhereThatIsAllowed() {
    BlockChoice choice = anyOf(NO_WAIT, 1, 1, on(1), on(2));
    choice.released(bind(choice, 1, 0), BlockChoice.Ending.FAILED);
    assertThat(bind(choice, 2, 1)).isEqualTo(1);
  }

  @Test
  void killedBlockMayBeExchangedForOneThatIsLocal() {
    BlockChoice choice = anyOf(1, 1, on(1), on(2));
    choice.released(bind(choice, 1, 0), BlockChoice.Ending.KILLED);
    assertThat(bind(choice, 2, 1)).isEqualTo(1);
  }

  @Test
  void freshBlockDoesNotTakeThePlaceOfOneThatIsOwed() {
    BlockChoice choice = anyOf(2, 2, on(1), on(2), on(3));
    choice.released(bind(choice, 1, 0), BlockChoice.Ending.FAILED);
    assertThat(bind(choice, 2, 0)).isEqualTo(1);
    assertThat(reason(choice, 3, 0)).isEqualTo(OfferAnswer.Reason.WAIT_FOR_LOCALITY);
    assertThat(bind(choice, 3, TIMEOUT)).isZero();
  }

  @Test
  void firstLocalOfferDoesNotChooseASampleBeforeOthersWereSeen() {
    BlockChoice choice = oneOf(List.of(List.of(0, 1), List.of(2, 3)), on(1), on(2), on(3), on(4));
    assertThat(reason(choice, 1, 0)).isEqualTo(OfferAnswer.Reason.WAIT_FOR_SAMPLE);
    assertThat(reason(choice, 3, 0.1)).isEqualTo(OfferAnswer.Reason.WAIT_FOR_SAMPLE);
    assertThat(choice.sample()).isEmpty();
    assertThat(bind(choice, 4, 0.2)).isEqualTo(3);
    assertThat(choice.sample()).hasValue(1);
    assertThat(reason(choice, 1, 0.2)).isEqualTo(OfferAnswer.Reason.WAIT_FOR_LOCALITY);
    assertThat(bind(choice, 3, 0.2)).isEqualTo(2);
  }

  @Test
  void sampleWithTheMostBlocksWithinReachIsChosenWhenTheTimeIsOver() {
    BlockChoice choice =
        oneOf(
            List.of(List.of(0, 1, 2), List.of(3, 4, 5)), on(1), on(9), on(9), on(2), on(3), on(9));
    choice.see("m1", 0);
    choice.see("m2", 0);
    choice.see("m3", 0);
    assertThat(reason(choice, 1, 1)).isEqualTo(OfferAnswer.Reason.WAIT_FOR_LOCALITY);
    assertThat(bind(choice, 2, 1)).isEqualTo(3);
    assertThat(bind(choice, 3, 1)).isEqualTo(4);
    assertThat(reason(choice, 40, 2)).isEqualTo(OfferAnswer.Reason.WAIT_FOR_LOCALITY);
    assertThat(bind(choice, 40, 2 + TIMEOUT)).isEqualTo(5);
  }

  @Test
  void fixedSampleIsAllThatIsReadFromThenOn() {
    BlockChoice choice = anyOf(2, 3, on(1), on(1), on(1), on(1));
    int first = bind(choice, 1, 0);
    int second = bind(choice, 1, 0);
    int third = bind(choice, 1, 0);
    choice.done(first);
    choice.done(third);
    SampleRecord record = choice.fix(List.of(first, third));
    assertThat(record.used()).containsExactlyInAnyOrder(first, third);
    choice.released(second, BlockChoice.Ending.KILLED);
    assertThat(choice.wanted()).isZero();
    choice.released(third, BlockChoice.Ending.OUTPUT_LOST);
    assertThat(choice.wanted()).isEqualTo(1);
    assertThat(bind(choice, 1, 5)).isEqualTo(third);
    choice.released(third, BlockChoice.Ending.KILLED);
    assertThat(bind(choice, 1, 5)).isEqualTo(third);
    choice.done(third);
    assertThat(choice.missing()).isZero();
    assertThat(choice.record()).contains(record);
    assertThatIllegalStateException().isThrownBy(() -> choice.fix(List.of(first, third)));
  }

  @Test
  void onlyBlocksThatAreDoneCanBeFixed() {
    BlockChoice choice = anyOf(2, 3, on(1), on(1), on(1));
    int first = bind(choice, 1, 0);
    int second = bind(choice, 1, 0);
    choice.done(first);
    assertThatIllegalStateException()
        .isThrownBy(() -> choice.fix(List.of(first, second)))
        .withMessage("block " + second + " is BOUND, not DONE");
    assertThatIllegalArgumentException().isThrownBy(() -> choice.fix(List.of(first)));
    assertThatIllegalArgumentException().isThrownBy(() -> choice.fix(List.of(first, first)));
  }

  @Test
  void blocksOfAMachineAreNotTakenInTheOrderOfTheFile() {
    Set<Integer> first = new HashSet<>();
    for (int seed = 0; seed < 100; seed++) {
      BlockChoice choice =
          BlockChoice.anyOf(
              Collections.nCopies(10, on(1)),
              1,
              1,
              SamplingSettings.KMN,
              new SplittableRandom(seed));
      first.add(bind(choice, 1, 0));
    }
    assertThat(first).hasSize(10);
  }

  @Test
  void badArgumentsAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> anyOf(0, 1, on(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> anyOf(2, 2, on(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> anyOf(2, 1, on(1), on(2)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> oneOf(List.of(List.of(0), List.of(0)), on(1)))
        .withMessage("block 0 is in the samples twice");
    assertThatIllegalArgumentException().isThrownBy(() -> oneOf(List.of(List.of(1)), on(1)));
    BlockChoice choice = anyOf(1, 1, on(1));
    assertThatIllegalStateException().isThrownBy(() -> choice.done(0));
    assertThatIllegalArgumentException().isThrownBy(() -> choice.done(1));
    assertThatIllegalStateException()
        .isThrownBy(() -> choice.released(0, BlockChoice.Ending.KILLED));
    assertThatIllegalArgumentException().isThrownBy(() -> offer(choice, 1, Double.NaN));
  }

  @Test
  void allBlocksAreReadEachOnceAndOfAMachinesBlocksTheFirstOfTheOrder() {
    List<InputBlock> blocks = List.of(on(1), on(1, 2), on(2), on(1));
    BlockChoice choice = BlockChoice.allOf(blocks, List.of(3, 1, 0, 2), SamplingSettings.KMN);
    assertThat(bind(choice, 1, 0)).isEqualTo(3);
    assertThat(bind(choice, 1, 0)).isEqualTo(1);
    assertThat(bind(choice, 2, 0)).isEqualTo(2);
    assertThat(reason(choice, 2, 0)).isEqualTo(OfferAnswer.Reason.WAIT_FOR_LOCALITY);
    assertThat(bind(choice, 2, TIMEOUT)).isZero();
    assertThat(choice.wanted()).isZero();
  }

  @Test
  void anOrderNamesEachBlockOnce() {
    List<InputBlock> blocks = List.of(on(1), on(2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockChoice.allOf(blocks, List.of(0), SamplingSettings.KMN))
        .withMessageContaining("the order is of 1 blocks, and there are 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockChoice.allOf(blocks, List.of(0, 0), SamplingSettings.KMN))
        .withMessageContaining("block 0 is in the samples twice");
  }
}
