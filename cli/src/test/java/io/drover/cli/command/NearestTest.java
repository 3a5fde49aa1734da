// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  private static final List<String> OPTIONS = List.of("--scenario", "--all", "--job", "--runs");

  @Test
  void aSwapOfNeighboursIsOneError() {
    assertThat(Nearest.distance("jbo", "job")).isEqualTo(1);
    assertThat(Nearest.distance("scenario", "scenaro")).isEqualTo(1);
    assertThat(Nearest.distance("", "job")).isEqualTo(3);
  }

  @Test
  void aBeginningIsEnough() {
    assertThat(Nearest.of("--sc", OPTIONS)).contains("--scenario");
  }

  @Test
  void dashesCountForNothing() {
    assertThat(Nearest.of("-all", OPTIONS)).contains("--all");
    assertThat(Nearest.of("runs", OPTIONS)).contains("--runs");
  }

  @Test
  void whatIsLikeNothingHasNoNearest() {
    assertThat(Nearest.of("--colour", OPTIONS)).isEmpty();
    assertThat(Nearest.of("-", OPTIONS)).isEmpty();
  }
}
