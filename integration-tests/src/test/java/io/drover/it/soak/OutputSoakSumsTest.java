// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.cli.report.ProtectionFigures;
import io.drover.it.soak.DyingAppMaster.Moment;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutputSoakSumsTest {
  @Test
  void lineHasTheSumsOfAllMixes() {
    OutputSoakSums sums = new OutputSoakSums();
    sums.add(true);
    sums.add(false);
    sums.add(Moment.COPY);
    sums.add(
        List.of(
            "{\"type\":\"replicaOrdered\",\"time\":1}",
            "{\"type\":\"replicaMade\",\"time\":2}",
            "{\"type\":\"replicaUsed\",\"time\":3}",
            "{\"type\":\"replicaMa"));
    sums.add(List.of("{\"type\":\"outputMadeAgain\",\"time\":3,\"reason\":\"replicaUsed\"}"));
    sums.add(new ProtectionFigures(100_000, 1, 1, 1, 2_000_000, 1_500_000));
    sums.add(new ProtectionFigures(0, 0, 0, 0, 2_000_000, 1_500_000));

    assertThat(sums.line())
        .isEqualTo(
            "1 of 2 mixes were good; replicas made 1, used 1 (0.1 MB, 2.50 % of what was read and"
                + " written in the jobs that Drover counted in); outputs made again 1; AppMasters"
                + " killed {COPY=1}");
  }
}
