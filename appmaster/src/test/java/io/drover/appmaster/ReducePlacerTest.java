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

  private final Map<String, List<Map<String, Object>>> lines = new HashMap<>();

  private ReducePlacer placer(int reduces, String... racks) {
    return placer(reduces, Map.of(), racks);
  }

  private ReducePlacer placer(
      int reduces, Map<String, PlacementSettings.Link> links, String... racks) {
    PlacementSettings settings =
        new PlacementSettings(Duration.ofSeconds(10), links, Duration.ofSeconds(60));
    ReducePlacer placer =
        new ReducePlacer(
            reduces,
            settings,
            Mode.ON,
            host -> host.substring("host-in".length()).replace('-', '/'),
            new ClusterChannel(),
            (type, fields) -> lines.computeIfAbsent(type, t -> new ArrayList<>()).add(fields));
    for (String rack : racks) {
      placer.works("host-in" + rack.replace('/', '-'), rack);
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
    assertThat(lines.get("placement")).hasSize(1);
    assertThat(lines.get("placement").get(0)).containsEntry("links", "configured");
    assertThat(lines.get("placed")).hasSize(10);
    assertThat(lines.get("placed").get(0)).containsEntry("bytes", 1_000_000L);
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
  void rackThatOnlyStoresDataIsNeverChosen() {
    PlacementSettings.Link narrow = new PlacementSettings.Link(125e6, 1e6);
    ReducePlacer placer = placer(10, Map.of("/a", narrow, "/b", narrow), "/a", "/b");
    placer.sees("host-in-storage", "/storage"); // a split lies there, behind a wide link
    placer.outputs().succeeded(attempt(TaskType.MAP, 0), "/a", 5_000_000, 1);
    placer.outputs().succeeded(attempt(TaskType.MAP, 1), "/b", 5_000_000, 1);
    placer.place(reduces(10), Map.of());
    assertThat(counts(placer, 10).keySet()).containsExactlyInAnyOrder("/a", "/b");
  }

  @Test
  void wherePlacementKnowsOfOneRackWithNodeManagersItHasNoChoice() {
    ReducePlacer placer = placer(10, "/a");
    placer.sees("host-in-storage", "/storage");
    assertThat(placer.isWorthwhile()).isFalse();
    placer.works("host-in-storage", "/storage"); // and works after all
    assertThat(placer.isWorthwhile()).isTrue();
  }

  private static void hasRacks(Map<String, Object> placement, int racks) {
    assertThat(placement).containsEntry("racks", racks);
  }

  @Test
  void racksAreChosenAnewOnceAContainerOrANodeIsSeenThere() {
    ReducePlacer placer = placer(10, "/a", "/b");
    placer.sees("host-in-late", "/late");
    placer.outputs().succeeded(attempt(TaskType.MAP, 0), "/a", 5_000_000, 1);
    placer.outputs().succeeded(attempt(TaskType.MAP, 1), "/b", 5_000_000, 1);
    placer.place(reduces(10), Map.of());
    placer.place(reduces(10), Map.of());
    assertThat(lines.get("placement")).singleElement().satisfies(p -> hasRacks(p, 2));
    placer.works("host-in-late", "/late");
    placer.place(reduces(10), Map.of());
    assertThat(lines.get("placement")).hasSize(2).last().satisfies(p -> hasRacks(p, 3));
  }

  @Test
  void rackWhoseNodeManagersAreAllGoneIsNotChosenThoughOutputLiesThere() {
    ReducePlacer placer = placer(10, "/a", "/b", "/c");
    placer.outputs().succeeded(attempt(TaskType.MAP, 0), "/a", 9_000_000, 1);
    placer.isGone("host-in-a", "/a");
    placer.place(reduces(10), Map.of());
    assertThat(counts(placer, 10).keySet()).containsExactlyInAnyOrder("/b", "/c");
    ReducePlacer few = placer(3, "/a", "/b");
    few.outputs().succeeded(attempt(TaskType.MAP, 0), "/a", 9_000_000, 1);
    few.isGone("host-in-a", "/a");
    few.place(reduces(3), Map.of());
    assertThat(counts(few, 3)).containsExactly(Map.entry("/b", 3));
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
      PartitionSizes.encode(sizes).forEach(line -> placer.outputs().onLine(id, line));
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

  private static final long T = 1_700_000_000_000L;

  /** Reduces in {@code /c} tell of fetches, for 10 s, at such rates out of the two others. */
  private static void fetched(ReducePlacer placer, long bytesPerSecondA, long bytesPerSecondB) {
    Fetches fetches = new Fetches();
    fetches.add(new Fetches.Fetch("host-in-a", T, T + 10_000, 10 * bytesPerSecondA));
    fetches.add(new Fetches.Fetch("host-in-b", T + 20_000, T + 30_000, 10 * bytesPerSecondB));
    fetches.encode().forEach(line -> placer.links().onLine("/c", line, T, T + 60_000));
    placer.links().publish();
  }

  @Test
  void narrowLinkThatReducesHaveMeasuredDrawsTheNextOnesIn() {
    ReducePlacer placer = placer(10, "/a", "/b", "/c");
    placer.outputs().succeeded(attempt(TaskType.MAP, 0), "/a", 50_000_000, 1);
    placer.outputs().succeeded(attempt(TaskType.MAP, 1), "/b", 50_000_000, 1);
    placer.place(reduces(10), Map.of());
    assertThat(counts(placer, 10).get("/a")).isBetween(3, 5);
    fetched(placer, 1_000_000, 10_000_000);
    assertThat(lines.get("link").get(0)).containsEntry("rack", "/a").containsKey("up");
    placer.place(reduces(10), Map.of());
    assertThat(lines.get("placement").get(1)).containsEntry("links", "measured");
    assertThat(counts(placer, 10).get("/a")).isGreaterThanOrEqualTo(6);
  }

  @Test
  void inALongShuffleDifferencesOfLinksEvenOut() {
    ReducePlacer placer = placer(10, "/a", "/b", "/c");
    placer.outputs().succeeded(attempt(TaskType.MAP, 0), "/a", 5_000_000_000L, 1);
    placer.outputs().succeeded(attempt(TaskType.MAP, 1), "/b", 5_000_000_000L, 1);
    fetched(placer, 1_000_000, 10_000_000);
    placer.place(reduces(10), Map.of());
    assertThat(lines.get("placement").get(0)).containsEntry("links", "equal");
    assertThat(counts(placer, 10).get("/a")).isBetween(3, 5);
  }

  @Test
  void nonsenseAboutFetchesChangesNothing() {
    ReducePlacer placer = placer(10, "/a", "/b");
    placer.links().onLine("/a", "drover:fetches:1:host-in-b,1,1,99999999999;", T, T + 1000);
    placer.links().publish();
    assertThat(placer.links().news()).isZero();
  }

  @Test
  void mapThatToldNoSizesCountsAsTheOthers() {
    ReducePlacer placer = placer(10, "/a", "/b");
    long[] sizes = new long[10];
    sizes[3] = 900;
    sizes[7] = 100;
    TaskAttemptId onLine = attempt(TaskType.MAP, 0);
    PartitionSizes.encode(sizes).forEach(line -> placer.outputs().onLine(onLine, line));
    placer.outputs().succeeded(onLine, "/a", 1000, 1);
    placer.outputs().succeeded(attempt(TaskType.MAP, 1), "/b", 3000, 1); // recovered, say
    assertThat(placer.outputs().sizes()[3]).isEqualTo(3600);
    assertThat(placer.outputs().expected(Map.of()).get("/b")[7]).isEqualTo(300);
    assertThat(placer.outputs().expected(Map.of("/b", 1.0)).get("/b")[7]).isEqualTo(500);
  }
}
