// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.appmaster.protect.OutputProtection;
import io.drover.appmaster.protect.ShuffleProbe;
import io.drover.appmaster.protect.Surroundings;
import io.drover.appmaster.replicate.Replicator;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import io.drover.core.protect.ProtectSettings;
import io.drover.speculator.DroverCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl;
import org.apache.hadoop.service.Service;
import org.junit.jupiter.api.AfterEach;

/** A job in a real AppMaster with made-up nodes, whose maps have succeeded and have outputs. */
abstract class ProtectedOutputs {
  /** The priority at which Hadoop asks for maps that have to run again. */
  static final int FAST_FAIL = 5;

  static final String RACK = "/r";
  static final CloneSettings NO_CLONES = new CloneSettings(0, 1, 0.05, 0.05, 0.1);
  static final ProtectSettings SOON =
      ProtectSettings.DEFAULT
          .silentAfter(Duration.ofSeconds(1))
          .shares(0.1, 1)
          .workerStart(Duration.ZERO);

  final ShuffleProbe probe = mock(ShuffleProbe.class);

  /** Hosts that do not answer. Tests change this and not the mock, which other threads ask. */
  final Set<String> silentHosts = ConcurrentHashMap.newKeySet();

  final Set<TaskAttemptID> lost = ConcurrentHashMap.newKeySet();
  final List<Map<String, Object>> lines = new CopyOnWriteArrayList<>();
  final List<String> replicas = new CopyOnWriteArrayList<>();
  FakeScheduler scheduler = FakeCluster.scheduler(61).nodes(4, RACK, 3);
  final Set<TaskAttemptId> fled = ConcurrentHashMap.newKeySet();
  final List<String> lostOn = new CopyOnWriteArrayList<>();
  final Map<ActionKind, ActionTotals> actions = new ConcurrentHashMap<>();
  volatile boolean mayRunTwice = true;
  volatile int freeSlots;
  volatile boolean unreadable;

  /** How long the maps run. */
  Duration mapsTake = Duration.ofMillis(100);

  /** What each map writes. */
  long outputBytes;

  /** Nodes that are asked for outputs answer after this. */
  volatile CountDownLatch answer = new CountDownLatch(0);

  OutputProtection protection;
  volatile Job job;
  final List<Service> watches = new ArrayList<>();

  @AfterEach
  void stop() {
    watches.forEach(Service::stop);
  }

  /** Makes replicas; nobody unless a test says otherwise. */
  Replicator replicator() {
    return CopiesUnderTest.noReplicator();
  }

  /** Returns how likely outputs on a host are lost. */
  OptionalDouble loss(String host) {
    return OptionalDouble.empty();
  }

  /** A job of four maps and a reduce; the maps have succeeded, and the reduce shuffles. */
  TestApp start(Mode mode) throws Exception {
    when(probe.answers(any()))
        .thenAnswer(
            call -> {
              String address = call.getArgument(0);
              return silentHosts.stream().noneMatch(host -> address.contains("//" + host + ":"));
            });
    when(probe.canRead(any(), anyInt(), any())).thenAnswer(call -> !unreadable);
    when(probe.unreadable(any(), anyInt(), any()))
        .thenAnswer(
            call -> {
              answer.await();
              List<TaskAttemptID> asked = call.getArgument(2);
              return asked.stream().filter(lost::contains).toList();
            });
    FakeCluster cluster = new FakeCluster(scheduler, FakeCluster.PATIENT, NO_CLONES, Mode.OFF);
    TestApp app = TestApp.protecting(cluster, 4, 1, it -> protection(it, mode));
    job = app.job();
    TestApp.awaitRunning(app.task(TaskType.REDUCE, 0), 0);
    shuffles(app, Phase.SHUFFLE);
    for (int i = 0; i < 4; i++) {
      TestApp.awaitRunning(map(app, i), 0);
    }
    app.passes(mapsTake);
    for (int i = 0; i < 4; i++) {
      writes(app, attempt(map(app, i), 0));
      finish(app, map(app, i), 0);
    }
    return app;
  }

  OutputProtection protection(TestApp app, Mode mode) {
    org.apache.hadoop.conf.Configuration conf = TestApp.conf();
    conf.setInt("mapreduce.job.reduces", 1);
    conf.setInt("mapreduce.map.maxattempts", 2);
    OutputProtection made =
        new OutputProtection(
            mode,
            SOON,
            conf,
            new Surroundings(
                app::job,
                () -> probe,
                () -> true,
                kind -> mayRunTwice,
                () -> freeSlots,
                app.avoided()::silent,
                this::loss,
                lostOn::add,
                (kind, more) -> actions.merge(kind, more, ActionTotals::plus),
                fled::add,
                replicator(),
                work -> app.send(new DispatcherTask(work)),
                (type, fields) -> {
                  if (type.equals("outputMadeAgain")) {
                    lines.add(fields);
                  } else if (type.startsWith("replica")) {
                    replicas.add(type);
                  }
                },
                app.ofTheJob));
    for (Service watch : List.of(made.watch(), made.launches().watch())) {
      watch.init(conf);
      watch.start();
      watches.add(watch);
    }
    protection = made;
    return made;
  }

  static Task map(TestApp app, int number) {
    return app.task(TaskType.MAP, number);
  }

  static String host(Task map, int number) {
    return attempt(map, number).getNodeId().getHost();
  }

  static void finish(TestApp app, Task task, int number) throws Exception {
    app.send(attempt(task, number), TaskAttemptEventType.TA_DONE);
    TestApp.awaitState(attempt(task, number), TaskAttemptState.SUCCEEDED);
    app.settle();
  }

  /** A map reports what it has written. */
  private void writes(TestApp app, TaskAttempt map) throws Exception {
    Counters counters = new Counters();
    counters.findCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES).setValue(outputBytes);
    report(app, map, Phase.MAP, counters);
  }

  static void shuffles(TestApp app, Phase phase) throws Exception {
    TaskAttempt reduce = attempt(app.task(TaskType.REDUCE, 0), 0);
    report(app, reduce, phase, new Counters());
    assertThat(reduce.getPhase()).isEqualTo(phase);
  }

  private static void report(TestApp app, TaskAttempt attempt, Phase phase, Counters counters)
      throws Exception {
    TaskAttemptStatus status = new TaskAttemptStatus();
    status.id = attempt.getID();
    status.phase = phase;
    status.taskState = TaskAttemptState.RUNNING;
    status.counters = counters;
    status.stateString = "";
    app.send(new TaskAttemptStatusUpdateEvent(attempt.getID(), new AtomicReference<>(status)));
    app.settle();
  }

  static void complain(TestApp app, Task map) throws Exception {
    TaskAttempt reduce = attempt(app.task(TaskType.REDUCE, 0), 0);
    app.send(
        new JobTaskAttemptFetchFailureEvent(
            reduce.getID(), List.of(attempt(map, 0).getID()), "anywhere"));
    app.settle();
  }

  List<String> told(TestApp app) {
    TaskCompletionEvent[] events = app.job().getMapAttemptCompletionEvents(0, 100);
    return Arrays.stream(events).map(e -> e.getTaskStatus() + " " + e.idWithinJob()).toList();
  }

  List<String> toldReduces() {
    TaskCompletionEvent[] events = protection.events().orElseThrow().next(0, 100);
    return Arrays.stream(events).map(e -> e.getTaskStatus() + " " + e.idWithinJob()).toList();
  }

  static long remade(TestApp app) {
    return app.job().getAllCounters().findCounter(DroverCounter.OUTPUTS_REMADE).getValue();
  }

  /** What a job says of its state is not it, as long as the AppMaster has not unregistered. */
  static void ends(TestApp app, JobStateInternal state) throws Exception {
    app.waitForInternalState((JobImpl) app.job(), state);
  }

  static void endsWell(TestApp app) throws Exception {
    assertThat(app.job().getCompletedMaps()).isEqualTo(4);
    shuffles(app, Phase.REDUCE);
    finish(app, app.task(TaskType.REDUCE, 0), 0);
    ends(app, JobStateInternal.SUCCEEDED);
    for (Task task : app.job().getTasks().values()) {
      assertThat(TestApp.inState(task, TaskAttemptState.FAILED)).isEmpty();
    }
  }
}
