// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.appmaster.replicate.Replicator.Made;
import io.drover.appmaster.replicate.Replicator.Order;
import io.drover.appmaster.replicate.Replicator.Wanted;
import io.drover.core.containment.CircuitBreaker;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.junit.jupiter.api.Test;

class ReplicatorTest {
  private static final int REDUCES = 3;

  private final AtomicLong nanos = new AtomicLong();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private volatile boolean nodesFail;
  private volatile boolean isReady = true;

  private final Replicator replicator =
      new Replicator(
          () -> TypeConverter.toYarn(JobID.forName("job_1400000000000_0001")),
          REDUCES,
          1e6,
          new Replicator.Launcher() {
            @Override
            public boolean isReady() {
              return isReady;
            }

            @Override
            public String launch(TaskAttemptId worker, Container container) throws IOException {
              if (nodesFail) {
                throw new IOException("no route");
              }
              return "http://" + container.getNodeId().getHost() + ":1";
            }
          },
          nanos::get,
          new CircuitBreaker("Workers", nanos::get, () -> {}));

  private final Replicator.Listener listener =
      new Replicator.Listener() {
        @Override
        public void made(Order order, Made replica) {
          told.add("made " + order.output().getTaskId().getId() + " on " + replica.host());
        }

        @Override
        public void failed(Order order, boolean isBegun, String why) {
          told.add("failed " + order.output().getTaskId().getId() + (isBegun ? " begun" : ""));
        }
      };

  private static TaskAttemptId map(int number) {
    return TypeConverter.toYarn(
        TaskAttemptID.forName("attempt_1400000000000_0001_m_00000" + number + "_0"));
  }

  private boolean order(int map, String host, String rack) {
    return replicator.order(
        new Order(map(map), host, "http://" + host + ":1", 1_000_000, rack, List.of("near")),
        listener);
  }

  private static Container on(String host) {
    Container container = mock(Container.class);
    when(container.getNodeId()).thenReturn(NodeId.newInstance(host, 1));
    return container;
  }

  private TaskAttemptId worker(int index) {
    return replicator.wanted().get(index).worker();
  }

  /** Gives a worker a container and waits until it is launched. */
  private void launch(TaskAttemptId worker, String host) {
    assertThat(replicator.allocated(worker, on(host))).isTrue();
    await()
        .until(
            () -> {
              replicator.heard(worker, "failed " + TypeConverter.fromYarn(map(9)) + " probe");
              return replicator.wanted().stream().noneMatch(one -> one.worker().equals(worker));
            });
  }

  private String said(int map) {
    return ReplicaReport.made(map(map), 100, 1).line();
  }

  private void says(TaskAttemptId worker, String line) {
    int before = told.size();
    await() // it is believed once its launch has returned
        .until(
            () -> {
              replicator.heard(worker, line);
              return told.size() > before;
            });
  }

  @Test
  void workerMakesTheReplicasOfManyOutputs() {
    assertThat(order(1, "a", "/r")).isTrue();
    assertThat(order(2, "a", "/r")).isTrue();
    Wanted wanted = replicator.wanted().get(0);
    assertThat(replicator.wanted()).hasSize(1);
    assertThat(wanted.rack()).isEqualTo("/r");
    assertThat(wanted.notOn()).isEqualTo("a");
    assertThat(wanted.worker().getTaskId().getId()).isGreaterThanOrEqualTo(REDUCES);
    launch(wanted.worker(), "b");
    MapTaskCompletionEventsUpdate orders = replicator.events(wanted.worker(), 0, 100);
    assertThat(orders.shouldReset()).isFalse();
    assertThat(orders.getMapTaskCompletionEvents())
        .extracting(event -> event.getTaskTrackerHttp())
        .containsExactly("http://a:1", "http://a:1");
    assertThat(replicator.events(wanted.worker(), 2, 100).getMapTaskCompletionEvents()).isEmpty();
    says(wanted.worker(), said(2));
    says(wanted.worker(), ReplicaReport.failed(map(1), "no space").line());
    assertThat(told).containsExactly("made 2 on b", "failed 1 begun");
    replicator.heard(wanted.worker(), said(1)); // it has said so before
    replicator.heard(wanted.worker(), said(5)); // nobody has ordered it
    assertThat(told).hasSize(2);
  }

  @Test
  void outputsOnTheNodeOfTheFirstWorkerNeedASecondOne() {
    order(1, "a", "/r");
    launch(worker(0), "b");
    assertThat(order(2, "b", "/r")).isTrue();
    assertThat(replicator.wanted()).extracting(Wanted::notOn).containsExactly("b");
    launch(worker(0), "a");
    assertThat(order(3, "a", "/r") && order(4, "b", "/r") && order(5, "c", "/r")).isTrue();
    assertThat(replicator.wanted()).isEmpty();
  }

  @Test
  void thereAreFewWorkers() {
    for (int i = 0; i < Replicator.MOST; i++) {
      assertThat(order(1, "a", "/r" + i)).isTrue();
    }
    assertThat(order(1, "a", "/another")).isFalse();
    assertThat(replicator.wanted()).hasSize(Replicator.MOST);
  }

  @Test
  void ordersOfAWorkerThatGetsNoContainerFail() {
    order(1, "a", "/r");
    nanos.addAndGet(Replicator.PATIENCE.plusSeconds(1).toNanos());
    replicator.endOverdue();
    assertThat(told).containsExactly("failed 1");
    assertThat(replicator.wanted()).isEmpty();
  }

  @Test
  void ordersOfAWorkerThatIsNotHeardOfFail() {
    order(1, "a", "/r");
    TaskAttemptId worker = worker(0);
    launch(worker, "b");
    for (int i = 0; i < 2; i++) { // it copies for long
      nanos.addAndGet(Duration.ofSeconds(45).toNanos());
      replicator.events(worker, 1, 100);
      replicator.endOverdue();
    }
    assertThat(told).isEmpty();
    nanos.addAndGet(Replicator.PATIENCE.plusSeconds(1).toNanos());
    replicator.endOverdue();
    assertThat(told).hasSize(1);
    assertThat(replicator.events(worker, 1, 100).shouldReset()).isTrue();
    assertThat(replicator.isKnown(worker)).isFalse();
    assertThat(replicator.isWorker(worker)).isTrue();
    replicator.heard(worker, said(1));
    assertThat(told).hasSize(1);
  }

  @Test
  void workerWithNothingToDoEnds() {
    order(1, "a", "/r");
    TaskAttemptId worker = worker(0);
    launch(worker, "b");
    says(worker, said(1));
    nanos.addAndGet(Replicator.IDLE.minus(Duration.ofSeconds(1)).toNanos());
    replicator.events(worker, 1, 100);
    replicator.endOverdue();
    assertThat(replicator.isKnown(worker)).isTrue();
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    replicator.endOverdue();
    assertThat(replicator.isKnown(worker)).isFalse();
    assertThat(told).hasSize(1);
  }

  @Test
  void ordersOfAWorkerThatCannotBeStartedFail() {
    nodesFail = true;
    order(1, "a", "/r");
    replicator.allocated(worker(0), on("b"));
    await().until(() -> told.contains("failed 1 begun")); // its node may have started it
    assertThat(replicator.wanted()).isEmpty();
  }

  /** As if its JVM did not start on any node. */
  @Test
  void noMoreWorkersAreStartedIfTheyEndAtOnce() {
    int started = 0;
    while (order(1, "a", "/r") && started < 100) {
      TaskAttemptId worker = worker(0);
      launch(worker, "b");
      replicator.exited(worker, true);
      started++;
    }
    assertThat(started).isEqualTo(CircuitBreaker.FAILURES);
    assertThat(told).hasSize(started);
    nanos.addAndGet(CircuitBreaker.PAUSE.toNanos());
    assertThat(order(1, "a", "/r")).isTrue(); // one is tried
    assertThat(order(2, "a", "/q")).isFalse();
    replicator.exited(worker(0), false);
    assertThat(order(2, "a", "/q")).isFalse();
    nanos.addAndGet(CircuitBreaker.PAUSE.toNanos());
    assertThat(order(1, "a", "/r")).isTrue();
    TaskAttemptId good = worker(0);
    launch(good, "b");
    await().until(() -> replicator.events(good, 0, 10).getMapTaskCompletionEvents().length == 1);
    assertThat(order(2, "a", "/q")).isTrue();
  }

  @Test
  void workersThatOthersEndAreNoSignOfTrouble() {
    for (int i = 0; i < 10; i++) {
      assertThat(order(1, "a", "/r")).isTrue();
      replicator.exited(worker(0), false);
    }
  }

  @Test
  void noWorkerIsStartedBeforeItsFilesAreThere() {
    isReady = false;
    assertThat(order(1, "a", "/r")).isFalse();
    isReady = true;
    assertThat(order(1, "a", "/r")).isTrue();
  }

  @Test
  void whatIsOrderedIsSoonDone() {
    int taken = 0;
    while (replicator.order(
        new Order(map(taken), "a", "http://a:1", 9_000_000, "/r", List.of()), listener)) {
      taken++;
    }
    assertThat(taken)
        .isEqualTo(3 * Replicator.MOST_IN_RACK); // 9 s each, and more than 20 is enough
  }

  @Test
  void workerThatDoesNotGetOnEnds() {
    order(1, "a", "/r");
    TaskAttemptId worker = worker(0);
    launch(worker, "b");
    for (int i = 0; i < 5; i++) {
      nanos.addAndGet(Duration.ofSeconds(30).toNanos());
      replicator.events(worker, 1, 100); // it calls
      replicator.endOverdue();
    }
    assertThat(told).containsExactly("failed 1 begun");
  }

  @Test
  void hostsOfLittleUseGetNoMoreOrders() {
    order(1, "a", "/r");
    launch(worker(0), "b");
    replicator.avoid(Set.of("b"));
    assertThat(order(2, "a", "/r")).isTrue();
    assertThat(replicator.wanted()).hasSize(1); // another one
  }

  @Test
  void containerForAWorkerThatHasEndedIsNotTaken() {
    order(1, "a", "/r");
    TaskAttemptId worker = worker(0);
    replicator.endAll("why");
    assertThat(replicator.allocated(worker, on("b"))).isFalse();
    assertThat(told).containsExactly("failed 1");
  }

  @Test
  void reducesOfTheJobAreNoWorkers() {
    order(1, "a", "/r");
    TaskAttemptId reduce =
        TypeConverter.toYarn(TaskAttemptID.forName("attempt_1400000000000_0001_r_000002_0"));
    assertThat(replicator.isWorker(reduce)).isFalse();
    assertThat(replicator.isWorker(map(7))).isFalse();
    assertThat(replicator.isWorker(worker(0))).isTrue();
  }
}
