// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.inState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskCompletionEvent.Status;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptTooManyFetchFailureEvent;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clones of reduces are told, whatever happens to maps. */
class CompletionStreamsTest {
  private static final CloneSettings CLONES = new CloneSettings(10, 4, 0.05, 0.05, 0.1);
  private static final int MAPS = 5;

  private final AtomicLong time = new AtomicLong(1_000_000);

  private static FakeCluster cluster() {
    FakeScheduler scheduler = FakeCluster.scheduler(11);
    for (int i = 0; i < 10; i++) {
      scheduler.node("s" + i, "/r", 10);
    }
    return new FakeCluster(scheduler, FakeCluster.PATIENT, CLONES, Mode.OFF);
  }

  /** What a reduce makes of its stream, and whether it may. */
  private static final class Reader {
    private final TaskAttemptId id;
    private List<TaskCompletionEvent> seen = List.of();

    Reader(TaskAttemptId id) {
      this.id = id;
    }

    void poll(TestApp app, Random random) {
      List<TaskCompletionEvent> all = List.of(app.streams().next(id, 0, 1000).orElseThrow());
      assertThat(all.subList(0, seen.size())).isEqualTo(seen); // an index means the same for ever
      int from = random.nextInt(all.size() + 1);
      int most = random.nextInt(4);
      List<TaskCompletionEvent> some =
          List.of(app.streams().next(id, from, most).orElseThrow()); // and what came meanwhile
      int known = Math.min(most, all.size() - from);
      assertThat(some).hasSizeBetween(known, most);
      assertThat(some.subList(0, known)).isEqualTo(all.subList(from, from + known));
      seen = all;
    }

    /** The attempts that it may fetch from. */
    Set<TaskAttemptId> known(TestApp app) {
      Set<TaskAttemptId> known = new HashSet<>();
      Set<TaskAttemptId> barred = new HashSet<>();
      for (TaskCompletionEvent event : seen) {
        TaskAttemptId attempt = TypeConverter.toYarn(event.getTaskAttemptId());
        (event.getTaskStatus() == Status.SUCCEEDED ? known : barred).add(attempt);
      }
      for (TaskAttemptId attempt : barred) {
        assertThat(state(app, attempt)).as("barred").isNotEqualTo(TaskAttemptState.SUCCEEDED);
      }
      known.removeAll(barred);
      return known;
    }

    private static TaskAttemptState state(TestApp app, TaskAttemptId id) {
      return app.job().getTask(id.getTaskId()).getAttempt(id).getState();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void noStormLeavesACloneWithoutALivingCopyOfEachMap(long seed) throws Exception {
    Random random = new Random(seed);
    try (TestApp app = TestApp.feeding(cluster(), MAPS, 1, 0.1, time, List.of())) {
      Task reduce = app.task(TaskType.REDUCE, 0);
      List<Task> maps = List.copyOf(app.job().getTasks(TaskType.MAP).values());
      int attempts = 3; // by the formula, of each of 6 tasks
      for (Task task : app.job().getTasks().values()) {
        await().until(() -> inState(task, TaskAttemptState.RUNNING).size() == attempts);
      }
      time.addAndGet(20_000);
      List<Reader> readers = new ArrayList<>();
      for (int i = 1; i < attempts; i++) {
        readers.add(new Reader(TestApp.attempt(reduce, i).getID()));
      }
      for (int i = 0; i < 70; i++) {
        strike(app, maps.get(random.nextInt(MAPS)), random);
        if (random.nextBoolean()) {
          app.settle();
        }
        for (Reader reader : readers) {
          reader.poll(app, random);
        }
      }
      for (Task map : maps) {
        while (map.getState() != TaskState.SUCCEEDED) {
          await().until(() -> !inState(map, TaskAttemptState.RUNNING).isEmpty());
          app.send(inState(map, TaskAttemptState.RUNNING).get(0), TaskAttemptEventType.TA_DONE);
          app.settle();
        }
      }
      assertThat(app.job().getCompletedMaps()).isEqualTo(MAPS);
      time.addAndGet(1_000_000); // nobody waits any more
      for (Reader reader : readers) {
        reader.poll(app, random);
        Set<Task> living = new HashSet<>();
        for (TaskAttemptId id : reader.known(app)) {
          if (Reader.state(app, id) == TaskAttemptState.SUCCEEDED) {
            living.add(app.job().getTask(id.getTaskId()));
          }
        }
        assertThat(living).containsExactlyInAnyOrderElementsOf(maps);
      }
      app.send(TestApp.attempt(reduce, 0), TaskAttemptEventType.TA_DONE);
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  private void strike(TestApp app, Task map, Random random) throws Exception {
    List<TaskAttempt> running = inState(map, TaskAttemptState.RUNNING);
    List<TaskAttempt> done = inState(map, TaskAttemptState.SUCCEEDED);
    TaskAttemptId reduce = TestApp.attempt(app.task(TaskType.REDUCE, 0), 0).getID();
    int what = random.nextInt(10);
    if (what < 4 && !running.isEmpty()) {
      app.send(any(running, random), TaskAttemptEventType.TA_DONE);
    } else if (what == 4 && !running.isEmpty()) {
      app.send(any(running, random), TaskAttemptEventType.TA_KILL);
    } else if (what == 5 && !running.isEmpty()) {
      app.send(any(running, random), TaskAttemptEventType.TA_FAILMSG);
    } else if (what == 6 && !done.isEmpty()) {
      TaskAttemptId lost = any(done, random).getID();
      app.send(new TaskAttemptTooManyFetchFailureEvent(lost, reduce, "anywhere"));
    } else if (what == 7 && !done.isEmpty()) {
      TaskAttemptId late = any(done, random).getID();
      app.send(new JobTaskAttemptFetchFailureEvent(reduce, List.of(late), "anywhere"));
    } else if (what == 8 && !done.isEmpty()) {
      app.send(any(done, random), TaskAttemptEventType.TA_KILL);
    } else {
      time.addAndGet(random.nextInt(1_500));
    }
  }

  private static TaskAttempt any(List<TaskAttempt> attempts, Random random) {
    return attempts.get(random.nextInt(attempts.size()));
  }

  @Test
  void ofTwoSuccessesThatARecoveredTaskHadTheFirstIsToldToAll() throws Exception {
    try (TestApp app = TestApp.feeding(cluster(), 2, 1, 0.1, time, List.of(succeededTwice()))) {
      Task map = app.task(TaskType.MAP, 0);
      app.waitForState(map, TaskState.SUCCEEDED);
      assertThat(inState(map, TaskAttemptState.SUCCEEDED)).hasSize(2);
      Task reduce = app.task(TaskType.REDUCE, 0);
      TestApp.awaitRunning(reduce, 1);
      app.settle();
      assertThat(app.job().getCompletedMaps()).isEqualTo(1);
      TaskCompletionEvent[] all = app.job().getMapAttemptCompletionEvents(0, 100);
      assertThat(all).hasSize(1);
      assertThat(all[0].getTaskAttemptId().getId()).isEqualTo(1); // which was the first to end
      TaskAttemptId clone = TestApp.attempt(reduce, 1).getID();
      assertThat(app.streams().next(clone, 0, 100).orElseThrow()).containsExactly(all);
      Task other = app.task(TaskType.MAP, 1);
      TestApp.awaitRunning(other, 0);
      app.send(TestApp.attempt(other, 0), TaskAttemptEventType.TA_DONE);
      app.waitForState(other, TaskState.SUCCEEDED);
      app.send(TestApp.attempt(reduce, 0), TaskAttemptEventType.TA_DONE);
      app.waitForState(app.job(), JobState.SUCCEEDED);
    }
  }

  private static TaskInfo succeededTwice() {
    TaskID id = TaskID.forName("task_0_0000_m_000000");
    Map<TaskAttemptID, TaskAttemptInfo> attempts = new HashMap<>();
    for (int i = 0; i < 2; i++) {
      TaskAttemptInfo attempt = mock(TaskAttemptInfo.class);
      TaskAttemptID attemptId = new TaskAttemptID(id, i);
      ApplicationAttemptId app =
          ApplicationAttemptId.newInstance(ApplicationId.newInstance(0, 0), 1);
      when(attempt.getAttemptId()).thenReturn(attemptId);
      when(attempt.getStartTime()).thenReturn(1L);
      when(attempt.getFinishTime()).thenReturn(200L - i); // the clone was first
      when(attempt.getContainerId()).thenReturn(ContainerId.newContainerId(app, 100 + i));
      when(attempt.getHostname()).thenReturn("host" + i);
      when(attempt.getTaskStatus()).thenReturn("SUCCEEDED");
      when(attempt.getError()).thenReturn("");
      when(attempt.getCounters()).thenReturn(new Counters());
      attempts.put(attemptId, attempt);
    }
    TaskInfo task = mock(TaskInfo.class);
    when(task.getTaskId()).thenReturn(id);
    when(task.getTaskStatus()).thenReturn("SUCCEEDED");
    when(task.getAllTaskAttempts()).thenReturn(attempts);
    return task;
  }

  @Test
  void streamThatFailsGoesOnWithAllThatTheJobTells() {
    TaskCompletionEvent[] job = {event(0, Status.SUCCEEDED), event(1, Status.SUCCEEDED)};
    MapCopies copies = mock(MapCopies.class);
    int[] asked = {0};
    CompletionStream stream =
        new CompletionStream(
            mock(TaskAttemptId.class),
            1,
            (start, most) -> {
              if (asked[0]++ == 2) {
                throw new IllegalStateException("once");
              }
              return List.of(job)
                  .subList(Math.min(start, 2), (int) Math.min(2L, (long) start + most))
                  .toArray(TaskCompletionEvent[]::new);
            },
            copies,
            output -> Optional.empty(),
            (type, fields) -> {},
            new CircuitBreaker("Streams", System::nanoTime, () -> {}));
    assertThat(stream.next(0, 1, 0)).containsExactly(job[0]); // then it fails
    assertThat(stream.next(1, 10, 0)).containsExactly(job);
    assertThat(stream.next(2, 10, 0)).containsExactly(job[1]);
    assertThat(stream.next(3, 10, 0)).isEmpty();
  }

  /** The job's lock would be taken as often as there are maps, by each clone every second. */
  @Test
  void jobIsAskedAboutNoOutputThatACloneReadsAlready() {
    TaskCompletionEvent[] job =
        IntStream.range(0, 100)
            .mapToObj(map -> event(map, Status.SUCCEEDED))
            .toArray(TaskCompletionEvent[]::new);
    AtomicInteger asked = new AtomicInteger();
    CompletionStream stream =
        new CompletionStream(
            mock(TaskAttemptId.class),
            1,
            (start, most) -> {
              asked.incrementAndGet();
              return Arrays.copyOfRange(job, start, start + Math.min(most, job.length - start));
            },
            mock(MapCopies.class),
            output -> Optional.empty(),
            (type, fields) -> {},
            new CircuitBreaker("Streams", System::nanoTime, () -> {}));
    assertThat(stream.next(0, 1000, 0)).hasSize(100);
    asked.set(0);
    assertThat(stream.next(100, 1000, 1000)).isEmpty();
    assertThat(asked).as("only for what is new").hasValue(1);
  }

  private static TaskCompletionEvent event(int map, Status status) {
    return new TaskCompletionEvent(
        map,
        new org.apache.hadoop.mapred.TaskAttemptID(
            "0", 0, org.apache.hadoop.mapreduce.TaskType.MAP, map, 0),
        map,
        true,
        status,
        "http://h:1");
  }
}
