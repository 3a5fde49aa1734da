// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AwaitTest {

  @Test
  void asksUntilTheAnswerIsYes() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    boolean yes =
        Await.until(
            Duration.ofSeconds(30), Duration.ofMillis(1), () -> asked.incrementAndGet() == 3);
    assertThat(yes).isTrue();
    assertThat(asked).hasValue(3);
  }

  @Test
  void asksOnceEvenWithoutTime() throws Exception {
    assertThat(Await.until(Duration.ZERO, Duration.ofMillis(1), () -> true)).isTrue();
    assertThat(Await.until(Duration.ZERO, Duration.ofMillis(1), () -> false)).isFalse();
  }

  @Test
  void answerThatTookPastTheDeadlineIsNotTheLast() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    AtomicLong time = new AtomicLong();
    boolean yes =
        Await.until(
            Duration.ofNanos(20),
            Duration.ofMillis(1),
            () -> {
              time.addAndGet(30); // the answer becomes yes meanwhile
              return asked.incrementAndGet() == 2;
            },
            time::get);
    assertThat(yes).isTrue();
  }
}
