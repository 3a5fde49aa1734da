// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.Mode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PredictionStatusTest {
  private static PredictionStatus status(Mode mode, boolean isStopped) {
    return new PredictionStatus(
        mode, 0, Optional.empty(), List.of(), Map.of(), Mode.OFF, Map.of(), 0.1, isStopped, 0);
  }

  /** Otherwise the alert would fire for what nobody has switched on. */
  @Test
  void onlyWhatIsSwitchedOnIsStopped() {
    assertThat(status(Mode.ON, true).isEndingStopped()).isTrue();
    assertThat(status(Mode.OBSERVE, true).isEndingStopped()).isFalse();
    assertThat(status(Mode.ON, false).isEndingStopped()).isFalse();
  }
}
