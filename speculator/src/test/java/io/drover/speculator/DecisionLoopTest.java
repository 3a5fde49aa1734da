// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import io.drover.core.model.Decision;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.Rule;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import io.drover.core.restart.SlowTasks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attempts of ten maps take 10 s, and those of one more 80 s. They report each second. Passes
 * follow each other every 250 ms. Each attempt is on a host of its own.
 */
class DecisionLoopTest {
  private static final JobId JOB =
      MRBuilderUtils.newJobId(ApplicationId.newInstance(1_700_000_000_000L, 1), 1);
  private static final int USUAL = 10;
  private static final int SLOW = 80;

  @TempDir Path dir;

  private final Job job = mock();
  private final Map<TaskId, Task> maps = new LinkedHashMap<>();

  /** The seconds that an attempt takes. */
  private final Map<TaskAttempt, Integer> running = new LinkedHashMap<>();

  private final List<Decision> sent = new ArrayList<>();
  private final DecisionThreadQueue queue = new DecisionThreadQueue();
  private final Task slow;
  private long now = 1000;
  private JobModel model;
  private DecisionLoop loop;

  DecisionLoopTest() {
    when(job.getID()).thenReturn(JOB);
    when(job.getTasks()).thenReturn(maps);
    when(job.getTasks(TaskType.MAP)).thenReturn(maps);
    when(job.getTask(any())).thenAnswer(call -> maps.get(call.<TaskId>getArgument(0)));
    when(job.getTotalMaps()).thenReturn(100);
    for (int i = 0; i < 10; i++) {
      start(map(), USUAL);
    }
    slow = map();
    start(slow, SLOW);
  }

  private Task map() {
    TaskId id = MRBuilderUtils.newTaskId(JOB, maps.size(), TaskType.MAP);
    Task task = mock();
    Map<TaskAttemptId, TaskAttempt> attempts = new LinkedHashMap<>();
    when(task.getID()).thenReturn(id);
    when(task.getState()).thenReturn(TaskState.RUNNING);
    when(task.getAttempts()).thenReturn(attempts);
    maps.put(id, task);
    return task;
  }

  private TaskAttempt request(Task task) {
    TaskAttemptId id = MRBuilderUtils.newTaskAttemptId(task.getID(), task.getAttempts().size());
    TaskAttempt attempt = mock();
    when(attempt.getID()).thenReturn(id);
    when(attempt.getState()).thenReturn(TaskAttemptState.STARTING);
    task.getAttempts().put(id, attempt);
    queue.add(new DecisionThreadEvent.TaskChanged(now, task.getID()));
    return attempt;
  }

  private TaskAttempt start(Task task, int seconds) {
    TaskAttempt attempt = request(task);
    String host = "n" + task.getID().getId() + "-" + attempt.getID().getId();
    when(attempt.getNodeId()).thenReturn(NodeId.newInstance(host, 1));
    when(attempt.getLaunchTime()).thenReturn(now);
    when(attempt.getState()).thenReturn(TaskAttemptState.RUNNING);
    running.put(attempt, seconds);
    return attempt;
  }

  private void end(TaskAttempt attempt, TaskAttemptState how) {
    when(attempt.getState()).thenReturn(how);
    when(attempt.getFinishTime()).thenReturn(now);
    running.remove(attempt);
  }

  private void report() {
    for (TaskAttempt attempt : List.copyOf(running.keySet())) {
      double work = (now - attempt.getLaunchTime()) / 1e3 / running.get(attempt);
      if (work >= 1) {
        end(attempt, TaskAttemptState.SUCCEEDED);
      } else {
        queue.add(
            new DecisionThreadEvent.Report(
                now, attempt.getID(), SubPhase.MAP, (float) work, work, 0, 0, 0, 0, 0));
      }
    }
  }

  private void create(Optional<AttemptPlacementHook> hook) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("mapreduce.drover.restart.mode", "on");
    conf.set("mapreduce.drover.restart.more-to-do", "0");
    conf.setInt(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL, 1000);
    JobSettings settings = HadoopSettings.read(conf);
    model =
        new JobModel(
            job,
            settings.estimator(),
            now,
            task -> 1000,
            machine -> PhaseModel.OUTLIERS,
            attempt -> false,
            (task, attempt) -> {});
    Actuator actuator = mock();
    doAnswer(
            call -> {
              if (call.getArgument(0) instanceof Actuator.Act act) {
                sent.add(act.decision());
              }
              return null;
            })
        .when(actuator)
        .post(any());
    DecisionLog log = new DecisionLog(dir.resolve("log.jsonl"), Mode.ON);
    loop =
        new DecisionLoop(
            model,
            settings,
            AttemptBudget.of(conf, hook.isPresent()),
            Set.of(TaskKind.MAP),
            new SpeculationCap(10, 0, 0),
            new SecondAttempts((why, seenHere) -> {}),
            queue,
            actuator,
            new DecisionRecorder(model, log, Mode.ON, false),
            TaskType.MAP,
            new RecoveredDecisions(),
            hook);
  }

  private void pass() {
    now += 250;
    if (now % 1000 == 0) {
      report();
    }
    Steps steps = new Steps();
    loop.pass(now, steps);
    assertThat(steps.failure()).isEmpty();
  }

  /** Makes passes until an action is sent, and returns the decision. */
  private Decision next() {
    for (int i = 0; i < 400 && sent.isEmpty(); i++) {
      pass();
    }
    assertThat(sent).hasSize(1);
    return sent.remove(0);
  }

  private void answer(Decision decision, String refusal) {
    queue.add(new DecisionThreadEvent.Acted(now, decision, refusal));
  }

  private TaskModel slowModel() {
    return model.task(slow.getID());
  }

  @Test
  void restartsDoNotUseUpTheCopies() throws Exception {
    request(map()); // and it gets no container
    create(Optional.empty());
    for (int i = 0; i < 3; i++) {
      Decision restart = next();
      assertThat(restart.rule()).isEqualTo(Rule.RESTART_PAYS);
      end(
          slow.getAttempts().get(model.id(restart.attempt().orElseThrow())),
          TaskAttemptState.KILLED);
      start(slow, SLOW);
      answer(restart, null);
    }
    assertThat(next().rule()).isEqualTo(Rule.COPY_SAVES_RESOURCES);
    assertThat(slowModel().kills()).isEqualTo(3);
    assertThat(slowModel().copiesMade()).isEqualTo(1);
  }

  @Test
  void aRefusedCopyDoesNotCountAndIsTriedAgainAfterDelta() throws Exception {
    create(Optional.empty());
    double before = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < 10; i++) {
      Decision copy = next();
      assertThat(copy.rule()).isEqualTo(Rule.COPY_SAVES_TIME);
      assertThat(copy.at()).isGreaterThanOrEqualTo(before + 1);
      before = copy.at();
      assertThat(slowModel().copiesMade()).isEqualTo(1);
      answer(copy, "it is committing");
    }
  }

  @Test
  void anActionIsSentOnceUntilItIsAnswered() throws Exception {
    AttemptPlacementHook hook = mock();
    when(hook.earlierSlowTasks()).thenReturn(SlowTasks.NONE);
    when(hook.successProbability()).thenReturn(1.0);
    TaskAttempt fast = start(slow, 20);
    create(Optional.of(hook));
    Decision prune = next();
    assertThat(prune.rule()).isEqualTo(Rule.SLOWER_ATTEMPT);
    assertThat(prune.attempt().orElseThrow().number()).isZero();
    for (int i = 0; i < 8; i++) {
      pass();
    }
    assertThat(sent).as("the dispatcher thread is late by two seconds").isEmpty();
    answer(prune, "it is not running yet");
    assertThat(next().rule()).isEqualTo(Rule.SLOWER_ATTEMPT);
    assertThat(slowModel().copiesMade()).isZero();
    assertThat(running).containsKey(fast);
  }
}
