// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.Herd;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Demand;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Maps whose reports say little, or are wrong: all maps of a phase report alike. Each takes 36 to
 * 44 s, and they run in three waves on eight slots.
 */
class OddProgressTest {
  private static final int SLOTS = 8;
  private static final int TASKS = 3 * SLOTS;
  private static final int START = 3;
  private static final double USUAL = 40;
  private static final long SIZE = 1_000_000;
  private static final double SLOWER = 1.0;

  /** What an attempt reports once a second, at a part in [0,1] of its time. */
  enum Odd {
    /** A record reader that begins again with its second file. */
    FALLS {
      @Override
      void report(AttemptModel attempt, double now, double part) {
        attempt.report(now, SubPhase.MAP, part < 0.5 ? 1.8 * part : 2 * (part - 0.5));
      }
    },
    JUMPS {
      @Override
      void report(AttemptModel attempt, double now, double part) {
        attempt.report(now, SubPhase.MAP, part < 0.6 ? 0 : 0.9);
      }
    },
    IS_NO_NUMBER {
      @Override
      void report(AttemptModel attempt, double now, double part) {
        attempt.report(now, SubPhase.MAP, Double.NaN);
      }
    },
    GOES_BEYOND_ONE {
      @Override
      void report(AttemptModel attempt, double now, double part) {
        attempt.report(now, SubPhase.MAP, 3 * part);
      }
    },
    IS_ONE_AT_ONCE {
      @Override
      void report(AttemptModel attempt, double now, double part) {
        attempt.report(now, SubPhase.MAP, 1);
      }
    },
    ENDS_FAR_BELOW_ONE {
      @Override
      void report(AttemptModel attempt, double now, double part) {
        attempt.report(now, SubPhase.MAP, 0.1 * part);
      }
    },
    STAYS_AT_NOTHING {
      @Override
      void report(AttemptModel attempt, double now, double part) {
        attempt.report(now, SubPhase.MAP, 0);
      }
    },
    /** mapreduce.task.timeout=0, and an idle map: nothing is ever sent. */
    IS_NEVER_SENT {
      @Override
      void report(AttemptModel attempt, double now, double part) {}
    },
    /**
     * A gzip file: bytes are read ahead in large blocks, and long before the records are mapped.
     */
    READS_AHEAD {
      @Override
      void report(AttemptModel attempt, double now, double part) {
        double read = Math.min(1, Math.ceil(4 * part + 0.01) / 4);
        attempt.report(now, SubPhase.MAP, read, (long) (read * SIZE));
      }
    },
    /** A split of length zero: no bytes, and a fraction of nothing. */
    IS_OF_NOTHING {
      @Override
      long size() {
        return 0;
      }

      @Override
      void report(AttemptModel attempt, double now, double part) {
        attempt.report(now, SubPhase.MAP, Double.POSITIVE_INFINITY, 0);
      }
    };

    long size() {
      return SIZE;
    }

    abstract void report(AttemptModel attempt, double now, double part);
  }

  /** What happens to the last task of the phase. */
  enum Last {
    IS_LIKE_OTHERS,
    /** Its first attempt reports like the others, and then goes on at the end for ever. */
    HANGS,
    /** Each of its attempts takes three times as long as others. */
    IS_LONG
  }

  private final PhaseModel phase = Herd.maps();
  private final MantriRestart policy = new MantriRestart(RestartSettings.DEFAULT);
  private final List<RestartPolicy> ending =
      List.of(new SlowerAttemptRule(SLOWER), new PruningRule());
  private final List<AttemptModel> running = new ArrayList<>();
  private final Map<AttemptModel, Double> lengths = new HashMap<>();
  private final List<Decision> acts = new ArrayList<>();

  static Stream<Arguments> all() {
    return Arrays.stream(Odd.values())
        .flatMap(odd -> Stream.of(true, false).map(sorts -> Arguments.of(odd, sorts)));
  }

  private String story() {
    return acts.stream()
        .limit(3)
        .map(
            act ->
                "at %.0f of %d: %s, %s"
                    .formatted(act.at(), act.task().index(), act.explain(), act.evidence()))
        .collect(joining(System.lineSeparator()));
  }

  /** Runs the phase to its end, and does what is decided. */
  private void run(Odd odd, boolean sorts, Last last) {
    for (int i = 0; i < TASKS; i++) {
      phase.addTask(odd.size());
    }
    int next = 0;
    for (int now = 0; now < 20 * USUAL && phase.done() < TASKS; now++) {
      for (; next < TASKS && running.size() < SLOTS; next++) {
        start(phase.tasks().get(next), last, now);
      }
      for (AttemptModel attempt : List.copyOf(running)) {
        report(attempt, odd, sorts, last, now);
      }
      decide(new Demand(TASKS > next, OptionalInt.empty()), last, now);
    }
  }

  private void start(TaskModel task, Last last, double now) {
    AttemptModel attempt = Herd.start(task, now);
    int i = task.index();
    boolean isLong = last == Last.IS_LONG && i == TASKS - 1;
    lengths.put(attempt, isLong ? 3 * USUAL : USUAL * (0.9 + i * 7 % 11 / 50.0));
    running.add(attempt);
  }

  private void report(AttemptModel attempt, Odd odd, boolean sorts, Last last, double now) {
    if (!attempt.state().isLive()) {
      running.remove(attempt);
      return;
    }
    double part = (now - attempt.launchedAt() - START) / (lengths.get(attempt) - START);
    boolean hangs =
        last == Last.HANGS && attempt.task().index() == TASKS - 1 && attempt.number() == 0;
    if (part < 1 || hangs) {
      if (part >= 0) {
        odd.report(attempt, now, Math.min(0.99, part));
      }
      return;
    }
    // what Hadoop sends at the end, whatever the reader says
    attempt.report(now, sorts ? SubPhase.WRAP_UP : SubPhase.MAP, sorts ? 0 : 1);
    attempt.ended(AttemptState.SUCCEEDED, now);
    running.remove(attempt);
    for (AttemptModel other : attempt.task().attempts()) {
      other.ended(AttemptState.KILLED, now);
    }
  }

  private void decide(Demand demand, Last last, double now) {
    for (RestartPolicy rule : ending) {
      for (Decision decision : rule.decide(phase, demand, now)) {
        acts.add(decision);
        decision.attempt().orElseThrow().ended(AttemptState.KILLED, now);
      }
    }
    List<Decision> decisions = policy.decide(phase, demand, now);
    DecisionVerifier.verify(phase, demand, RestartSettings.DEFAULT, now, decisions);
    for (Decision decision : decisions) {
      if (decision.action() != Action.LEAVE) {
        acts.add(decision);
      }
      if (decision.action() == Action.DUPLICATE) {
        start(decision.task(), last, now);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void ofMapsThatAreWellNoneIsTouched(Odd odd, boolean sorts) {
    run(odd, sorts, Last.IS_LIKE_OTHERS);
    assertThat(phase.done()).isEqualTo(TASKS);
    assertThat(acts).as("%d: %s", acts.size(), story()).hasSize(0);
  }

  @ParameterizedTest
  @MethodSource("all")
  void whatHangsLongAfterItsPeersIsCopiedAndNotKilled(Odd odd, boolean sorts) {
    run(odd, sorts, Last.HANGS);
    assertThat(phase.done()).as("its copy ends it").isEqualTo(TASKS);
    TaskModel late = phase.tasks().get(TASKS - 1);
    assertThat(acts.stream().allMatch(act -> act.task() == late)).as(story()).isTrue();
    Decision first = acts.get(0);
    assertThat(first.action()).as(story()).isEqualTo(Action.DUPLICATE);
    double age = first.at() - late.attempts().get(0).launchedAt();
    assertThat(age).as("longer than any of its peers").isBetween(1.1 * USUAL, 5 * USUAL);
  }

  @ParameterizedTest
  @MethodSource("all")
  void whatIsLongIsDoneByItsFirstAttempt(Odd odd, boolean sorts) {
    run(odd, sorts, Last.IS_LONG);
    assertThat(phase.done()).isEqualTo(TASKS);
    TaskModel late = phase.tasks().get(TASKS - 1);
    assertThat(acts.stream().allMatch(act -> act.task() == late)).as(story()).isTrue();
    assertThat(late.attempts().get(0).state()).as(story()).isEqualTo(AttemptState.SUCCEEDED);
  }
}
