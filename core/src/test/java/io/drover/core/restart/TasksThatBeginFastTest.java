// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import static io.drover.core.Herd.done;
import static io.drover.core.Herd.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.Herd;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Decision;
import io.drover.core.model.Demand;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskModel;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A task with many times the work of others, each attempt of which begins faster than it goes on.
 */
class TasksThatBeginFastTest {
  private static final int USUAL = 20;

  /** For how long an attempt is twice as fast as later, seconds. */
  private static final double FAST = 8;

  private final PhaseModel phase = Herd.maps();
  private final List<RestartPolicy> policies =
      List.of(
          new MantriRestart(RestartSettings.DEFAULT),
          new SlowerAttemptRule(RestartSettings.DEFAULT.slowerAttempt()),
          new PruningRule());

  @ParameterizedTest
  @CsvSource({"4, 0", "8, 0", "12, 0", "30, 0", "4, 3", "8, 3", "12, 3", "30, 3"})
  void areDoneAsSoonAsIfLeftAloneAfterFewAttempts(int timesTheWork, int tasksThatWait) {
    done(phase, 10, 1000, USUAL);
    TaskModel task = phase.addTask(1000);
    AttemptModel first = start(task, 0);
    double full = timesTheWork * USUAL;
    double now = 0;
    while (!task.isDone() && now < 3 * full) {
      now++;
      report(task, now, full);
      for (RestartPolicy policy : policies) {
        Demand demand = new Demand(tasksThatWait > 0, OptionalInt.empty());
        for (Decision decision : policy.decide(phase, demand, now)) {
          act(decision, now);
        }
      }
    }
    assertThat(task.isDone()).isTrue();
    assertThat(first.state()).isEqualTo(AttemptState.SUCCEEDED);
    assertThat(now).isLessThanOrEqualTo(full + 1);
    assertThat(task.attempts())
        .hasSizeLessThanOrEqualTo(1 + RestartSettings.DEFAULT.mostSecondAttempts());
  }

  private static void report(TaskModel task, double now, double full) {
    for (AttemptModel attempt : task.attempts()) {
      double age = now - attempt.launchedAt();
      double work = Math.min(1, (age + Math.min(age, FAST)) / (full + FAST));
      if (attempt.state() == AttemptState.RUNNING && age > 0) {
        attempt.report(now, SubPhase.MAP, work);
        if (work >= 1) {
          attempt.ended(AttemptState.SUCCEEDED, now);
        }
      }
    }
  }

  private static void act(Decision decision, double now) {
    switch (decision.action()) {
      case DUPLICATE -> {
        decision.task().copied(now);
        start(decision.task(), now);
      }
      case PRUNE -> decision.attempt().orElseThrow().ended(AttemptState.KILLED, now);
      case KILL_AND_RESTART -> {
        AttemptModel killed = decision.attempt().orElseThrow();
        killed.ended(AttemptState.KILLED, now);
        decision.task().restarted(killed);
        start(decision.task(), now);
      }
      case LEAVE -> {}
    }
  }
}
