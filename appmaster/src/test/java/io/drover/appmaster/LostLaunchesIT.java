// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static io.drover.appmaster.TestApp.attempt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.startsWith;
import static org.mockito.Mockito.atLeast;
import static org.mockito.Mockito.verify;

import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.core.config.Mode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttemptStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A container that is never launched, on a host that keeps no outputs. */
class LostLaunchesIT extends ProtectedOutputs {
  private String host;
  private TaskAttempt copy;

  @BeforeEach
  void oneSlotOnEachOfSixHosts() {
    scheduler = FakeCluster.scheduler(61).nodes(6, RACK, 1);
  }

  /** A copy of the reduce is given a container on a host that does not launch it. */
  private void startCopy(TestApp app) throws Exception {
    Set<String> keeping =
        app.job().getTasks(TaskType.MAP).values().stream()
            .map(map -> host(map, 0))
            .collect(Collectors.toSet());
    app.avoided().silent(keeping);
    Arrays.stream(scheduler.hosts()).forEach(scheduler::deaf);
    Task reduce = app.task(TaskType.REDUCE, 0);
    app.send(new TaskEvent(reduce.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
    await().until(() -> reduce.getAttempts().size() == 2);
    await().until(() -> attempt(reduce, 1).getNodeId() != null);
    copy = attempt(reduce, 1);
    host = host(reduce, 1);
    assertThat(keeping).doesNotContain(host);
    app.settle(); // it has been launched in vain
    scheduler.allHear();
    scheduler.deaf(host);
    assertThat(HadoopAttempts.state(copy)).isEqualTo(TaskAttemptStateInternal.ASSIGNED);
  }

  /** The AppMaster goes on asking the ResourceManager for containers. */
  private Callable<Boolean> heartbeats(TestApp app, Callable<Boolean> until) {
    return () -> {
      protection.heartbeat();
      app.settle();
      return until.call();
    };
  }

  private void isAskedAboutAndLeftAlone(TestApp app) {
    await()
        .during(Duration.ofSeconds(9))
        .until(
            heartbeats(app, () -> HadoopAttempts.state(copy) == TaskAttemptStateInternal.ASSIGNED));
    verify(probe, atLeast(1)).answers(startsWith("http://" + host + ":"));
  }

  @Test
  void isEndedIfTheHostDoesNotAnswerEither() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      startCopy(app);
      silentHosts.add(host);
      await().until(heartbeats(app, copy::isFinished));
      assertThat(HadoopAttempts.state(copy)).isEqualTo(TaskAttemptStateInternal.KILLED);
      assertThat(app.avoided().contains(host)).isTrue();
      assertThat(scheduler.wasToEnd(copy.getAssignedContainerID()))
          .as("one more thread would wait for it")
          .isFalse();
      endsWell(app);
    }
  }

  @Test
  void isOverIfItWasKilledBeforeItsHostFellSilent() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      startCopy(app);
      app.send(new TaskAttemptKillEvent(copy.getID(), "it ran on unusable node", true));
      app.settle();
      assertThat(HadoopAttempts.state(copy))
          .as("as in Hadoop, it waits for the launcher")
          .isEqualTo(TaskAttemptStateInternal.KILL_CONTAINER_CLEANUP);
      silentHosts.add(host);
      await().until(heartbeats(app, copy::isFinished));
      assertThat(protection.launches().mayStopHang()).as("the launcher waits for it").isTrue();
      assertThat(scheduler.wasToEnd(copy.getAssignedContainerID())).isTrue();
      endsWell(app);
    }
  }

  @Test
  void isLeftAloneIfTheHostAnswers() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      startCopy(app);
      isAskedAboutAndLeftAlone(app);
      scheduler.allHear();
    }
  }

  @Test
  void isOnlyAskedAboutInObserveMode() throws Exception {
    try (TestApp app = start(Mode.OBSERVE)) {
      startCopy(app);
      silentHosts.add(host);
      isAskedAboutAndLeftAlone(app);
      assertThat(app.avoided().contains(host)).isFalse();
    }
  }

  @Test
  void isLeftAloneIfNobodyElseIsHeardEither() throws Exception {
    try (TestApp app = start(Mode.ON)) {
      startCopy(app);
      silentHosts.addAll(List.of(scheduler.hosts())); // it is the AppMaster that is cut off
      isAskedAboutAndLeftAlone(app);
      silentHosts.retainAll(Set.of(host));
      await().until(heartbeats(app, copy::isFinished));
    }
  }

  @Test
  void isLeftToHadoopWhereProtectionIsOff() throws Exception {
    try (TestApp app = start(Mode.OFF)) {
      ContainerLauncher hadoops = event -> {};
      assertThat(protection.launches().around(hadoops, event -> {})).isSameAs(hadoops);
    }
  }
}
