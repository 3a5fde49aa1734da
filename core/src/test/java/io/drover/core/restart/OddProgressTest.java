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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Maps whose reports say little, or are wrong: all maps of a phase report alike. Each takes 36 to
 * 44 s, and they run in three waves on eight slots. One that is late reports like the others, and
 * then goes on at the end for ever.
 */
class OddProgressTest {
  private static final int SLOTS = 8;
  private static final int TASKS = 3 * SLOTS;
  private static final int START = 3;
  private static final double USUAL = 40;
  private static final long SIZE = 1_000_000;
  private static final int NOBODY = -1;

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

  private final PhaseModel phase = Herd.maps();
  private final MantriRestart policy = new MantriRestart(RestartSettings.DEFAULT);
  private final List<AttemptModel> running = new ArrayList<>();
  private final Map<AttemptModel, Double> lengths = new HashMap<>();
  private final List<Decision> acts = new ArrayList<>();

  private String story() {
    return acts.stream()
        .limit(3)
        .map(
            act ->
                "at %.0f of %d: %s, %s"
                    .formatted(act.at(), act.task().index(), act.explain(), act.evidence()))
        .collect(joining(System.lineSeparator()));
  }

  /** Runs the phase to its end, or for ten times as long as a map, and keeps what is decided. */
  private void run(Odd odd, int endless) {
    for (int i = 0; i < TASKS; i++) {
      phase.addTask(odd.size());
    }
    int next = 0;
    for (int now = 0; now < 10 * USUAL && phase.done() < TASKS; now++) {
      for (; next < TASKS && running.size() < SLOTS; next++) {
        AttemptModel attempt = Herd.start(phase.tasks().get(next), now);
        lengths.put(attempt, USUAL * (0.9 + next * 7 % 11 / 50.0));
        running.add(attempt);
      }
      report(odd, endless, now);
      Demand demand = new Demand(TASKS - next, OptionalInt.empty());
      List<Decision> decisions = policy.decide(phase, demand, now);
      DecisionVerifier.verify(phase, demand, RestartSettings.DEFAULT, now, decisions);
      decisions.stream().filter(d -> d.action() != Action.LEAVE).forEach(acts::add);
    }
  }

  private void report(Odd odd, int endless, double now) {
    for (AttemptModel attempt : List.copyOf(running)) {
      double age = now - attempt.launchedAt();
      double part = (age - START) / (lengths.get(attempt) - START);
      boolean isEndless = attempt.task().index() == endless;
      if (part >= 1 && !isEndless) {
        attempt.ended(AttemptState.SUCCEEDED, now);
        running.remove(attempt);
      } else if (part >= 0) {
        odd.report(attempt, now, Math.min(0.99, part));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofMapsThatAreWellNoneIsTouched(Odd odd) {
    run(odd, NOBODY);
    assertThat(phase.done()).isEqualTo(TASKS);
    assertThat(acts).as("%d: %s", acts.size(), story()).hasSize(0);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsLateLongAfterItsPeersIsCopiedAndNotKilled(Odd odd) {
    int last = TASKS - 1;
    run(odd, last);
    TaskModel late = phase.tasks().get(last);
    assertThat(acts).as("acts").isNotEmpty();
    assertThat(acts.stream().allMatch(act -> act.task() == late)).as(story()).isTrue();
    Decision first = acts.get(0);
    assertThat(first.action()).isEqualTo(Action.DUPLICATE);
    double age = first.at() - late.attempts().get(0).launchedAt();
    assertThat(age).as("longer than any of its peers").isGreaterThan(1.1 * USUAL);
    assertThat(age).isLessThan(5 * USUAL);
  }
}
