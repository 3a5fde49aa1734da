// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private record Planned(double at, int order) {}

  @Test
  void eventsComeByTimeAndThenInTheOrderInWhichTheyWereAdded() {
    Random random = new Random(7);
    EventQueue queue = new EventQueue();
    List<Planned> planned = new ArrayList<>();
    List<Planned> happened = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      Planned one = new Planned(random.nextInt(500), i);
      planned.add(one);
      queue.add(one.at(), now -> happened.add(one));
    }
    while (!queue.isEmpty()) {
      double now = queue.nextTime();
      queue.remove().happen(now);
    }
    planned.sort(Comparator.comparingDouble(Planned::at).thenComparingInt(Planned::order));
    assertThat(happened).isEqualTo(planned);
  }

  @Test
  void whatIsAddedMeanwhileTakesItsPlace() {
    EventQueue queue = new EventQueue();
    List<String> happened = new ArrayList<>();
    queue.add(1, now -> queue.add(2, at -> happened.add("second")));
    queue.add(3, now -> happened.add("third"));
    while (!queue.isEmpty()) {
      double now = queue.nextTime();
      queue.remove().happen(now);
    }
    assertThat(happened).containsExactly("second", "third");
  }

  @Test
  void aTimeThatNeverComesIsRefused() {
    EventQueue queue = new EventQueue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queue.add(Double.POSITIVE_INFINITY, now -> {}));
    assertThatIllegalArgumentException().isThrownBy(() -> queue.add(Double.NaN, now -> {}));
  }
}
