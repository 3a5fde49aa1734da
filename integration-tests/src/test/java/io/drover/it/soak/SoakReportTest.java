// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.it.soak.SoakRecord.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class SoakReportTest {
  private static final Outcome SLOW = outcome("SUCCEEDED", 30, "a");
  private static final Outcome FAST = outcome("SUCCEEDED", 20.25, "a");
  private static final Outcome OTHER = outcome("SUCCEEDED", 20, "b");
  private static final Outcome FAILED = outcome("FAILED", 50, "none");
  private static final Outcome KILLED = outcome("KILLED", 10, "none");

  private static Outcome outcome(String state, double seconds, String output) {
    return new Outcome("job", state, seconds, output, List.of(), "", "");
  }

  private static SoakRecord record(SoakFault fault, Outcome stock, Outcome drover) {
    return new SoakRecord(4, "tau 0.5", "sort 2+1", fault, stock, drover);
  }

  private static List<String> violations(SoakFault fault, Outcome stock, Outcome drover) {
    return record(fault, stock, drover).violations();
  }

  @Test
  void jobThatSucceedsUnderStockMustUnderDroverAndNotTheOtherWayRound() {
    assertThat(violations(SoakFault.NONE, SLOW, FAST)).isEmpty();
    assertThat(violations(SoakFault.DEAD_PROCESS, FAILED, FAILED)).isEmpty();
    assertThat(violations(SoakFault.DEAD_PROCESS, FAILED, FAST)).isEmpty();
    assertThat(violations(SoakFault.DEAD_PROCESS, SLOW, FAILED))
        .singleElement()
        .asString()
        .contains("pair 4, DEAD_PROCESS", "FAILED");
    assertThat(violations(SoakFault.SLOW_NODE, SLOW, KILLED)).hasSize(1);
  }

  @Test
  void outputsMustBeEqual() {
    assertThat(violations(SoakFault.NONE, SLOW, OTHER))
        .singleElement()
        .asString()
        .contains("the output is b, under stock a");
  }

  @Test
  void jobThatIsKilledMustEndSoUnderBoth() {
    assertThat(violations(SoakFault.KILLED_JOB, KILLED, KILLED)).isEmpty();
    assertThat(violations(SoakFault.KILLED_JOB, KILLED, FAST)).hasSize(1);
    assertThat(violations(SoakFault.KILLED_JOB, FAST, FAST)).hasSize(2);
  }

  @Test
  void noContainerMayBeLeft() {
    Outcome leaves = new Outcome("job", "KILLED", 10, "none", List.of("container_7"), "", "");
    assertThat(violations(SoakFault.KILLED_JOB, KILLED, leaves))
        .singleElement()
        .asString()
        .contains("container_7");
  }

  @Test
  void timesAreSummedOfPairsThatSucceededTwice() {
    SoakReport report =
        new SoakReport(
            List.of(
                record(SoakFault.NONE, SLOW, FAST),
                record(SoakFault.NONE, SLOW, OTHER),
                record(SoakFault.DEAD_PROCESS, FAILED, FAST),
                record(SoakFault.KILLED_JOB, KILLED, KILLED)));
    assertThat(report.stockSeconds()).isEqualTo(60);
    assertThat(report.droverSeconds()).isEqualTo(40.25);
    assertThat(report.text())
        .contains("| 4 | tau 0.5 | sort 2+1 | NONE | 30.0 | 20.3 | yes |")
        .contains("| 4 | tau 0.5 | sort 2+1 | NONE | 30.0 | 20.0 | NO |")
        .contains("| 50.0 FAILED | 20.3 | - |")
        .contains("4 pairs, 2 succeeded twice: stock 60.0 s, drover 40.3 s; 1 violations");
  }
}
