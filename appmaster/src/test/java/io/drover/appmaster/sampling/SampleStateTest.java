// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static io.drover.appmaster.sampling.SampleState.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drover.appmaster.sampling.SampleState.MapAttempt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SampleStateTest {
  private static SampleState state(
      int total, int needed, List<Integer> blockOf, List<Integer> chosen) {
    return new SampleState(
        1, true, total, needed, List.of(), OptionalInt.of(0), blockOf, Map.of(), List.of(), chosen);
  }

  private static SampleState full() {
    Map<MapAttempt, Integer> reads = new LinkedHashMap<>();
    reads.put(new MapAttempt(2, 1000), 5);
    reads.put(new MapAttempt(0, 1), 3);
    return new SampleState(
        1L << 40,
        true,
        8,
        2,
        List.of(List.of(0, 1, 2), List.of(3, 4, 5)),
        OptionalInt.of(1),
        List.of(3, NONE, 5),
        reads,
        List.of(0),
        List.of(0, 2));
  }

  private static String text(SampleState state) throws IOException {
    return new String(state.toJson(), StandardCharsets.UTF_8);
  }

  private static SampleState parse(String text) throws IOException {
    return SampleState.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void stateIsReadBackAsItWasWritten() throws IOException {
    for (SampleState state :
        List.of(
            full(),
            SampleState.unbound(8, 2, 3, List.of()),
            SampleState.unbound(8, 2, 3, List.of(List.of(0, 1, 2))),
            SampleState.drawn(8, List.of(7, 2)))) {
      SampleState read = SampleState.parse(state.toJson());
      assertThat(read).isEqualTo(state);
      assertThat(read.reads().keySet()).containsExactlyElementsOf(state.reads().keySet());
    }
  }

  @Test
  void firstStateOfLateBindingHasMapsWithoutBlocks() {
    SampleState state = SampleState.unbound(8, 2, 3, List.of(List.of(0, 1, 2)));
    assertThat(state.late()).isTrue();
    assertThat(state.maps()).isEqualTo(3);
    assertThat(state.blockOf()).containsOnly(NONE);
    assertThat(state.sample()).isEmpty();
    assertThat(state.version()).isZero();
  }

  @Test
  void drawnBlocksAreReadInTheOrderOfTheInput() {
    SampleState state = SampleState.drawn(8, List.of(7, 2, 5));
    assertThat(state.late()).isFalse();
    assertThat(state.blockOf()).containsExactly(2, 5, 7);
    assertThat(state.needed()).isEqualTo(3);
    assertThat(state.maps()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "[]",
        "{}",
        "{\"format\":2}",
        "{\"format\":1}",
        "{\"format\":1,\"total\":3,\"needed\":2,\"blockOf\":[0]}",
        "no json"
      })
  void otherTextsAreRefused(String text) {
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> parse(text));
  }

  @Test
  void everyBeginningOfATextIsRefused() throws IOException {
    String text = text(full());
    for (int length = 0; length < text.length(); length++) {
      String beginning = text.substring(0, length);
      assertThatExceptionOfType(IOException.class).isThrownBy(() -> parse(beginning));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'\"total\":8' | '\"total\":5'", // a block is out of range
        "'\"total\":8' | '\"total\":1'",
        "'\"total\":8' | '\"total\":\"x\"'",
        "'\"needed\":2' | '\"needed\":0'",
        "'\"needed\":2' | '\"needed\":9'",
        "'\"needed\":2' | '\"needed\":4'", // more than maps
        "'[3,-1,5]' | '[3,-1,3]'",
        "'[3,-1,5]' | '[3,-2,5]'",
        "'[3,-1,5]' | '[3,5,-1]'", // a chosen map has no block
        "'[3,-1,5]' | '[]'",
        "'[3,-1,5]' | '3'",
        "'[0,1,3]' | '[0,1]'",
        "'[0,1,3]' | '[0,1,8]'",
        "'[0,1,3]' | '[3,1,3]'", // no such map
        "'[0,1,3]' | '[\"a\",1,3]'",
        "'\"chosen\":[0,2]' | '\"chosen\":[0,3]'",
        "'\"chosen\":[0,2]' | '\"chosen\":[-1]'",
        "'\"chosen\":[0,2]' | '\"chosen\":[0,1,2]'",
        "'\"failed\":[0]' | '\"failed\":[3]'"
      })
  void damagedTextIsRefused(String part, String damaged) throws IOException {
    String text = text(full());
    assertThat(text).contains(part);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> parse(text.replace(part, damaged)));
  }

  @Test
  void statesThatContradictThemselvesAreRefused() {
    assertThat(state(3, 2, List.of(0, 1), List.of(0, 1)).chosen()).hasSize(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> state(3, 2, List.of(1, 1), List.of()))
        .withMessageContaining("block 1 has two maps");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> state(3, 2, List.of(0, 3), List.of()))
        .withMessageContaining("block 3 is out of range");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> state(3, 2, List.of(0), List.of()))
        .withMessageContaining("there are 1 maps");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> state(3, 1, List.of(0, 1), List.of(0, 1)))
        .withMessageContaining("2 maps are chosen");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> state(3, 1, List.of(NONE, 1), List.of(0)))
        .withMessageContaining("chosen without a block");
    assertThatIllegalArgumentException().isThrownBy(() -> SampleState.drawn(3, List.of(1, 1)));
    assertThatIllegalArgumentException().isThrownBy(() -> SampleState.drawn(3, List.of()));
  }
}
