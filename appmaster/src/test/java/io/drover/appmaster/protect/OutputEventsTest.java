// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.appmaster.protect.OutputsByHost.Output;
import io.drover.speculator.Breakers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskCompletionEvent.Status;
import org.apache.hadoop.mapred.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.junit.jupiter.api.Test;

/** The events that reduces get, compared with the job's own. */
class OutputEventsTest {
  private final List<TaskCompletionEvent> own = new ArrayList<>();
  private boolean isBroken;
  private final OutputEvents events =
      new OutputEvents(this::from, Breakers.uncounted().of("events"));

  private TaskCompletionEvent[] from(int start, int most) {
    if (isBroken) {
      throw new IllegalStateException("broken on purpose");
    }
    int end = (int) Math.min(own.size(), (long) start + most);
    return own.subList(Math.min(start, end), end).toArray(TaskCompletionEvent[]::new);
  }

  private static TaskAttemptID id(int map, int attempt) {
    return new TaskAttemptID(new TaskID(new JobID("1", 1), TaskType.MAP, map), attempt);
  }

  private void happens(int map, int attempt, Status status) {
    String where = "http://n" + map + attempt + ":1";
    own.add(new TaskCompletionEvent(own.size(), id(map, attempt), map, true, status, where));
  }

  private static Output output(int map, int attempt) {
    TaskAttempt made = mock(TaskAttempt.class);
    when(made.getID()).thenReturn(TypeConverter.toYarn(id(map, attempt)));
    return new Output(made, "n", "http://n:1", 1, 1);
  }

  private List<String> told() {
    return Arrays.stream(events.next(0, 100))
        .map(e -> e.getTaskStatus() + " " + e.getTaskAttemptId().toString().substring(15))
        .toList();
  }

  @Test
  void areTheJobsOwnUntilSomethingIsKept() {
    happens(0, 0, Status.SUCCEEDED);
    happens(1, 0, Status.FAILED);
    happens(1, 1, Status.SUCCEEDED);
    assertThat(events.next(1, 1)).containsExactly(own.get(1));
    assertThat(events.next(0, 100)).containsExactlyElementsOf(own);
    assertThat(events.next(3, 100)).isEmpty();
    assertThat(events.next(7, 100)).isEmpty();
  }

  @Test
  void endOfAKeptOutputFollowsTheNextSuccessOfItsMap() {
    happens(0, 0, Status.SUCCEEDED);
    happens(1, 0, Status.SUCCEEDED);
    events.keepUntilRemade(output(0, 0));
    own.set(0, new TaskCompletionEvent(0, id(0, 0), 0, true, Status.OBSOLETE, "http://n00:1"));
    happens(0, 0, Status.KILLED);
    happens(0, 1, Status.FAILED);
    assertThat(told())
        .containsExactly("SUCCEEDED m_000000_0", "SUCCEEDED m_000001_0", "FAILED m_000000_1");
    happens(0, 2, Status.SUCCEEDED);
    assertThat(told())
        .as("a reduce that begins now does not look for the old one")
        .containsExactly(
            "OBSOLETE m_000000_0",
            "SUCCEEDED m_000001_0",
            "FAILED m_000000_1",
            "SUCCEEDED m_000000_2",
            "KILLED m_000000_0");
    assertThat(events.keptOn()).isEmpty();
  }

  @Test
  void keptOutputThatCannotBeReadEndsAtOnce() {
    happens(0, 0, Status.SUCCEEDED);
    events.keepUntilRemade(output(0, 0));
    happens(0, 0, Status.KILLED);
    assertThat(told()).hasSize(1);
    events.end(TypeConverter.toYarn(id(0, 1)));
    assertThat(told()).hasSize(1);
    events.end(TypeConverter.toYarn(id(0, 0)));
    assertThat(told()).endsWith("KILLED m_000000_0").hasSize(2);
  }

  @Test
  void keptOutputsEndWithTheHostOnWhichTheyAreRead() {
    for (int map = 0; map < 2; map++) {
      happens(map, 0, Status.SUCCEEDED);
    }
    events.keepUntilRemade(output(0, 0));
    events.keepUntilRemade(output(1, 0).at("replica", "http://replica:1"));
    assertThat(events.keptOn()).containsExactlyInAnyOrder("n", "replica");
    for (int map = 0; map < 2; map++) {
      happens(map, 0, Status.KILLED);
    }
    assertThat(told()).hasSize(2);
    events.endOn(Set.of("replica", "another"));
    assertThat(told()).hasSize(3).endsWith("KILLED m_000001_0");
    assertThat(events.keptOn()).containsExactly("n");
  }

  @Test
  void keptOutputThatEndsBeforeItsEndIsKnownIsNotHeldBack() {
    happens(0, 0, Status.SUCCEEDED);
    events.keepUntilRemade(output(0, 0));
    events.end(TypeConverter.toYarn(id(0, 0)));
    happens(0, 0, Status.KILLED);
    assertThat(told()).endsWith("KILLED m_000000_0").hasSize(2);
  }

  @Test
  void successOfAnAttemptThatHasEndedIsObsoleteAsInTheJobsOwn() {
    happens(0, 0, Status.SUCCEEDED);
    happens(1, 0, Status.SUCCEEDED);
    assertThat(told()).hasSize(2);
    own.set(0, new TaskCompletionEvent(0, id(0, 0), 0, true, Status.OBSOLETE, "http://n00:1"));
    happens(0, 0, Status.KILLED);
    happens(0, 1, Status.SUCCEEDED);
    assertThat(events.next(0, 100)).containsExactlyElementsOf(own);
    assertThat(events.alsoAt(TypeConverter.toYarn(id(0, 0)), "http://r:1")).isFalse();
  }

  @Test
  void replicaOfAnAttemptThatHasEndedIsObsoleteToo() {
    happens(0, 0, Status.SUCCEEDED);
    events.alsoAt(TypeConverter.toYarn(id(0, 0)), "http://r:1");
    happens(0, 0, Status.FAILED);
    assertThat(told())
        .containsExactly(
            "OBSOLETE m_000000_2147483647", "OBSOLETE m_000000_0", "FAILED m_000000_0");
  }

  private List<String> placesFrom(int index) {
    return Arrays.stream(events.next(index, 100)).map(e -> e.getTaskTrackerHttp()).toList();
  }

  @Test
  void replicaIsToldToThoseThatKnowTheOutputAndToOthers() {
    happens(0, 0, Status.SUCCEEDED);
    happens(1, 0, Status.SUCCEEDED);
    assertThat(placesFrom(0)).containsExactly("http://n00:1", "http://n10:1");
    assertThat(events.replica(id(0, 0))).isEmpty();
    assertThat(events.alsoAt(TypeConverter.toYarn(id(0, 0)), "http://r:1")).isTrue();
    assertThat(placesFrom(2)).containsExactly("http://r:1");
    assertThat(told())
        .containsExactly(
            "OBSOLETE m_000000_2147483647", "SUCCEEDED m_000001_0", "SUCCEEDED m_000000_0");
    assertThat(events.replica(id(0, 0))).contains("http://r:1");
    assertThat(own.get(0).getTaskTrackerHttp()).isEqualTo("http://n00:1");
  }

  @Test
  void replicaOfAnOutputThatReducesDoNotKnowIsNotTold() {
    happens(0, 0, Status.SUCCEEDED);
    assertThat(events.alsoAt(TypeConverter.toYarn(id(0, 1)), "http://r:1")).isFalse();
    isBroken = true;
    assertThat(events.alsoAt(TypeConverter.toYarn(id(0, 0)), "http://r:1")).isFalse();
  }

  @Test
  void afterAnErrorTheJobsOwnFollowFromTheBeginning() {
    happens(0, 0, Status.SUCCEEDED);
    events.keepUntilRemade(output(0, 0));
    happens(0, 0, Status.KILLED);
    assertThat(told()).hasSize(1);
    happens(0, 1, Status.SUCCEEDED);
    isBroken = true;
    try {
      events.next(0, 100);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("broken on purpose"); // the job's own list is broken in this test
    }
    isBroken = false;
    assertThat(told())
        .containsExactly(
            "SUCCEEDED m_000000_0",
            "SUCCEEDED m_000000_0",
            "KILLED m_000000_0",
            "SUCCEEDED m_000000_1");
    assertThat(events.next(1, 2)).containsExactly(own.get(0), own.get(1));
  }
}
