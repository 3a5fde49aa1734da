// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskCompletionEvent.Status;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class ChosenOutputStreamTest {
  private final List<TaskCompletionEvent> job = new ArrayList<>();
  private final Set<Integer> chosen = new HashSet<>();
  private final Set<TaskAttemptId> counts = new HashSet<>();
  private final ChosenOutputStream stream =
      new ChosenOutputStream(
          from -> job.subList(from, job.size()).toArray(TaskCompletionEvent[]::new),
          map -> chosen.contains(map.getId()),
          counts::contains);

  private static TaskId map(int number) {
    return MRBuilderUtils.newTaskId(
        MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1), number, TaskType.MAP);
  }

  private static TaskAttemptId attempt(int map, int number) {
    return MRBuilderUtils.newTaskAttemptId(map(map), number);
  }

  private void event(int map, int attempt, Status status) {
    TaskAttemptID id = TaskAttemptID.downgrade(TypeConverter.fromYarn(attempt(map, attempt)));
    job.add(new TaskCompletionEvent(job.size(), id, map, true, status, "http://h" + map));
  }

  private void succeeds(int map, int attempt) {
    counts.add(attempt(map, attempt));
    event(map, attempt, Status.SUCCEEDED);
  }

  private List<String> next(int from, int most) {
    return Arrays.stream(stream.next(from, most))
        .map(
            event ->
                "%d_%d %s"
                    .formatted(
                        event.getTaskAttemptId().getTaskID().getId(),
                        event.getTaskAttemptId().getId(),
                        event.getTaskStatus()))
        .toList();
  }

  private List<String> all() {
    return next(0, Integer.MAX_VALUE);
  }

  @Test
  void nothingIsSentBeforeTheMapsAreChosen() {
    chosen.add(0);
    succeeds(0, 0);
    assertThat(all()).isEmpty();
    assertThat(next(5, 10)).isEmpty();
  }

  @Test
  void mapsThatAreNotChosenAreSentAsFailedFirst() {
    chosen.add(1);
    succeeds(0, 0);
    succeeds(1, 0);
    stream.begin(List.of(map(0), map(2)));
    assertThat(all()).containsExactly("0_0 TIPFAILED", "2_0 TIPFAILED", "1_0 SUCCEEDED");
    TaskCompletionEvent failed = stream.next(1, 1)[0];
    assertThat(failed.isMapTask()).isTrue();
    assertThat(failed.idWithinJob()).isEqualTo(2);
    assertThat(failed.getEventId()).isEqualTo(1);
    assertThat(failed.getTaskTrackerHttp()).isEmpty();
  }

  @Test
  void streamBeginsOnce() {
    chosen.add(1);
    stream.begin(List.of(map(0)));
    stream.begin(List.of(map(0), map(2)));
    assertThat(all()).containsExactly("0_0 TIPFAILED");
  }

  @Test
  void onlyEventsOfChosenMapsAreSent() {
    chosen.addAll(Set.of(0, 3));
    for (int map = 3; map >= 0; map--) {
      succeeds(map, 1);
    }
    event(1, 1, Status.OBSOLETE);
    event(2, 0, Status.KILLED);
    stream.begin(List.of());
    assertThat(all()).containsExactly("3_1 SUCCEEDED", "0_1 SUCCEEDED");
  }

  @Test
  void successOfAnAttemptThatReadAnotherBlockIsLeftOut() {
    chosen.add(0);
    event(0, 0, Status.SUCCEEDED);
    succeeds(0, 1);
    event(0, 0, Status.KILLED);
    stream.begin(List.of());
    assertThat(all()).containsExactly("0_1 SUCCEEDED", "0_0 KILLED");
  }

  @Test
  void laterEventsOfAChosenMapAreSentToo() {
    chosen.addAll(Set.of(0, 1));
    stream.begin(List.of());
    succeeds(0, 0);
    assertThat(all()).containsExactly("0_0 SUCCEEDED");
    event(0, 0, Status.KILLED);
    counts.remove(attempt(0, 0)); // its output is lost
    event(0, 1, Status.FAILED);
    event(0, 2, Status.KILLED);
    succeeds(0, 3);
    assertThat(all())
        .containsExactly("0_0 OBSOLETE", "0_0 KILLED", "0_1 FAILED", "0_2 KILLED", "0_3 SUCCEEDED");
    assertThat(next(4, 10)).containsExactly("0_3 SUCCEEDED");
    assertThat(next(5, 10)).isEmpty();
  }

  @Test
  void atMostAsManyAsAskedForAreReturned() {
    chosen.add(9);
    stream.begin(IntStream.range(0, 9).mapToObj(ChosenOutputStreamTest::map).toList());
    assertThat(next(2, 3)).hasSize(3);
    assertThat(next(8, 3)).hasSize(1);
    assertThat(next(8, 0)).isEmpty();
    assertThat(next(9, 3)).isEmpty();
    assertThat(next(99, 3)).isEmpty();
    assertThat(next(0, Integer.MAX_VALUE)).hasSize(9);
    assertThat(next(1, Integer.MAX_VALUE)).hasSize(8);
  }

  @Test
  void indexAlwaysMeansTheSame() {
    Random random = new Random(1);
    chosen.addAll(Set.of(0, 2, 4));
    List<TaskCompletionEvent> seen = new ArrayList<>();
    for (int step = 0; step < 500; step++) {
      int map = random.nextInt(6);
      Status status = Status.values()[random.nextInt(Status.values().length)];
      if (random.nextBoolean()) {
        counts.add(attempt(map, step));
      }
      event(map, step, status);
      if (random.nextInt(10) == 0) {
        counts.clear(); // what was sent remains
      }
      if (step == 50) {
        stream.begin(List.of(map(1), map(3), map(5)));
      }
      if (random.nextInt(3) == 0) {
        List<TaskCompletionEvent> now = List.of(stream.next(0, Integer.MAX_VALUE));
        assertThat(now.subList(0, seen.size())).isEqualTo(seen);
        int from = random.nextInt(1 + now.size());
        int most = random.nextInt(10);
        assertThat(stream.next(from, most))
            .containsExactlyElementsOf(now.subList(from, Math.min(now.size(), from + most)));
        seen = now;
      }
    }
    assertThat(seen).hasSizeGreaterThan(100);
  }
}
