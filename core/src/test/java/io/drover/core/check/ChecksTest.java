// SPDX-License-Identifier: Apache-2.0
package io.drover.core.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChecksTest {
  private final Finding finding = Finding.warn("a.b", "x is 1", "Set it to 2", "x");

  @Test
  void checkThatThrowsIsAFindingAndTheOthersGoOn() {
    List<Finding> findings =
        new Checks()
            .add(
                "first",
                found -> {
                  found.accept(finding);
                  throw new IOException("no such host");
                })
            .add(
                "second",
                found -> {
                  throw new NoClassDefFoundError("a/B");
                })
            .add("third", found -> found.accept(finding))
            .run();

    assertThat(findings)
        .extracting(Finding::check)
        .containsExactly("a.b", "first.failed", "second.failed", "a.b");
    assertThat(findings.get(1).level()).isEqualTo(Finding.Level.WRONG);
    assertThat(findings.get(1).what())
        .isEqualTo("the check first could not run: java.io.IOException: no such host");
  }

  @Test
  void errorOfTheJvmIsThrownOn() {
    Checks checks =
        new Checks()
            .add(
                "first",
                found -> {
                  throw new OutOfMemoryError("heap");
                });

    assertThatThrownBy(checks::run).isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void checksRunInOrderAndSayWhenTheyBegin() {
    List<String> seen = new ArrayList<>();

    new Checks()
        .add("b", found -> seen.add("b runs"))
        .addAll(new Checks().add("a", found -> seen.add("a runs")))
        .run(seen::add);

    assertThat(seen).containsExactly("b", "b runs", "a", "a runs");
  }

  @Test
  void twoChecksOfOneNameAreRefused() {
    Checks checks = new Checks().add("a", found -> {});

    assertThatThrownBy(() -> checks.add("a", found -> {})).hasMessageContaining("named a");
  }

  @Test
  void lineHasAllThatALogNeeds() {
    assertThat(finding.line()).isEqualTo("x is 1. Set it to 2 [a.b]");
    assertThat(Finding.ok("c", "fine").line()).isEqualTo("fine [c]");
  }
}
