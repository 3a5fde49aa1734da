// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;

import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.Handover.Part;
import io.drover.speculator.Handover.StockSpeculator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.junit.jupiter.api.Test;

class HandoverTest {
  private static final Optional<Throwable> WELL = Optional.empty();
  private static final Optional<Throwable> BADLY = Optional.of(new AssertionError("broken"));
  private static final int MOST = 3;

  private final AtomicLong nanos = new AtomicLong();
  private final DecisionThreadQueue queue = new DecisionThreadQueue(MOST);
  private final AppContext context = mock(RETURNS_DEEP_STUBS);
  private final StockSpeculator stock = new StockSpeculator(new Configuration(), context);
  private final Handover handover =
      new Handover(new Breakers(nanos::get, (counter, amount) -> {}), stock, queue, true);

  private void pass(Optional<Throwable> failure) {
    assertThat(handover.mayPass()).isTrue();
    handover.ended(Part.PASS, failure);
  }

  @Test
  void failuresWithASuccessBetweenAreNotInARow() {
    for (int i = 0; i < 10; i++) {
      pass(BADLY);
      pass(BADLY);
      pass(WELL);
    }
    assertThat(handover.works()).isTrue();
    assertThat(stock.leads()).isFalse();
  }

  @Test
  void commandsThatAllFailAreNotHiddenByPassesThatDoNot() {
    for (int i = 0; i < 3; i++) {
      pass(WELL);
      handover.ended(Part.COMMAND, BADLY);
      handover.ended(Part.EVENT, WELL);
    }
    assertThat(handover.works()).isFalse();
    assertThat(stock.leads()).isTrue();
    assertThat(handover.mayPass()).isFalse();
  }

  @Test
  void stockRestsWhileDroverIsTriedAndLeadsAgainIfItFails() {
    for (int i = 0; i < 3; i++) {
      pass(BADLY);
    }
    assertThat(stock.leads()).isTrue();
    nanos.addAndGet(CircuitBreaker.PAUSE.toNanos());
    assertThat(handover.mayPass()).isTrue();
    assertThat(stock.leads()).isFalse();
    handover.ended(Part.PASS, BADLY);
    assertThat(stock.leads()).isTrue();
    nanos.addAndGet(CircuitBreaker.PAUSE.toNanos());
    pass(WELL);
    assertThat(stock.leads()).isFalse();
    pass(BADLY); // starts to count again
    assertThat(handover.works()).isTrue();
  }

  @Test
  void notesOfTheJobAreNotKeptWhileNobodyKeepsAModelAndLinesOfTheLogAre() {
    DecisionThreadEvent.TaskChanged changed =
        new DecisionThreadEvent.TaskChanged(1, mock(TaskId.class));
    queue.add(changed);
    queue.add(new DecisionThreadEvent.ExternalEntry(1, "line", Map.of()));
    queue.rest();
    queue.add(changed);
    assertThat(queue.size()).isEqualTo(1);
    queue.keep();
    queue.add(changed);
    assertThat(queue.size()).isEqualTo(2);
  }

  @Test
  void tooManyNotesAreToldOnceAndThrowNothing() {
    DecisionThreadEvent.TaskChanged changed =
        new DecisionThreadEvent.TaskChanged(1, mock(TaskId.class));
    for (int i = 0; i < MOST + 2; i++) {
      queue.add(changed);
    }
    assertThat(queue.takeLost()).isEqualTo(2);
    assertThat(queue.takeLost()).isZero();
    queue.poll();
    queue.add(changed);
    assertThat(queue.takeLost()).isZero();
  }
}
