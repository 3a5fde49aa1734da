// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static io.drover.appmaster.sampling.BlockBinders.attempt;
import static io.drover.appmaster.sampling.BlockBinders.bind;
import static io.drover.appmaster.sampling.BlockBinders.binder;
import static io.drover.appmaster.sampling.SampleState.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.drover.appmaster.sampling.SampleState.MapAttempt;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An AppMaster begins with the state that the one before it has left. */
class RestoredBlockBinderTest {
  private static SampleState state(
      int needed, List<Integer> blockOf, Map<MapAttempt, Integer> reads, Integer... chosen) {
    return new SampleState(
        7,
        true,
        4,
        needed,
        List.of(),
        OptionalInt.of(0),
        blockOf,
        reads,
        List.of(),
        List.of(chosen));
  }

  /** Returns what an AppMaster begins with after one that has left a state; N is 4. */
  private static BlockBinder restored(SampleState state, MapAttempt... recovered) {
    BlockBinder binder =
        new BlockBinder(
            BlockBinders.choice(state.needed(), state.maps(), "h0", "h1", "h2", "h3"), state);
    binder.restore(state, Set.of(recovered));
    return binder;
  }

  @Test
  void nextAppMasterBeginsWithTheBlocksOfTheLast() {
    BlockBinder binder =
        restored(
            state(2, List.of(2, NONE, 1), Map.of(attempt(0, 0), 2, attempt(2, 0), 1), 2),
            attempt(0, 0));
    assertThat(binder.version()).isGreaterThan(7);
    assertThat(binder.countsFor(attempt(0, 0))).isTrue();
    assertThat(binder.countsFor(attempt(2, 0))).isFalse(); // not recovered
    assertThat(binder.succeeded(attempt(0, 0))).isTrue();
    assertThat(binder.missing()).isEqualTo(1);
    assertThat(binder.open()).containsExactly(0, 3);
    assertThat(binder.isUnbound(1)).isTrue();
    assertThat(binder.isChosen(2)).isTrue();
    assertThat(bind(binder, 2, 1000, "h3")).isEqualTo(1); // it is chosen
    assertThat(bind(binder, 1, 1000, "h3")).isEqualTo(3);
  }

  @Test
  void attemptThatIsNotInTheStateDoesNotCount() {
    BlockBinder binder = restored(state(1, List.of(2), Map.of()), attempt(0, 3));
    assertThat(binder.countsFor(attempt(0, 3))).isFalse();
    assertThat(binder.succeeded(attempt(0, 3))).isFalse();
    assertThat(binder.blockOf(0)).hasValue(2);
    assertThat(binder.open()).containsExactly(0, 1, 3);
  }

  @Test
  void mapThatRunsAgainMayTakeABlockOfItsNewNode() {
    BlockBinder binder = restored(state(1, List.of(2), Map.of(attempt(0, 0), 2)));
    assertThat(bind(binder, 0, 1000, "h1")).isEqualTo(1);
    assertThat(binder.open()).containsExactly(0, 2, 3);
  }

  @Test
  void recoveredAttemptThatReadAnotherBlockThanItsMapDecides() {
    // attempt 1 ran beside attempt 0, and the state was not written after its success
    BlockBinder binder =
        restored(
            state(1, List.of(2, NONE), Map.of(attempt(0, 0), 2, attempt(0, 1), 3)), attempt(0, 1));
    assertThat(binder.blockOf(0)).hasValue(3);
    assertThat(binder.countsFor(attempt(0, 1))).isTrue();
    assertThat(binder.open()).containsExactly(0, 1, 2);
    assertThat(binder.succeeded(attempt(0, 1))).isTrue();
    assertThat(binder.missing()).isZero();
  }

  @Test
  void recoveredAttemptChangesNoChosenMap() {
    BlockBinder binder =
        restored(
            state(1, List.of(2, NONE), Map.of(attempt(0, 0), 2, attempt(0, 1), 3), 0),
            attempt(0, 1));
    assertThat(binder.blockOf(0)).hasValue(2); // it may have been committed
    assertThat(binder.countsFor(attempt(0, 1))).isFalse();
    assertThat(bind(binder, 0, 1000, "h1")).isEqualTo(2);
  }

  @Test
  void mapWhoseBlockAnotherMapHasReadTakesAnother() {
    BlockBinder binder = restored(state(1, List.of(3, 2), Map.of(attempt(0, 0), 2)), attempt(0, 0));
    assertThat(binder.blockOf(0)).hasValue(2);
    assertThat(binder.isUnbound(1)).isTrue();
    assertThat(binder.open()).containsExactly(0, 1, 3);
    assertThat(bind(binder, 1, 1000, "h3")).isEqualTo(3);
  }

  @Test
  void nothingIsRestoredBeforeASampleIsChosen() {
    SampleState before = SampleState.unbound(4, 1, 2, List.of());
    BlockBinder binder = restored(before);
    assertThat(binder.open()).hasSize(4);
    assertThat(binder.wanted()).isEqualTo(2);
  }

  @Test
  void blockOnWhichTheProgramFailedIsReadAgainByTheNextAppMaster() {
    BlockBinder binder = binder(1, 1, "h0", "h1", "h2", "h3");
    bind(binder, 0, 0, "h0");
    binder.ended(attempt(0, 0), true);
    BlockBinder next = restored(binder.state());
    assertThat(bind(next, 0, 1000, "h1")).isZero();
  }
}
