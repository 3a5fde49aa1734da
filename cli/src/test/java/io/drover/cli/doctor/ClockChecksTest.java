// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.cli.doctor.ClusterAnswers.Daemon;
import io.drover.cli.doctor.ClusterAnswers.Node;
import io.drover.cli.web.ClockReading;
import io.drover.core.check.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ClockChecksTest {
  private static final double ERROR = 1;

  /** Findings about nodes whose clocks are ahead of this machine's by so many seconds. */
  private static List<Finding> findings(double... ahead) {
    List<Node> nodes = new ArrayList<>();
    for (double seconds : ahead) {
      Daemon daemon =
          new Daemon(
              Optional.empty(),
              Optional.empty(),
              Optional.of(new ClockReading(seconds, ERROR)),
              Optional.empty());
      nodes.add(new Node("node" + nodes.size(), "/r", daemon));
    }
    return new ClockChecks(
            new ClusterAnswers(
                List.of(),
                Optional.of(nodes),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of()))
        .all()
        .run();
  }

  private static List<String> lines(double... ahead) {
    return findings(ahead).stream().map(finding -> finding.level() + " " + finding.what()).toList();
  }

  @Test
  void clocksThatAgreeAreFine() {
    assertThat(lines(0.3, -0.4, 4.9))
        .containsExactly("OK 4 clocks are less than 5 s from their median");
  }

  @Test
  void theOneThatIsOffIsNamedAgainstTheMedian() {
    assertThat(lines(0, 0.5, 30))
        .containsExactly("WARN the clock of node2 is 30 s (give or take 1 s) ahead of the median");
    assertThat(lines(0, 0.5, -90))
        .containsExactly("WRONG the clock of node2 is 90 s (give or take 1 s) behind the median");
  }

  @Test
  void thisMachineIsNamedIfTheOthersAgree() {
    assertThat(lines(20, 20.2, 19.9))
        .containsExactly(
            "WARN the clock of this machine is 20 s (give or take 0 s) behind the median");
  }

  @Test
  void twoClocksAreComparedWithEachOther() {
    assertThat(lines(5.9)).containsExactly("OK 2 clocks are less than 5 s apart");
    assertThat(lines(-9))
        .containsExactly(
            "WARN the clocks of node0 and of this machine are 9 s (give or take 1 s) apart; which"
                + " of two is off cannot be told");
    assertThat(lines(100)).hasSize(1).allMatch(line -> line.startsWith("WRONG"));
    assertThat(lines(60.9)).hasSize(1).allMatch(line -> line.startsWith("WARN"));
  }

  @Test
  void differenceThatTheRoundTripMayExplainIsNone() {
    assertThat(lines(0, 0, 5.9)).hasSize(1).allMatch(line -> line.startsWith("OK"));
    assertThat(lines(0, 0, 6.1)).hasSize(1).allMatch(line -> line.startsWith("WARN"));
  }

  @Test
  void readingIsTheMiddleOfTheRoundTripAndItsErrorIsHalfOfIt() {
    ClockReading reading = ClockReading.of(100_000, 89_000, 93_000);

    assertThat(reading.aheadSeconds()).isEqualTo(9.5);
    assertThat(reading.errorSeconds()).isEqualTo(3);
  }

  @Test
  void nobodyWhoAnswersIsNothingToCompare() {
    assertThat(findings()).isEmpty();
  }
}
