// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.channel.AttemptOutcome;
import io.drover.channel.JobStart;
import io.drover.channel.JobStart.SizeSummary;
import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.Breakers;
import io.drover.speculator.DroverCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskTAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.impl.MapTaskImpl;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.junit.jupiter.api.Test;

class OutcomeReporterTest {
  private static final ApplicationId APP = ApplicationId.newInstance(1, 1);
  private static final ApplicationAttemptId SELF = ApplicationAttemptId.newInstance(APP, 2);
  private static final ApplicationAttemptId EARLIER = ApplicationAttemptId.newInstance(APP, 1);
  private static final JobId JOB = MRBuilderUtils.newJobId(APP, 1);
  private static final int MAPS = 6;
  private static final int REDUCES = 6;

  private final RecordingChannel channel = new RecordingChannel();
  private final List<Runnable> heartbeat = new ArrayList<>();
  private final CopyAntiAffinity antiAffinity =
      new CopyAntiAffinity((attempt, host) -> false, Duration.ZERO);
  private final AttemptReports reports = new AttemptReports();
  private final MapOutputs outputs = new MapOutputs(REDUCES);
  private final AtomicLong nanos = new AtomicLong();
  private final Map<DroverCounter, Long> counters = new EnumMap<>(DroverCounter.class);
  private final Breakers breakers =
      new Breakers(nanos::get, (counter, amount) -> counters.merge(counter, amount, Long::sum));
  private final OutcomeReporter news =
      new OutcomeReporter(channel, SELF, antiAffinity, outputs, reports, heartbeat::add, breakers);
  private final Job job = mock();
  private final Map<TaskId, Map<TaskAttemptId, TaskAttempt>> attempts = new LinkedHashMap<>();
  private final Set<TaskAttemptId> stillRead = new HashSet<>();
  private int containers;

  /** A channel whose other end is here. */
  private static final class RecordingChannel extends ClusterChannel {
    private final List<JobStart> jobs = new ArrayList<>();
    private final List<AttemptOutcome> outcomes = new ArrayList<>();
    private final List<String> lost = new ArrayList<>();
    private final List<Duration> secondAttempts = new ArrayList<>();

    @Override
    void job(JobStart job) {
      jobs.add(job);
    }

    @Override
    void ended(AttemptOutcome outcome) {
      outcomes.add(outcome);
    }

    @Override
    void secondAttempt(Duration ran) {
      secondAttempts.add(ran);
    }

    @Override
    void lost(String host) {
      lost.add(host);
    }

    List<String> outliers() {
      return outcomes.stream()
          .filter(AttemptOutcome::outlier)
          .map(AttemptOutcome::machine)
          .toList();
    }
  }

  OutcomeReporterTest() {
    Map<TaskId, Task> maps = new LinkedHashMap<>(); // in no order, as Hadoop's
    for (int i = MAPS - 1; i >= 0; i--) {
      Task task = map(0);
      maps.put(MRBuilderUtils.newTaskId(JOB, i, TaskType.MAP), task);
    }
    when(job.getTasks(TaskType.MAP)).thenReturn(maps);
    when(job.getTotalMaps()).thenReturn(MAPS);
    when(job.getCompletedMaps()).thenReturn(MAPS);
    when(job.getTotalReduces()).thenReturn(REDUCES);
  }

  /** A map with a split of so many bytes. */
  private static Task map(long splitBytes) {
    TaskSplitMetaInfo split =
        new TaskSplitMetaInfo(new TaskSplitIndex(), new String[0], splitBytes);
    return mock(
        MapTaskImpl.class,
        call -> call.getMethod().getName().equals("getTaskSplitMetaInfo") ? split : null);
  }

  /** An attempt that has come to its end; in milliseconds since the epoch. */
  private TaskAttempt attempt(
      TaskType type, int task, String host, long launched, long finished, double progress) {
    return attempt(SELF, type, task, host, launched, finished, progress);
  }

  private TaskAttempt attempt(
      ApplicationAttemptId whose,
      TaskType type,
      int task,
      String host,
      long launched,
      long finished,
      double progress) {
    containers++;
    TaskId taskId = MRBuilderUtils.newTaskId(JOB, task, type);
    TaskAttemptId id = MRBuilderUtils.newTaskAttemptId(taskId, containers);
    ContainerId container = ContainerId.newContainerId(whose, containers);
    TaskAttempt attempt = mock();
    when(attempt.getID()).thenReturn(id);
    when(attempt.getAssignedContainerID()).thenReturn(container);
    when(attempt.getNodeId()).thenReturn(NodeId.newInstance(host, 1));
    when(attempt.getLaunchTime()).thenReturn(launched);
    when(attempt.getFinishTime()).thenReturn(finished);
    when(attempt.isFinished()).thenReturn(finished > 0);
    when(attempt.getProgress()).thenReturn(1f); // Hadoop sets it at the end, whichever way it ends
    TaskAttemptStatus report = new TaskAttemptStatus();
    report.id = id;
    report.progress = (float) progress;
    reports.onEvent(new SpeculatorEvent(report, finished));
    Map<TaskAttemptId, TaskAttempt> all =
        attempts.computeIfAbsent(taskId, any -> new LinkedHashMap<>());
    all.put(id, attempt);
    Task of = mock();
    when(of.getAttempt(id)).thenReturn(attempt);
    when(of.getAttempts()).thenReturn(all);
    when(job.getTask(taskId)).thenReturn(of);
    return attempt;
  }

  private void happens(TaskEventType type, TaskAttempt attempt) {
    news.onTaskEvent(job, new TaskTAttemptEvent(attempt.getID(), type), stillRead::contains);
  }

  private void succeeded(TaskType type, int task, String host, long launched, long finished) {
    TaskAttempt attempt = attempt(type, task, host, launched, finished, 1);
    happens(TaskEventType.T_ATTEMPT_SUCCEEDED, attempt);
  }

  private void heartbeat() {
    List<Runnable> due = List.copyOf(heartbeat);
    heartbeat.clear();
    due.forEach(Runnable::run);
  }

  private void mapsSucceed() {
    for (int i = 0; i < MAPS; i++) {
      succeeded(TaskType.MAP, i, "m" + i, 1_000, 11_000);
    }
  }

  @Test
  void jobIsToldWhenItBegins() {
    news.begin(job, true, new Configuration(false));
    assertThat(channel.jobs).hasSize(1);
    JobStart start = channel.jobs.get(0);
    assertThat(List.of(start.maps(), start.reduces())).containsExactly(MAPS, REDUCES);
    assertThat(start.clones()).isTrue();
    assertThat(start.inputs()).isEmpty(); // mocks have no splits
  }

  @Test
  void attemptIsJudgedByTheSplitOfItsOwnTask() {
    Map<TaskId, Task> maps = job.getTasks(TaskType.MAP);
    for (TaskId id : maps.keySet()) {
      maps.put(id, map(id.getId() == 0 ? 10_000_000 : 1_000_000));
    }
    news.begin(job, false, new Configuration(false));
    succeeded(TaskType.MAP, 0, "good", 1_000, 101_000); // ten times as long, for as much more
    for (int i = 1; i < MAPS; i++) {
      succeeded(TaskType.MAP, i, "m" + i, 1_000, 11_000);
    }
    heartbeat();
    assertThat(channel.outcomes).hasSize(MAPS);
    assertThat(channel.outliers()).isEmpty();
  }

  @Test
  void timeOfAttemptsBesideElderOnesIsTold() {
    news.begin(job, false, new Configuration(false));
    TaskAttempt elder = attempt(TaskType.MAP, 0, "h0", 1_000, 0, 0.5); // runs
    TaskAttempt clone = attempt(TaskType.MAP, 0, "h1", 2_000, 12_000, 1);
    happens(TaskEventType.T_ATTEMPT_SUCCEEDED, clone);
    when(elder.getFinishTime()).thenReturn(12_500L);
    when(elder.isFinished()).thenReturn(true);
    happens(TaskEventType.T_ATTEMPT_KILLED, elder);
    TaskAttempt copy = attempt(TaskType.MAP, 0, "h2", 12_100, 12_600, 0.1);
    happens(TaskEventType.T_ATTEMPT_KILLED, copy);
    TaskAttempt withdrawn = attempt(TaskType.MAP, 0, "h4", 0, 0, 0);
    when(withdrawn.isFinished()).thenReturn(true); // before it was launched, so without a time
    TaskAttempt retry = attempt(TaskType.MAP, 0, "h3", 20_000, 30_000, 1);
    happens(TaskEventType.T_ATTEMPT_SUCCEEDED, retry);
    assertThat(channel.secondAttempts)
        .containsExactly(Duration.ofMillis(10_000), Duration.ofMillis(500));
    happens(TaskEventType.T_ATTEMPT_KILLED, clone); // its output is lost
    assertThat(channel.secondAttempts).hasSize(2);
  }

  private void breaksOnce() {
    TaskAttempt broken = attempt(TaskType.MAP, 0, "m", 1_000, 11_000, 1);
    when(broken.getNodeId()).thenThrow(new AssertionError("broken"));
    happens(TaskEventType.T_ATTEMPT_SUCCEEDED, broken);
  }

  @Test
  void newsThatFailsCostsItselfOnlyAndThreeInARowAMinute() {
    news.begin(job, false, new Configuration(false));
    breaksOnce();
    mapsSucceed();
    heartbeat();
    assertThat(channel.outcomes).hasSize(MAPS);
    for (int i = 0; i < 3; i++) {
      breaksOnce();
    }
    assertThat(counters).containsExactly(Map.entry(DroverCounter.CLUSTER_NEWS_OFF, 1L));
    mapsSucceed();
    heartbeat();
    assertThat(channel.outcomes).as("off").hasSize(MAPS);
    nanos.addAndGet(CircuitBreaker.PAUSE.toNanos());
    mapsSucceed();
    heartbeat();
    assertThat(channel.outcomes).hasSize(2 * MAPS);
  }

  @Test
  void attemptsAreToldWithTheNextHeartbeat() {
    news.begin(job, false, new Configuration(false));
    mapsSucceed();
    TaskAttempt slow = attempt(TaskType.MAP, 0, "slow", 1_000, 31_000, 0.3);
    happens(TaskEventType.T_ATTEMPT_KILLED, slow);
    assertThat(channel.outcomes).isEmpty();
    assertThat(heartbeat).hasSize(1);
    heartbeat();
    assertThat(channel.outcomes).hasSize(MAPS + 1);
    assertThat(channel.outliers()).containsExactly("slow");
    AttemptOutcome outcome = channel.outcomes.get(MAPS);
    assertThat(outcome.container()).isEqualTo(slow.getAssignedContainerID().getContainerId());
    assertThat(outcome.duration()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void attemptThatWasMovedAwayIsAnOutlier() {
    news.begin(job, false, new Configuration(false));
    mapsSucceed();
    TaskAttempt moved = attempt(TaskType.MAP, 0, "bad", 1_000, 5_000, 0.05);
    antiAffinity.flees(moved.getID());
    happens(TaskEventType.T_ATTEMPT_KILLED, moved);
    heartbeat();
    assertThat(channel.outliers()).containsExactly("bad");
  }

  @Test
  void slowerCloneIsJudgedByWhatItWouldHaveTaken() {
    news.begin(job, true, new Configuration(false));
    mapsSucceed(); // in 10 s each
    TaskAttempt good = attempt(TaskType.MAP, 0, "good", 1_000, 5_000, 0.3);
    TaskAttempt bad = attempt(TaskType.MAP, 1, "bad", 1_000, 5_000, 0.1);
    TaskAttempt won = attempt(TaskType.MAP, 2, "won", 1_000, 5_000, 0.9);
    news.endedAsSlower(good.getID(), 15);
    news.endedAsSlower(bad.getID(), 17);
    news.endedAsSlower(won.getID(), 100);
    happens(TaskEventType.T_ATTEMPT_KILLED, good);
    happens(TaskEventType.T_ATTEMPT_KILLED, bad);
    happens(TaskEventType.T_ATTEMPT_SUCCEEDED, won); // before its kill came
    heartbeat();
    assertThat(channel.outcomes).hasSize(MAPS + 3);
    assertThat(channel.outliers()).containsExactly("bad");
  }

  @Test
  void outputThatIsLostIsToldAndNoOutcome() {
    news.begin(job, false, new Configuration(false));
    mapsSucceed();
    TaskAttempt map = attempt(TaskType.MAP, 0, "gone", 1_000, 11_000, 1);
    happens(TaskEventType.T_ATTEMPT_SUCCEEDED, map);
    heartbeat();
    happens(TaskEventType.T_ATTEMPT_KILLED, map);
    heartbeat();
    assertThat(channel.lost).containsExactly("gone");
    assertThat(channel.outcomes).hasSize(MAPS + 1);
  }

  @Test
  void outputThatIsMadeAgainThoughItCanBeReadIsNotLost() {
    news.begin(job, false, new Configuration(false));
    mapsSucceed();
    TaskAttempt map = attempt(TaskType.MAP, 0, "slow", 1_000, 11_000, 1);
    happens(TaskEventType.T_ATTEMPT_SUCCEEDED, map);
    stillRead.add(map.getID());
    happens(TaskEventType.T_ATTEMPT_KILLED, map);
    heartbeat();
    assertThat(channel.lost).isEmpty();
    assertThat(channel.outcomes).as("it has succeeded").hasSize(MAPS + 1);
    assertThat(channel.outliers()).isEmpty();
  }

  @Test
  void reduceWorksSinceTheLastMapEnded() {
    news.begin(job, false, new Configuration(false));
    mapsSucceed(); // the last at 11 s
    for (int i = 0; i < REDUCES - 1; i++) {
      succeeded(TaskType.REDUCE, i, "r" + i, 2_000 * i, 21_000);
    }
    heartbeat();
    assertThat(channel.outliers()).isEmpty(); // one began at 8 s, and none was slower than another
    when(job.getCompletedMaps()).thenReturn(MAPS - 1);
    TaskAttempt waiting = attempt(TaskType.REDUCE, 5, "waits", 2_000, 90_000, 0.3);
    happens(TaskEventType.T_ATTEMPT_KILLED, waiting);
    heartbeat();
    assertThat(channel.outliers()).isEmpty(); // it could not go on without the last map
    when(job.getCompletedMaps()).thenReturn(MAPS);
    succeeded(TaskType.REDUCE, 5, "slow", 2_000, 41_000);
    heartbeat();
    assertThat(channel.outliers()).containsExactly("slow");
  }

  @Test
  void partitionsAreToldWhenAllMapsAreKnown() {
    news.begin(job, false, new Configuration(false));
    for (int i = 0; i < MAPS; i++) {
      TaskAttempt map = attempt(TaskType.MAP, i, "m", 1_000, 11_000, 1);
      outputs.onLine(map.getID(), PartitionSizes.encode(new long[] {1, 2, 3, 4, 5, 60}).get(0));
      outputs.succeeded(map.getID(), "/r", 75, 1);
      happens(TaskEventType.T_ATTEMPT_SUCCEEDED, map);
    }
    succeeded(TaskType.REDUCE, 0, "r", 1_000, 12_000);
    assertThat(channel.jobs).hasSize(2);
    SizeSummary partitions = channel.jobs.get(1).partitions().orElseThrow();
    assertThat(partitions.largest()).isBetween(359L, 361L);
    assertThat(partitions.smallest()).isBetween(5L, 7L);
  }

  @Test
  void attemptsOfAnEarlierAppMasterAreNotOurs() {
    news.begin(job, false, new Configuration(false));
    for (int i = 0; i < MAPS; i++) {
      TaskAttempt map = attempt(EARLIER, TaskType.MAP, i, "m", 1_000, 11_000, 1);
      happens(TaskEventType.T_ATTEMPT_SUCCEEDED, map);
    }
    assertThat(heartbeat).isEmpty();
    news.end();
    assertThat(channel.outcomes).isEmpty();
  }

  @Test
  void whatIsLeftIsToldAtTheEnd() {
    news.begin(job, false, new Configuration(false));
    mapsSucceed();
    news.end();
    assertThat(channel.outcomes).hasSize(MAPS);
  }
}
