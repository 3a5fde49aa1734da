// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecisionLogTest {
  @TempDir Path dir;

  private final AtomicLong nanos = new AtomicLong();
  private final Map<DroverCounter, Long> counters = new EnumMap<>(DroverCounter.class);
  private final Breakers breakers =
      new Breakers(nanos::get, (counter, amount) -> counters.merge(counter, amount, Long::sum));

  private static void line(DecisionLog log, String machine) {
    log.slowMachine(1, machine, 3);
    log.flush();
  }

  @Test
  void fullDiskCostsLinesOnlyAndTheLogComesBackAMinuteAfterThreeFailures() throws Exception {
    Path file = dir.resolve("disk/log.jsonl"); // this directory does not exist
    DecisionLog log = new DecisionLog(file, Mode.ON, breakers);
    for (int i = 0; i < 5; i++) {
      line(log, "lost");
    }
    breakers.count();
    assertThat(counters)
        .containsEntry(DroverCounter.DECISION_LOG_OFF, 1L)
        .containsEntry(DroverCounter.STEPS_FAILED, 3L);
    Files.createDirectory(dir.resolve("disk"));
    line(log, "still off");
    nanos.addAndGet(CircuitBreaker.PAUSE.toNanos());
    line(log, "n1");
    line(log, "n2");
    log.close();
    assertThat(Files.readAllLines(file))
        .satisfiesExactly(l -> assertThat(l).contains("n1"), l -> assertThat(l).contains("n2"));
  }

  @Test
  void lineThatCannotBeMadeLeavesNoHalfOfItself() throws Exception {
    Path file = dir.resolve("log.jsonl");
    DecisionLog log = new DecisionLog(file, Mode.ON, breakers);
    log.external(
        1,
        "bad",
        Map.of(
            "field",
            new Object() {
              @Override
              public String toString() {
                throw new IllegalStateException("no text");
              }
            }));
    line(log, "n1");
    log.close();
    assertThat(Files.readAllLines(file)).singleElement().asString().contains("n1");
    assertThat(breakers.summary().orElseThrow().toString()).contains("IllegalStateException=1");
  }
}
