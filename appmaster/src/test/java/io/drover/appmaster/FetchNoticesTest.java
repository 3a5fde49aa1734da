// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.junit.jupiter.api.Test;

class FetchNoticesTest {
  private static final TaskAttemptId MAP = id("m_000000_0");
  private static final TaskAttemptId OTHER_MAP = id("m_000001_0");
  private static final TaskAttemptId REDUCE = id("r_000000_0");
  private static final TaskAttemptId CLONE = id("r_000000_1");
  private static final TaskAttemptId OTHER_REDUCE = id("r_000001_0");

  private static final TaskAttemptId RETRY = id("r_000000_2");

  private final Set<TaskAttemptId> ended = new HashSet<>();
  private final Set<TaskAttemptId> outputs = new HashSet<>(List.of(MAP, OTHER_MAP));
  private final FetchNotices notices = new FetchNotices(outputs::contains, ended::contains);

  private static TaskAttemptId id(String end) {
    return MRApps.toTaskAttemptID("attempt_1700000000000_0001_" + end);
  }

  private List<TaskAttemptId> counted(TaskAttemptId reduce, TaskAttemptId... maps) {
    return notices.counted(new JobTaskAttemptFetchFailureEvent(reduce, List.of(maps), "n1"));
  }

  @Test
  void reduceAndItsCloneAreHeardAsOne() {
    assertThat(counted(REDUCE, MAP)).containsExactly(MAP);
    assertThat(counted(CLONE, MAP)).isEmpty();
    assertThat(counted(CLONE, MAP)).as("more than the other has said").containsExactly(MAP);
    assertThat(counted(REDUCE, MAP)).isEmpty();
    assertThat(counted(REDUCE, MAP)).containsExactly(MAP);
  }

  @Test
  void noticesAboutAnOutputThatIsMadeAgainDoNotCount() {
    assertThat(counted(REDUCE, MAP, OTHER_MAP)).containsExactly(MAP, OTHER_MAP);
    outputs.remove(MAP);
    assertThat(counted(REDUCE, MAP, OTHER_MAP)).containsExactly(OTHER_MAP);
    assertThat(counted(OTHER_REDUCE, MAP)).isEmpty();
  }

  @Test
  void whatOnlyOneAttemptSaysPassesAll() {
    for (int i = 0; i < 5; i++) {
      assertThat(counted(CLONE, MAP)).containsExactly(MAP);
    }
  }

  @Test
  void attemptsThatFollowOneAnotherAddUp() {
    assertThat(counted(REDUCE, MAP)).containsExactly(MAP);
    assertThat(counted(REDUCE, MAP)).containsExactly(MAP);
    ended.add(REDUCE);
    assertThat(counted(RETRY, MAP)).as("its first").containsExactly(MAP);
  }

  @Test
  void cloneRepeatsNothingForARetryBesideIt() {
    assertThat(counted(REDUCE, MAP)).containsExactly(MAP);
    assertThat(counted(CLONE, MAP)).isEmpty();
    ended.add(REDUCE);
    assertThat(counted(RETRY, MAP)).as("the second of the originals").containsExactly(MAP);
    assertThat(counted(CLONE, MAP)).as("its second").isEmpty();
    assertThat(counted(CLONE, MAP)).as("its third").containsExactly(MAP);
  }

  @Test
  void noticesAboutALostOutputAreForgotten() {
    assertThat(counted(REDUCE, MAP, OTHER_MAP)).containsExactly(MAP, OTHER_MAP);
    notices.forget(MAP);
    assertThat(counted(CLONE, MAP, OTHER_MAP)).containsExactly(MAP);
  }

  @Test
  void mapsAndReducesAreCountedApart() {
    assertThat(counted(REDUCE, MAP)).containsExactly(MAP);
    assertThat(counted(CLONE, MAP, OTHER_MAP)).containsExactly(OTHER_MAP);
    assertThat(counted(OTHER_REDUCE, MAP, OTHER_MAP)).containsExactly(MAP, OTHER_MAP);
  }
}
