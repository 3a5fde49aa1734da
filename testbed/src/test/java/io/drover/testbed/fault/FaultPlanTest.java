// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FaultPlanTest {
  @Test
  void allPartsAreRead() {
    assertThat(FaultPlan.parse("cut-host:at=100%:after=2s:for=1m:on=n5"))
        .isEqualTo(
            new FaultPlan(
                FaultKind.CUT_HOST,
                1,
                Duration.ofSeconds(2),
                Optional.of(Duration.ofMinutes(1)),
                Optional.of("n5")));
  }

  @ParameterizedTest
  @EnumSource
  void theKindAloneBeginsWithTheJobAndLasts(FaultKind kind) {
    assertThat(FaultPlan.parse(kind.key())).isEqualTo(FaultPlan.of(kind));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cut-hoste | there is no fault 'cut-hoste'; the faults are starved-host,",
        "'' | there is no fault ''",
        "cut-host:at | 'at' in 'cut-host:at' must be KEY=VALUE",
        "cut-host:at= | must be KEY=VALUE",
        "cut-host:at=5 | at=5 in 'cut-host:at=5' must be 0% to 100% of the maps",
        "cut-host:at=101% | must be 0% to 100%",
        "cut-host:for=5 | '5' in 'cut-host:for=5' must be a time, such as 30s",
        "cut-host:for=-5s | must be a time",
        "cut-host:for=0s | bad times",
        "cut-host:until=5s | 'until' in 'cut-host:until=5s' is not known",
      })
  void whatIsWrongIsSaid(String text, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FaultPlan.parse(text))
        .withMessageContaining(why);
  }
}
