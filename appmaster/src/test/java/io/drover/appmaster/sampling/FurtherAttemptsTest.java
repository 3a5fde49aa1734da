// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static io.drover.appmaster.sampling.BlockBinders.attempt;
import static io.drover.appmaster.sampling.BlockBinders.bind;
import static io.drover.appmaster.sampling.BlockBinders.binder;
import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.sampling.InputBlock.BlockLocality;
import org.junit.jupiter.api.Test;

/** Tests where further attempts of maps that have a block may run, and what they read there. */
class FurtherAttemptsTest {
  @Test
  void furtherAttemptMayTakeAnyUnusedBlockUntilItsMapMustStay() {
    BlockBinder binder = binder(1, 2, "h0", "h1", "h2");
    assertThat(binder.alternatives(0, false)).isEmpty(); // it has no block to replace
    bind(binder, 0, 0, "h0");
    assertThat(binder.alternatives(0, false)).containsExactly(1, 2);
    binder.ended(attempt(0, 0), false);
    assertThat(binder.alternatives(0, false)).containsExactly(1, 2);
    bind(binder, 0, 1, "h0");
    binder.ended(attempt(0, 1), true); // blocks on which a program fails stay in the sample
    assertThat(binder.alternatives(0, false)).isEmpty();
    bind(binder, 1, 0, "h1");
    binder.succeeded(attempt(1, 0));
    assertThat(binder.alternatives(1, false)).isEmpty();
  }

  @Test
  void attemptBesideALivingOneAsksForOtherBlocksOnlyIfSomeCanBeSpared() {
    BlockBinder binder = binder(1, 2, "h0", "h1");
    bind(binder, 0, 0, "h0");
    assertThat(binder.alternatives(0, true)).isEmpty(); // the other map needs block 1
    assertThat(binder.alternatives(0, false)).containsExactly(1); // an exchange leaves as many
    BlockBinder larger = binder(1, 2, "h0", "h1", "h2");
    bind(larger, 0, 0, "h0");
    assertThat(larger.alternatives(0, true)).containsExactly(1, 2);
  }

  @Test
  void furtherAttemptIsAsNearAsTheBlockThatItWouldReadNow() {
    BlockBinder binder = binder(1, 2, "h0", "h1", "h2");
    assertThat(binder.nearness(0, "h0", "/r")).isEmpty();
    bind(binder, 0, 0, "h0");
    assertThat(binder.nearness(0, "h0", "/r")).hasValue(BlockLocality.MACHINE);
    assertThat(binder.nearness(0, "h1", "/r")).hasValue(BlockLocality.MACHINE); // another block
    bind(binder, 1, 0, "h1");
    assertThat(binder.nearness(0, "h1", "/r")).hasValue(BlockLocality.RACK); // which is taken
    assertThat(binder.nearness(0, "h9", "/s")).hasValue(BlockLocality.ELSEWHERE);
    binder.ended(attempt(0, 0), true); // blocks on which a program fails stay in the sample
    assertThat(binder.nearness(0, "h2", "/r")).hasValue(BlockLocality.RACK);
  }
}
