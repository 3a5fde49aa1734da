// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.core.machine.MachineSettings;
import io.drover.core.machine.MachineSnapshot;
import io.drover.core.machine.MachineStatistics;
import io.drover.core.machine.RackBandwidths;
import io.drover.core.restart.SlowTasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateStoreTest {
  @TempDir Path dir;

  private StateStore store(long epoch) throws IOException {
    return new StateStore(dir.toUri().toString(), epoch, new Configuration(false));
  }

  private static PersistedState state(double at) {
    MachineSnapshot machines = new MachineSnapshot(1, "MIXTURE", at, 0, 0, 0, 0, List.of());
    return new PersistedState(machines, new RackBandwidths.Snapshot(1, Map.of(), Map.of()), at, at);
  }

  private List<Double> read(StateStore store) throws IOException {
    List<Double> read = new ArrayList<>();
    store.read(state -> read.add(state.at()));
    return read;
  }

  private List<Path> newestFirst() throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.filter(f -> f.toString().endsWith(".json"))
          .sorted((a, b) -> b.getFileName().compareTo(a.getFileName()))
          .toList();
    }
  }

  @Test
  void namesOfFilesHaveTheSameDigitsEverywhere() throws IOException {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      store(0).write(state(7));
    } finally {
      Locale.setDefault(before);
    }
    assertThat(read(store(0))).containsExactly(7.0);
  }

  @Test
  void withoutRecoveryEachResourceManagerWritesAboveTheOneBeforeIt() throws IOException {
    for (int rm = 0; rm < 5; rm++) {
      StateStore store = store(0);
      for (int i = 0; i < 4; i++) {
        double at = 10 * rm + i;
        store.write(state(at));
        assertThat(read(store(0))).containsExactly(at);
      }
    }
    assertThat(newestFirst()).hasSize(3);
  }

  @Test
  void aResourceManagerWhoseEpochBeginsAnewWritesAboveTheOld() throws IOException {
    store(7).write(state(1));
    StateStore store = store(0); // recovery has been switched off
    store.write(state(2));
    store.write(state(3));
    assertThat(read(store(0))).containsExactly(3.0);
  }

  @Test
  void oneThatWasThoughtDeadDoesNotTakeTheNewestPlace() throws IOException {
    StateStore old = store(1);
    old.write(state(1));
    store(2).write(state(2));
    old.write(state(3));
    assertThat(read(store(3))).containsExactly(2.0);
  }

  @Test
  void ofDamagedSnapshotsTheNewestThatIsWholeIsTaken() throws IOException {
    StateStore store = store(0);
    store.write(state(1));
    store.write(state(2));
    store.write(state(3));
    List<Path> files = newestFirst();
    Files.writeString(files.get(0), "{\"machines\":");
    assertThat(read(store(0))).containsExactly(2.0);
    String wrongFigures =
        Files.readString(files.get(2)).replace("\"attempts\":0.0", "\"attempts\":-5.0");
    Files.writeString(files.get(1), wrongFigures);
    assertThat(read(store(0))).containsExactly(1.0);
  }

  @Test
  void figuresThatTheStatisticsRefuseAreAReasonToTryAnOlderOne() throws IOException {
    StateStore store = store(0);
    store.write(state(1));
    MachineSnapshot.Machine short1 =
        new MachineSnapshot.Machine("m", 0, 0, 0, 0, 0, List.of(1.0), Map.of(), Map.of(), Map.of());
    MachineSnapshot bad = new MachineSnapshot(1, "MIXTURE", 2, 0, 0, 0, 0, List.of(short1));
    store.write(
        new PersistedState(bad, new RackBandwidths.Snapshot(1, Map.of(), Map.of()), 2.0, 2.0));
    List<Double> used = new ArrayList<>();
    boolean wasRead =
        store(0)
            .read(
                state -> {
                  MachineStatistics.restore(MachineSettings.DEFAULT, state.machines());
                  used.add(state.at());
                });
    assertThat(wasRead).isTrue();
    assertThat(used).containsExactly(1.0);
  }

  @Test
  void whereNoneCanBeReadThatIsAnErrorAndNotNothing() throws IOException {
    StateStore store = store(0);
    assertThat(store.read(state -> {})).isFalse();
    store.write(state(1));
    Files.writeString(newestFirst().get(0), "?");
    assertThatThrownBy(() -> read(store(0))).hasMessageContaining("none of the snapshots");
  }

  @Test
  void whoHasKeptOutputsIsReadAsItWasWritten() throws IOException {
    Map<String, List<Double>> outputs = Map.of("", List.of(7.5, 0.5), "u", List.of(3.0, 1.0));
    MachineSnapshot.Machine machine =
        new MachineSnapshot.Machine(
            "m", 0, 0, 0, 8, 1, List.of(0.0, 0.0, 0.0), Map.of(), Map.of(), outputs);
    MachineSnapshot machines = new MachineSnapshot(1, "MIXTURE", 5, 0, 0, 8, 1, List.of(machine));
    store(0)
        .write(
            new PersistedState(
                machines, new RackBandwidths.Snapshot(1, Map.of(), Map.of()), 5.0, 5.0));
    List<MachineSnapshot> read = new ArrayList<>();
    store(0).read(state -> read.add(state.machines()));
    assertThat(read).containsExactly(machines);
  }

  @Test
  void aSnapshotOfAnOlderVersionIsRead() throws IOException {
    StateStore store = store(0);
    Files.writeString(
        dir.resolve("0000000000000000000-0000000000000000001.json"),
        """
        {"machines":{"version":1,"estimator":"MIXTURE","at":5.0,"attempts":3.0,"outliers":1.0,
          "outputs":0.0,"lost":0.0,"machines":[{"name":"m","heardAt":5.0,"attempts":3.0,
          "outliers":1.0,"outputs":8.0,"lost":1.0,"estimatorState":[0.0,1.0,0.3],
          "losses":{"u":[0.1,3.0]}}]},
         "links":{"version":1,"down":{},
          "up":{"/r":[{"application":"application_1_0001","at":5.0,"bytesPerSecond":7.0}]}},
         "slowTasks":[{"user":"u","program":"p","application":"application_1_0001",
          "slow":{"withMore":2.0,"likeOthers":1.0},"until":9.0}]}
        """);
    List<PersistedState> read = new ArrayList<>();
    store.read(read::add);
    assertThat(read).singleElement().satisfies(m -> assertThat(m.writtenAt()).isEqualTo(5));
    MachineSnapshot.Machine machine = read.get(0).machines().machines().get(0);
    assertThat(machine.users()).isEmpty();
    assertThat(machine.outputsByUser()).isEqualTo(Map.of("", List.of(8.0, 1.0)));
    assertThat(read.get(0).links().up().get("/r"))
        .containsExactly(new RackBandwidths.Measurement("", "application_1_0001", 5, 7));
    assertThat(read.get(0).knownSlowTasks())
        .containsExactly(
            new SlowTaskMemory.Seen("u", "p", "application_1_0001", 0, new SlowTasks(2, 1), 9));
  }
}
