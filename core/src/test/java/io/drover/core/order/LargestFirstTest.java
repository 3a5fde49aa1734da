// SPDX-License-Identifier: Apache-2.0
package io.drover.core.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.Herd;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.PhaseModel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LargestFirstTest {

  @Test
  void tasksStartInDescendingOrderOfTheirDataAndUnknownOnesCountAsMean() {
    PhaseModel phase = Herd.maps();
    for (long size : new long[] {100, 0, 300, 100, 20}) {
      phase.addTask(size);
    }
    List<Decision> order = new LargestFirst().order(phase.tasks(), 7);
    assertThat(order).extracting(d -> d.task().index()).containsExactly(2, 1, 0, 3, 4);
    assertThat(order).allMatch(d -> d.action() == Action.START && d.at() == 7);
    assertThat(new LargestFirst().order(List.of(), 7)).isEmpty();
  }

  @Test
  void theOrderDoesNotDependOnTheOrderOfTheQuestion() {
    PhaseModel phase = Herd.maps();
    for (int i = 0; i < 50; i++) {
      phase.addTask(i % 7);
    }
    var shuffled = new ArrayList<>(phase.tasks());
    Collections.shuffle(shuffled, new Random(1));
    assertThat(new LargestFirst().order(shuffled, 0))
        .isEqualTo(new LargestFirst().order(phase.tasks(), 0));
  }

  /** Graham's tight example for s slots: 2s+1 tasks of sizes 2s-1, 2s-1, ..., s+1, s+1, s, s, s. */
  @Test
  void theWorstCaseIsGrahams() {
    for (int s = 2; s <= 6; s++) {
      PhaseModel phase = Herd.maps();
      for (int size = 2 * s - 1; size > s; size--) {
        phase.addTask(size);
        phase.addTask(size);
      }
      for (int i = 0; i < 3; i++) {
        phase.addTask(s);
      }
      double best = 3 * s;
      double bound = 4 / 3.0 - 1 / (3.0 * s);
      assertThat(makespan(phase, s)).isCloseTo(bound * best, within(1e-9));
    }
  }

  private static double makespan(PhaseModel phase, int slots) {
    PriorityQueue<Double> free = new PriorityQueue<>(Collections.nCopies(slots, 0.0));
    double end = 0;
    for (Decision start : new LargestFirst().order(phase.tasks(), 0)) {
      double done = free.remove() + start.task().inputBytes().getAsLong();
      free.add(done);
      end = Math.max(end, done);
    }
    return end;
  }
}
