// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import io.drover.core.model.TaskKind;
import io.drover.speculator.AttemptBudget;
import io.drover.speculator.Breakers;
import io.drover.speculator.SecondAttempts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an earlier AppMaster of the job has found about second attempts binds the cloner. */
class ClonesOfALaterAppMasterTest {
  private static final TaskId MAP = MRApps.toTaskID("task_1700000000000_0001_m_000000");

  private final List<Runnable> posted = new ArrayList<>();
  private final SecondAttempts second = new SecondAttempts((why, seenHere) -> {});
  private final Job job = mock();
  private final Cloner cloner =
      new Cloner(
          () -> job,
          posted::add,
          new CloneSettings(10, 4, 0.05, 0.05, 0.1),
          Set.of(TaskKind.MAP),
          new AttemptBudget(4, 4, true, true),
          second,
          new CloneLedger((kind, more) -> {}),
          CopiesUnderTest.none(),
          new ClusterChannel(),
          Mode.ON,
          (type, fields) -> {},
          Breakers.uncounted());

  @BeforeEach
  void jobWhoseMapIsStarting() {
    TaskAttemptId first = MRBuilderUtils.newTaskAttemptId(MAP, 0);
    TaskAttempt attempt = mock();
    when(attempt.getID()).thenReturn(first);
    when(attempt.getState()).thenReturn(TaskAttemptState.STARTING);
    Task map = mock();
    when(map.getID()).thenReturn(MAP);
    when(map.getAttempts()).thenReturn(Map.of(first, attempt));
    when(job.getTotalMaps()).thenReturn(1);
    when(job.getTasks(TaskType.MAP)).thenReturn(Map.of(MAP, map));
    second.awaitEarlier();
  }

  /** How many clones are made in a heartbeat. */
  private int madeInAHeartbeat() {
    Cloner.Room room = mock();
    when(room.free(TaskKind.MAP)).thenReturn(1);
    when(room.isAskedFor(any())).thenReturn(true);
    posted.clear();
    cloner.heartbeat(room, 0);
    return posted.size();
  }

  @Test
  void noneIsMadeBeforeThatIsKnown() {
    assertThat(madeInAHeartbeat()).isZero();
    second.earlier(Optional.empty());
    assertThat(madeInAHeartbeat()).isEqualTo(1);
  }

  @Test
  void noneIsMadeWhereTasksCannotBearIt() {
    second.earlier(Optional.of("the lease was taken"));
    assertThat(madeInAHeartbeat()).isZero();
  }
}
