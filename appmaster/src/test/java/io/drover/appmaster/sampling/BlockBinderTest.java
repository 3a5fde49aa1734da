// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static io.drover.appmaster.sampling.BlockBinders.attempt;
import static io.drover.appmaster.sampling.BlockBinders.bind;
import static io.drover.appmaster.sampling.BlockBinders.binder;
import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.sampling.OfferAnswer.Reason;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class BlockBinderTest {
  /** Offers a container to a map's first attempt. */
  private static Reason offer(BlockBinder binder, int map, String host, double now) {
    return binder.offer(attempt(map, 0), host, "/r", now).reason();
  }

  // --- first containers

  @Test
  void mapTakesABlockOfItsFirstNodeAndKeepsIt() {
    BlockBinder binder = binder(1, 2, "h0", "h1", "h2");
    assertThat(binder.isUnbound(0)).isTrue();
    assertThat(binder.blockOf(0)).isEmpty();
    assertThat(offer(binder, 0, "h1", 0)).isEqualTo(Reason.LOCAL);
    assertThat(binder.isUnbound(0)).isTrue(); // until the attempt starts
    assertThat(bind(binder, 0, 0, "h1")).isEqualTo(1);
    assertThat(binder.isUnbound(0)).isFalse();
    assertThat(binder.isWaiting(attempt(0, 1))).isFalse();
    assertThat(binder.blockOf(0)).hasValue(1);
    assertThat(binder.open()).containsExactly(0, 2);
    assertThat(binder.wanted()).isEqualTo(1);
  }

  @Test
  void containerThatHadoopAssignsWithoutAnOfferTakesTheNearestBlock() {
    BlockBinder binder = binder(1, 2, "h0", "h1");
    assertThat(bind(binder, 0, 0, "h1")).isEqualTo(1);
    assertThat(bind(binder, 1, 0, "elsewhere")).isZero();
  }

  @Test
  void containerOfANodeWithoutABlockIsLeftForAWhile() {
    BlockBinder binder = binder(1, 1, "h0");
    assertThat(offer(binder, 0, "h9", 0)).isEqualTo(Reason.WAIT_FOR_LOCALITY);
    assertThat(offer(binder, 0, "h9", 2.9)).isEqualTo(Reason.WAIT_FOR_LOCALITY);
    assertThat(offer(binder, 0, "h9", 3)).isEqualTo(Reason.WAITED_ENOUGH);
    assertThat(bind(binder, 0, 0, "h9")).isZero();
  }

  @Test
  void nothingIsOfferedToAMapWithABlock() {
    BlockBinder binder = binder(1, 2, "h0", "h1");
    bind(binder, 0, 0, "h0");
    assertThat(binder.offer(attempt(0, 1), "h1", "/r", 0).binding()).isEmpty();
    assertThat(binder.open()).containsExactly(1);
  }

  // --- reservations

  @Test
  void offeredBlockIsReservedUntilTheAttemptStarts() {
    BlockBinder binder = binder(1, 2, "h0 h1", "h1");
    offer(binder, 0, "h0", 0);
    assertThat(bind(binder, 1, 0, "h0")).isEqualTo(1);
    assertThat(bind(binder, 0, 0, "h1")).isZero(); // wherever it starts
  }

  @Test
  void attemptThatEndsBeforeItStartsGivesItsBlockBack() {
    BlockBinder binder = binder(1, 1, "h0", "h1");
    offer(binder, 0, "h0", 0);
    assertThat(binder.wanted()).isZero();
    binder.ended(attempt(0, 0), false);
    assertThat(binder.open()).containsExactly(0, 1);
    assertThat(binder.wanted()).isEqualTo(1);
    assertThat(binder.isWaiting(attempt(0, 0))).isFalse();
    assertThat(binder.isWaiting(attempt(0, 1))).isTrue();
    assertThat(offer(binder, 0, "h0", 0)).isEqualTo(Reason.ENOUGH_DONE); // it has ended
    assertThat(binder.open()).hasSize(2);
  }

  @Test
  void secondOfferReplacesTheFirst() {
    BlockBinder binder = binder(1, 2, "h0", "h1");
    offer(binder, 0, "h0", 0);
    offer(binder, 0, "h1", 0);
    assertThat(binder.open()).containsExactly(0);
    assertThat(bind(binder, 0, 0, "h1")).isEqualTo(1);
  }

  @Test
  void ofTwoAttemptsWithReservationsTheFirstToStartDecides() {
    BlockBinder binder = binder(1, 2, "h0", "h1", "h2");
    offer(binder, 0, "h0", 0);
    assertThat(binder.offer(attempt(0, 1), "h1", "/r", 0).binding()).isPresent();
    assertThat(bind(binder, 0, 1, "h1")).isEqualTo(1);
    assertThat(binder.wanted()).isZero(); // the reservation of the other attempt
    assertThat(bind(binder, 0, 0, "h5")).isEqualTo(1);
    assertThat(binder.wanted()).isEqualTo(1);
    assertThat(binder.open()).containsExactly(0, 2);
  }

  @Test
  void attemptWithoutAnOfferTakesOverTheLastBlockIfItWasReservedForItsMap() {
    BlockBinder binder = binder(1, 1, "h0", "h1");
    offer(binder, 0, "h0", 0);
    assertThat(bind(binder, 0, 1, "h1")).isZero();
    assertThat(bind(binder, 0, 0, "h0")).isZero();
    assertThat(binder.open()).containsExactly(1);
  }

  @Test
  void attemptDoesNotTakeOverWhatWasReservedForAnotherMap() {
    BlockBinder binder = binder(1, 2, "h0", "h1", "h2");
    offer(binder, 0, "h0", 0);
    binder.offer(attempt(0, 1), "h1", "/r", 0);
    assertThat(binder.bind(attempt(1, 0), "h2", "/r")).isEmpty();
    assertThat(binder.countsFor(attempt(1, 0))).isFalse();
    bind(binder, 0, 0, "h0");
    bind(binder, 0, 1, "h0");
    assertThat(binder.openCount()).isEqualTo(2);
    assertThat(bind(binder, 1, 1, "h2")).isEqualTo(2);
  }

  @Test
  void mapThatIsDroppedGetsNoBlock() {
    BlockBinder binder = binder(1, 2, "h0", "h1");
    binder.dropped(0);
    binder.dropped(0);
    assertThat(binder.isUnbound(0)).isFalse();
    assertThat(binder.isWaiting(attempt(0, 0))).isFalse();
    assertThat(offer(binder, 0, "h0", 0)).isEqualTo(Reason.ENOUGH_DONE);
    assertThat(binder.open()).hasSize(2);
  }

  // --- second attempts

  @Test
  void attemptAfterAKilledOneTakesABlockOfItsOwnNode() {
    BlockBinder binder = binder(1, 1, "h0", "h1");
    bind(binder, 0, 0, "h0");
    binder.ended(attempt(0, 0), false);
    assertThat(bind(binder, 0, 1, "h1")).isEqualTo(1);
    assertThat(binder.blockOf(0)).hasValue(1);
    assertThat(binder.open()).containsExactly(0);
    assertThat(binder.countsFor(attempt(0, 1))).isTrue();
    assertThat(binder.countsFor(attempt(0, 0))).isFalse();
  }

  @Test
  void attemptAfterAKilledOneReadsTheSameBlockIfItsNodeHasItOrNoOther() {
    BlockBinder binder = binder(1, 1, "h0 h2", "h1", "h2");
    bind(binder, 0, 0, "h0");
    binder.ended(attempt(0, 0), false);
    assertThat(bind(binder, 0, 1, "h2")).isZero();
    binder.ended(attempt(0, 1), false);
    assertThat(bind(binder, 0, 2, "h9")).isZero();
  }

  @Test
  void blockOnWhichTheProgramFailedIsReadAgain() {
    BlockBinder binder = binder(1, 1, "h0", "h1");
    bind(binder, 0, 0, "h0");
    binder.ended(attempt(0, 0), true);
    assertThat(bind(binder, 0, 1, "h1")).isZero();
    binder.ended(attempt(0, 1), false);
    assertThat(bind(binder, 0, 2, "h1")).isZero();
    assertThat(bind(binder, 0, 3, "h1")).isZero(); // nor is another read beside it
    assertThat(binder.open()).containsExactly(1);
  }

  /** Beside another attempt, a failure ends as a kill; the block must stay in the sample anyhow. */
  @Test
  void blockOfAnExcusedFailureIsReadAgainAndTheOtherAttemptIsAStray() {
    BlockBinder binder = binder(1, 1, "h0", "h1");
    bind(binder, 0, 0, "h0");
    assertThat(bind(binder, 0, 1, "h1")).isEqualTo(1);
    binder.failedByItself(attempt(0, 0));
    binder.ended(attempt(0, 0), false);
    assertThat(binder.strays(0)).containsExactly(attempt(0, 1));
    binder.ended(attempt(0, 1), false);
    assertThat(bind(binder, 0, 2, "h1")).isZero();
  }

  @Test
  void attemptBesideAnotherReadsABlockOfItsOwnNode() {
    BlockBinder binder = binder(1, 1, "h0", "h1");
    bind(binder, 0, 0, "h0");
    assertThat(bind(binder, 0, 1, "h1")).isEqualTo(1);
    assertThat(binder.blockOf(0)).hasValue(0);
    assertThat(binder.open()).isEmpty();
    assertThat(binder.countsFor(attempt(0, 0))).isTrue();
    assertThat(binder.countsFor(attempt(0, 1))).isFalse();
  }

  @Test
  void attemptBesideAnotherReadsTheSameBlockIfNoneCanBeSpared() {
    BlockBinder binder = binder(1, 2, "h0", "h1");
    bind(binder, 0, 0, "h0");
    assertThat(bind(binder, 0, 1, "h1")).isZero(); // the other map needs the other block
    assertThat(binder.countsFor(attempt(0, 1))).isTrue();
  }

  @Test
  void attemptThatSucceedsFirstDecidesWhichBlockItsMapHasRead() {
    BlockBinder binder = binder(1, 1, "h0", "h1");
    bind(binder, 0, 0, "h0");
    bind(binder, 0, 1, "h1");
    assertThat(binder.succeeded(attempt(0, 1))).isTrue();
    assertThat(binder.blockOf(0)).hasValue(1);
    assertThat(binder.successOf(0)).hasValue(1);
    assertThat(binder.missing()).isZero();
    assertThat(binder.countsFor(attempt(0, 1))).isTrue();
    assertThat(binder.succeeded(attempt(0, 0))).isFalse();
    assertThat(binder.decide(attempt(0, 0))).isFalse();
    assertThat(binder.countsFor(attempt(0, 0))).isFalse();
    binder.ended(attempt(0, 0), false);
    assertThat(binder.state().reads()).containsOnlyKeys(attempt(0, 1));
    assertThat(binder.blockOf(0)).hasValue(1);
  }

  @Test
  void blockBesideAnotherIsFreeWhenItsAttemptEnds() {
    for (boolean byItself : new boolean[] {true, false}) {
      BlockBinder binder = binder(1, 1, "h0", "h1");
      bind(binder, 0, 0, "h0");
      bind(binder, 0, 1, "h1");
      binder.ended(attempt(0, 1), byItself);
      assertThat(binder.open()).containsExactly(1);
      assertThat(binder.succeeded(attempt(0, 0))).isTrue();
      assertThat(binder.blockOf(0)).hasValue(0);
    }
  }

  @Test
  void blockThatNobodyReadsAnyMoreIsFreeWhenAnotherIsDecidedOn() {
    BlockBinder binder = binder(1, 1, "h0", "h1");
    bind(binder, 0, 0, "h0");
    bind(binder, 0, 1, "h1");
    binder.ended(attempt(0, 0), false);
    assertThat(binder.open()).isEmpty();
    assertThat(binder.decide(attempt(0, 1))).isTrue();
    assertThat(binder.open()).containsExactly(0);
  }

  @Test
  void attemptsOfAChosenMapReadItsBlock() {
    BlockBinder binder = binder(2, 2, "h0", "h1", "h2");
    bind(binder, 0, 0, "h0");
    assertThat(binder.choose(0)).isTrue();
    assertThat(bind(binder, 0, 1, "h1")).isZero();
    binder.ended(attempt(0, 0), false);
    binder.ended(attempt(0, 1), false);
    assertThat(bind(binder, 0, 2, "h2")).isZero();
  }

  @Test
  void attemptsOfAnotherBlockAreStraysOnceTheMapStaysWithItsOwn() {
    for (boolean isChosen : new boolean[] {true, false}) {
      BlockBinder binder = binder(1, 1, "h0", "h1");
      bind(binder, 0, 0, "h0");
      bind(binder, 0, 1, "h1");
      bind(binder, 0, 2, "h0");
      assertThat(binder.strays(0)).isEmpty();
      if (isChosen) {
        binder.choose(0);
      } else {
        binder.ended(attempt(0, 0), true);
      }
      assertThat(binder.strays(0)).containsExactly(attempt(0, 1));
      binder.ended(attempt(0, 1), false);
      assertThat(binder.strays(0)).isEmpty();
    }
  }

  // --- success, losses

  @Test
  void lostOutputIsReadAgainFromTheNextNode() {
    BlockBinder binder = binder(1, 1, "h0", "h1");
    bind(binder, 0, 0, "h0");
    binder.succeeded(attempt(0, 0));
    assertThat(binder.missing()).isZero();
    binder.ended(attempt(0, 0), true); // as after failed fetches
    assertThat(binder.missing()).isEqualTo(1);
    assertThat(binder.finished()).isEmpty();
    assertThat(binder.successOf(0)).isEmpty();
    assertThat(bind(binder, 0, 1, "h1")).isEqualTo(1);
    assertThat(binder.succeeded(attempt(0, 1))).isTrue();
  }

  @Test
  void lostOutputOfAChosenMapIsReadAgainFromItsBlock() {
    BlockBinder binder = binder(1, 1, "h0", "h1");
    bind(binder, 0, 0, "h0");
    binder.succeeded(attempt(0, 0));
    binder.choose(0);
    binder.ended(attempt(0, 0), false);
    assertThat(binder.isComplete()).isTrue();
    assertThat(bind(binder, 0, 1, "h1")).isZero();
    assertThat(binder.succeeded(attempt(0, 1))).isTrue();
    assertThat(binder.isChosen(0)).isTrue();
  }

  @Test
  void successIsNewsOnceAndOnlyWithABlock() {
    BlockBinder binder = binder(1, 2, "h0", "h1");
    assertThat(binder.succeeded(attempt(0, 0))).isFalse();
    bind(binder, 0, 0, "h0");
    bind(binder, 0, 1, "h0");
    assertThat(binder.succeeded(attempt(0, 0))).isTrue();
    assertThat(binder.succeeded(attempt(0, 0))).isFalse();
    assertThat(binder.succeeded(attempt(0, 1))).isFalse();
    assertThat(binder.finished()).containsExactly(0);
  }

  @Test
  void mapsAreFinishedInTheOrderOfTheirSuccess() {
    BlockBinder binder = binder(2, 3, "h0", "h1", "h2");
    for (int map = 0; map < 3; map++) {
      bind(binder, map, 0, "h" + map);
    }
    binder.succeeded(attempt(2, 0));
    binder.succeeded(attempt(0, 0));
    binder.succeeded(attempt(1, 0));
    assertThat(binder.finished()).containsExactly(2, 0, 1);
    binder.ended(attempt(2, 0), false);
    assertThat(binder.finished()).containsExactly(0, 1);
    assertThat(binder.missing()).isZero();
  }

  // --- maps that are dropped

  @Test
  void blockOfADroppedMapIsFree() {
    BlockBinder binder = binder(1, 2, "h0", "h1");
    bind(binder, 0, 0, "h0");
    binder.ended(attempt(0, 0), false);
    binder.dropped(0);
    assertThat(binder.open()).containsExactly(0, 1);
    assertThat(binder.blockOf(0)).isEmpty();
    assertThat(binder.isUnbound(0)).isFalse();
  }

  @Test
  void blockOfADroppedMapIsFreeWhenItsLastAttemptEnds() {
    BlockBinder binder = binder(1, 2, "h0", "h1", "h2");
    bind(binder, 0, 0, "h0");
    bind(binder, 0, 1, "h1");
    binder.dropped(0);
    assertThat(binder.open()).containsExactly(2);
    binder.ended(attempt(0, 0), false);
    assertThat(binder.open()).contains(0, 2);
    binder.ended(attempt(0, 1), false);
    assertThat(binder.open()).containsExactly(0, 1, 2);
    assertThat(binder.blockOf(0)).isEmpty();
    assertThat(binder.state().reads()).isEmpty();
  }

  @Test
  void attemptOfADroppedMapDecidesNothing() {
    BlockBinder binder = binder(1, 1, "h0", "h1");
    bind(binder, 0, 0, "h0");
    bind(binder, 0, 1, "h1");
    binder.ended(attempt(0, 0), false);
    binder.dropped(0);
    assertThat(binder.decide(attempt(0, 1))).isFalse();
    assertThat(binder.succeeded(attempt(0, 1))).isFalse();
    assertThat(binder.choose(0)).isFalse();
  }

  @Test
  void mapThatIsBeingKilledIsNotChosen() {
    BlockBinder binder = binder(1, 2, "h0", "h1");
    bind(binder, 0, 0, "h0");
    binder.dropped(0);
    assertThat(binder.choose(0)).isFalse();
    assertThat(binder.chosen()).isEmpty();
  }

  @Test
  void droppedMapThatHasSucceededKeepsItsBlock() {
    BlockBinder binder = binder(1, 2, "h0", "h1");
    bind(binder, 0, 0, "h0");
    binder.succeeded(attempt(0, 0));
    binder.dropped(0);
    assertThat(binder.blockOf(0)).hasValue(0);
    assertThat(binder.choose(0)).isTrue();
  }

  // --- the choice

  @Test
  void kMapsWithBlocksAreChosen() {
    BlockBinder binder = binder(2, 3, "h0", "h1", "h2");
    assertThat(binder.choose(0)).isFalse();
    for (int map = 0; map < 3; map++) {
      bind(binder, map, 0, "h" + map);
    }
    assertThat(binder.choose(2)).isTrue();
    assertThat(binder.isComplete()).isFalse();
    assertThat(binder.choose(2)).isTrue();
    assertThat(binder.choose(0)).isTrue();
    assertThat(binder.isComplete()).isTrue();
    assertThat(binder.choose(1)).isFalse();
    assertThat(binder.chosen()).containsExactly(0, 2);
    assertThat(binder.isChosen(1)).isFalse();
    assertThat(binder.isChosen(2)).isTrue();
  }

  @Test
  void nothingIsBoundOnceKAreChosen() {
    BlockBinder binder = binder(1, 3, "h0", "h1", "h2");
    offer(binder, 1, "h1", 0);
    bind(binder, 0, 0, "h0");
    binder.choose(0);
    assertThat(binder.wanted()).isZero();
    assertThat(binder.openCount()).isZero();
    assertThat(binder.open()).isEmpty();
    assertThat(offer(binder, 2, "h2", 0)).isEqualTo(Reason.ENOUGH_DONE);
    assertThat(binder.bind(attempt(2, 0), "h2", "/r")).isEmpty();
    assertThat(bind(binder, 1, 0, "h1")).isEqualTo(1); // unless it was reserved before
    assertThat(bind(binder, 1, 1, "h2")).isEqualTo(1);
  }

  @Test
  void attemptThatMayCommitMakesItsBlockTheMaps() {
    BlockBinder binder = binder(1, 1, "h0", "h1");
    bind(binder, 0, 0, "h0");
    bind(binder, 0, 1, "h1");
    assertThat(binder.decide(attempt(0, 1))).isTrue();
    assertThat(binder.blockOf(0)).hasValue(1);
    assertThat(binder.decide(attempt(0, 0))).isTrue(); // nothing was committed yet
    assertThat(binder.blockOf(0)).hasValue(0);
    assertThat(binder.choose(0)).isTrue();
    assertThat(binder.decide(attempt(0, 1))).isFalse();
    assertThat(binder.succeeded(attempt(0, 1))).isFalse();
    assertThat(binder.decide(attempt(0, 2))).isFalse(); // it reads nothing
    assertThat(binder.succeeded(attempt(0, 0))).isTrue();
  }

  // --- the state

  @Test
  void everyChangeHasAHigherVersion() {
    BlockBinder binder = binder(1, 1, "h0", "h1");
    long version = binder.version();
    bind(binder, 0, 0, "h0");
    assertThat(binder.version()).isGreaterThan(version);
    version = binder.version();
    bind(binder, 0, 1, "h1");
    assertThat(binder.version()).isGreaterThan(version);
    version = binder.version();
    binder.decide(attempt(0, 1));
    assertThat(binder.version()).isGreaterThan(version);
    version = binder.version();
    binder.ended(attempt(0, 0), false);
    assertThat(binder.version()).isGreaterThan(version);
    version = binder.version();
    binder.choose(0);
    assertThat(binder.version()).isGreaterThan(version);
    assertThat(binder.state())
        .isEqualTo(
            new SampleState(
                binder.version(),
                true,
                2,
                1,
                List.of(),
                OptionalInt.of(0),
                List.of(1),
                Map.of(attempt(0, 1), 1),
                List.of(),
                List.of(0)));
  }
}
