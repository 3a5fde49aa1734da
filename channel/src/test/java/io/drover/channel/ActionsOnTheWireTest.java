// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.channel.proto.ChannelProtos.ActionKindProto;
import io.drover.channel.proto.ChannelProtos.ActionTotalsProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Sums of actions in reports, from AppMasters that are newer, older, or hostile. */
class ActionsOnTheWireTest {
  private static final ActionTotalsProto GOOD =
      ActionTotalsProto.newBuilder()
          .setKind(ActionKindProto.COPY)
          .setLaunched(5)
          .setWon(3)
          .setLost(2)
          .setWastedMillis(40)
          .setSavedMillis(90)
          .build();

  private static Map<ActionKind, ActionTotals> read(ActionTotalsProto... actions)
      throws BadMessageException {
    return ReportCodec.read(
            ReportProto.newBuilder().setSequence(1).addAllActions(List.of(actions)).build())
        .actions();
  }

  @Test
  void sumsAreReadByKind() throws BadMessageException {
    assertThat(read(GOOD))
        .containsExactly(Map.entry(ActionKind.COPY, new ActionTotals(5, 3, 2, 40, 90)));
  }

  @ParameterizedTest
  @EnumSource
  void eachKindHasANameOnTheWire(ActionKind kind) throws BadMessageException {
    ActionKindProto there = ActionKindProto.valueOf(kind.name());
    assertThat(read(GOOD.toBuilder().setKind(there).build())).containsOnlyKeys(kind);
  }

  @Test
  void kindsThatOnlyANewerAppMasterKnowsAreIgnored() throws BadMessageException {
    ActionTotalsProto newer = GOOD.toBuilder().setKindValue(77).build();
    assertThat(read(newer, GOOD, newer)).containsOnlyKeys(ActionKind.COPY);
  }

  static Stream<Arguments> badSums() {
    return Stream.of(
        bad("allowed: 0 and more", it -> it.setLaunched(-1)),
        bad("won is 6; allowed: 0 to 5", it -> it.setWon(6)),
        bad("lost is 3; allowed: 0 to 2", it -> it.setLost(3)),
        bad("launched is 10000001", it -> it.setLaunched(10_000_001)),
        bad("wastedMillis is 9223372036854775807", it -> it.setWastedMillis(Long.MAX_VALUE)),
        bad("savedMillis is 9223372036854775807", it -> it.setSavedMillis(Long.MAX_VALUE)),
        bad("allowed: 0 and more", it -> it.setSavedMillis(Long.MIN_VALUE)));
  }

  private static Arguments bad(String why, UnaryOperator<ActionTotalsProto.Builder> change) {
    return Arguments.of(why, change);
  }

  @ParameterizedTest
  @MethodSource("badSums")
  void sumsThatCannotBeAreRefused(String why, UnaryOperator<ActionTotalsProto.Builder> change) {
    ActionTotalsProto bad = change.apply(GOOD.toBuilder()).build();
    assertThatThrownBy(() -> read(bad))
        .isInstanceOf(BadMessageException.class)
        .hasMessageContaining(why);
  }

  @Test
  void kindThatComesTwiceAndTooManyKindsAreRefused() {
    assertThatThrownBy(() -> read(GOOD, GOOD))
        .isInstanceOf(BadMessageException.class)
        .hasMessage("actions has two entries of kind COPY");
    ActionTotalsProto[] many = new ActionTotalsProto[65];
    Arrays.fill(many, GOOD.toBuilder().setKindValue(77).build());
    assertThatThrownBy(() -> read(many))
        .isInstanceOf(BadMessageException.class)
        .hasMessage("actions has 65 entries; allowed: at most 64");
  }
}
