// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.junit.jupiter.api.Test;

class LateLaunchesTest {
  private static final TaskAttemptId ONE = attempt(1);
  private static final TaskAttemptId TWO = attempt(2);

  private final List<String> asked = new ArrayList<>();
  private final List<String> forgotten = new ArrayList<>();
  private final Set<TaskAttemptId> waiting = new HashSet<>();
  private long nanos = 7;
  private final LateLaunches late =
      new LateLaunches(
          (host, address) -> asked.add(host + " " + address), forgotten::add, () -> nanos);

  private static TaskAttemptId attempt(int number) {
    return TypeConverter.toYarn(
        org.apache.hadoop.mapreduce.TaskAttemptID.forName("attempt_1_0001_r_000000_" + number));
  }

  private void begins(TaskAttemptId attempt, String host) {
    waiting.add(attempt);
    late.begun(attempt, host, host + ":45454");
  }

  private void passes(Duration time, String... silent) {
    nanos += time.toNanos();
    late.look(waiting::contains, Set.of(silent));
  }

  @Test
  void hostIsAskedOnceALaunchThereHasTakenLong() {
    begins(ONE, "a");
    passes(LateLaunches.LONG.minusMillis(1));
    assertThat(asked).isEmpty();
    passes(Duration.ofMillis(1));
    assertThat(asked).containsExactly("a http://a:45454");
  }

  @Test
  void launchThatIsOverInTimeHasNobodyAsked() {
    begins(ONE, "a");
    begins(TWO, "b");
    passes(Duration.ofSeconds(1));
    waiting.remove(ONE);
    passes(LateLaunches.LONG);
    assertThat(asked).containsExactly("b http://b:45454");
  }

  @Test
  void hostThatAnswersIsForgottenOnceNothingWaitsThere() {
    begins(ONE, "a");
    passes(LateLaunches.LONG);
    passes(LateLaunches.HOLDS);
    assertThat(forgotten).as("it waits still").isEmpty();
    waiting.clear();
    passes(Duration.ofSeconds(1));
    assertThat(forgotten).containsExactly("a");
    assertThat(late.waiting()).isEmpty();
  }

  @Test
  void silentHostIsForgottenAWhileLater() {
    begins(ONE, "a");
    passes(LateLaunches.LONG);
    waiting.clear();
    passes(LateLaunches.HOLDS.minusMillis(1), "a");
    assertThat(forgotten).isEmpty();
    passes(Duration.ofMillis(1), "a");
    assertThat(forgotten).containsExactly("a");
  }

  @Test
  void thoseThatWaitForLongestAreAskedIfManyAreLate() {
    for (int i = 0; i <= LateLaunches.MOST; i++) {
      begins(attempt(10 + i), "host" + (LateLaunches.MOST - i));
      nanos++;
    }
    passes(LateLaunches.LONG);
    assertThat(asked).hasSize(LateLaunches.MOST).doesNotContain("host0 http://host0:45454");
    waiting.remove(attempt(10));
    passes(Duration.ofSeconds(1));
    passes(Duration.ofSeconds(1));
    assertThat(asked).contains("host0 http://host0:45454");
  }

  @Test
  void nodeManagerThatWasStartedAgainIsAskedWhereItListensNow() {
    begins(ONE, "a");
    nanos++;
    waiting.add(TWO);
    late.begun(TWO, "a", "a:50001");
    passes(LateLaunches.LONG);
    assertThat(asked.get(asked.size() - 1)).isEqualTo("a http://a:50001");
  }

  @Test
  void silentHostsKeepNoOtherFromBeingAsked() {
    String[] silent = new String[LateLaunches.MOST];
    for (int i = 0; i < LateLaunches.MOST; i++) {
      silent[i] = "dead" + i;
      begins(attempt(10 + i), silent[i]);
      nanos++;
    }
    begins(ONE, "a");
    passes(LateLaunches.LONG);
    assertThat(asked).hasSize(LateLaunches.MOST).doesNotContain("a http://a:45454");
    passes(Duration.ofSeconds(1), silent);
    assertThat(asked).contains("a http://a:45454");
  }
}
