// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.Mode;
import io.drover.core.config.PlacementSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class ReducePlacerTest {
  private static final JobId JOB = MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1);

  private final List<Map<String, Object>> placed = new ArrayList<>();
  private final List<Map<String, Object>> placements = new ArrayList<>();

  private ReducePlacer placer(int reduces, String... racks) {
    PlacementSettings settings = new PlacementSettings(Duration.ofSeconds(10), Map.of());
    ReducePlacer placer =
        new ReducePlacer(
            reduces,
            settings,
            Mode.ON,
            (type, fields) -> (type.equals("placed") ? placed : placements).add(fields));
    for (String rack : racks) {
      placer.sees("host-in" + rack.replace('/', '-'), rack);
    }
    return placer;
  }

  private static TaskId task(TaskType type, int index) {
    return MRBuilderUtils.newTaskId(JOB, index, type);
  }

  private static TaskAttemptId attempt(TaskType type, int index) {
    return MRBuilderUtils.newTaskAttemptId(task(type, index), 0);
  }

  private static List<TaskId> reduces(int count) {
    List<TaskId> tasks = new ArrayList<>();
    for (int j = 0; j < count; j++) {
      tasks.add(task(TaskType.REDUCE, j));
    }
    return tasks;
  }

  private static Map<String, Integer> counts(ReducePlacer placer, int reduces) {
    Map<String, Integer> counts = new HashMap<>();
    for (int j = 0; j < reduces; j++) {
      counts.merge(placer.wish(attempt(TaskType.REDUCE, j)), 1, Integer::sum);
    }
    return counts;
  }

  @Test
  void equalReducesAreSpreadAsTheDataIs() {
    ReducePlacer placer = placer(10, "/a", "/b", "/c");
    placer.outputs().succeeded(attempt(TaskType.MAP, 0), "/a", 7_000_000, 1);
    placer.outputs().succeeded(attempt(TaskType.MAP, 1), "/b", 2_000_000, 1);
    placer.outputs().succeeded(attempt(TaskType.MAP, 2), "/c", 1_000_000, 1);
    placer.place(reduces(10), Map.of());
    assertThat(counts(placer, 10).get("/a")).isBetween(6, 7);
    assertThat(placements).hasSize(1);
    assertThat(placed).hasSize(10);
    assertThat(placed.get(0)).containsEntry("bytes", 1_000_000L);
  }

  @Test
  void fewReducesGoToTheRackWithTheMostOutput() {
    ReducePlacer placer = placer(3, "/a", "/b");
    placer.outputs().succeeded(attempt(TaskType.MAP, 0), "/a", 1, 1);
    placer.outputs().succeeded(attempt(TaskType.MAP, 1), "/b", 2, 1);
    placer.place(reduces(3), Map.of());
    assertThat(counts(placer, 3)).containsExactly(Map.entry("/b", 3));
  }

  @Test
  void particularReducesGoWhereTheirOwnDataIs() {
    ReducePlacer placer = placer(10, "/a", "/b");
    for (int map = 0; map < 2; map++) {
      long[] sizes = new long[10];
      for (int j = 0; j < 10; j++) {
        sizes[j] = j % 2 == map ? 1_000_000 : 1000;
      }
      TaskAttemptId id = attempt(TaskType.MAP, map);
      placer.outputs().told(id, PartitionSizes.encode(sizes));
      placer.outputs().succeeded(id, map == 0 ? "/a" : "/b", 5_005_000, 1);
    }
    placer.place(reduces(10), Map.of());
    for (int j = 0; j < 10; j++) {
      assertThat(placer.wish(attempt(TaskType.REDUCE, j))).isEqualTo(j % 2 == 0 ? "/a" : "/b");
    }
  }

  @Test
  void mapsThatRunCountByWhatTheyRead() {
    ReducePlacer placer = placer(10, "/a", "/b");
    placer.outputs().succeeded(attempt(TaskType.MAP, 0), "/a", 1_000_000, 1);
    placer.place(reduces(10), Map.of("/b", 9.0));
    assertThat(counts(placer, 10).get("/b")).isGreaterThanOrEqualTo(8);
  }

  @Test
  void mapThatIsMadeAgainIsCountedOnce() {
    ReducePlacer placer = placer(10, "/a", "/b");
    placer.outputs().succeeded(attempt(TaskType.MAP, 0), "/a", 1_000_000, 1);
    placer.outputs().succeeded(attempt(TaskType.MAP, 0), "/b", 9_000_000, 1);
    assertThat(placer.outputs().known()).isEqualTo(1);
    placer.place(reduces(10), Map.of());
    assertThat(counts(placer, 10)).containsExactly(Map.entry("/a", 10));
  }

  @Test
  void enoughIsKnownWhenSomeMapHasToldAndHalfOfThemRun() {
    ReducePlacer placer = placer(10, "/a", "/b");
    assertThat(placer.knowsEnough(10, 10)).isFalse();
    placer.outputs().succeeded(attempt(TaskType.MAP, 0), "/a", 1, 1);
    assertThat(placer.knowsEnough(10, 4)).isFalse();
    assertThat(placer.knowsEnough(10, 5)).isTrue();
  }

  @Test
  void reduceWaitsNoLongerThanTheShuffleWouldGain() {
    ReducePlacer placer = placer(10, "/a", "/b");
    assertThat(placer.patience(false)).isZero();
    placer.outputs().succeeded(attempt(TaskType.MAP, 0), "/a", 1_000_000_000, 1);
    placer.place(reduces(10), Map.of());
    // 1 GB, half of which would cross a link of 125 MB/s; none does now
    assertThat(placer.patience(false)).isEqualTo(Duration.ofSeconds(4));
    assertThat(placer.patience(true)).isEqualTo(Duration.ofSeconds(24));
    placer.outputs().succeeded(attempt(TaskType.MAP, 1), "/a", 1_000_000_000_000L, 1);
    placer.place(reduces(10), Map.of());
    assertThat(placer.patience(false)).isEqualTo(Duration.ofSeconds(10)); // the setting
  }

  @Test
  void whereAllHostsSeemToBeInOneRackNothingIsHeld() {
    ReducePlacer placer = placer(10, "/default-rack");
    placer.outputs().succeeded(attempt(TaskType.MAP, 0), "/default-rack", 1, 1);
    assertThat(placer.isWorthwhile()).isFalse();
  }
}
