// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.containment.CircuitBreaker;
import io.drover.core.machine.MachineSnapshot;
import io.drover.core.machine.RackBandwidths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is learnt is kept as soon as the file system lets it, however long that takes. */
class StatePersisterTest {
  @TempDir Path dir;

  private final AtomicLong nanos = new AtomicLong();
  private final StatePersister keeper = new StatePersister(nanos::get, 20);

  private void start() {
    keeper.start(dir.toUri().toString(), 0, new Configuration(false), state -> {});
    await().until(keeper::isKept);
  }

  @AfterEach
  void stop() {
    keeper.stop();
  }

  private static PersistedState state(double at) {
    MachineSnapshot machines = new MachineSnapshot(1, "MIXTURE", at, 0, 0, 0, 0, List.of());
    return new PersistedState(machines, new RackBandwidths.Snapshot(1, Map.of(), Map.of()), at, at);
  }

  private double newest() throws IOException {
    return newest(dir);
  }

  private static double newest(Path in) throws IOException {
    double[] at = new double[1];
    new StateStore(in.toUri().toString(), 0, new Configuration(false))
        .read(state -> at[0] = state.at());
    return at[0];
  }

  private long written() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.filter(file -> file.toString().endsWith(".json")).count();
    }
  }

  private void switchOff() {
    for (int i = 0; i < CircuitBreaker.FAILURES; i++) {
      keeper.breaker().failed(new IOException("the NameNode is in safe mode"));
    }
  }

  @Test
  void aWriteThatWasRefusedKeepsNoLaterOneFromBeingWritten() throws IOException {
    start();
    switchOff();
    keeper.write(state(1));
    await().during(Duration.ofMillis(200)).until(() -> written() == 0);
    nanos.addAndGet(CircuitBreaker.PAUSE.toNanos());
    keeper.write(state(2));
    keeper.stop();
    assertThat(newest()).isEqualTo(2);
    assertThat(keeper.breaker().isOpen()).isFalse();
  }

  @Test
  void aWriteThatWasRefusedIsMadeUpForWithoutAnother() throws IOException {
    start();
    switchOff();
    keeper.write(state(1));
    await().during(Duration.ofMillis(200)).until(() -> written() == 0);
    nanos.addAndGet(CircuitBreaker.PAUSE.toNanos());
    await().until(() -> written() == 1);
  }

  @Test
  void aWriteThatHasFailedIsMadeUpForWithoutAnother() throws IOException {
    start();
    Files.delete(dir);
    Files.createFile(dir); // no directory
    keeper.write(state(1));
    await().until(() -> keeper.breaker().failures() > 0);
    Files.delete(dir);
    Files.createDirectory(dir);
    nanos.addAndGet(CircuitBreaker.PAUSE.toNanos());
    await().until(() -> written() == 1);
    assertThat(newest()).isEqualTo(1);
  }

  /** Such a state has only what was learnt since the start. */
  @Test
  void aStateThatWaitedForAnEarlierOneToBeReadDoesNotReplaceIt() throws IOException {
    new StateStore(dir.toUri().toString(), 0, new Configuration(false)).write(state(5));
    AtomicBoolean isReadable = new AtomicBoolean();
    keeper.start(
        dir.toUri().toString(),
        0,
        new Configuration(false),
        state -> {
          if (!isReadable.get()) {
            throw new IllegalStateException("not yet");
          }
          keeper.dropWhatWaits();
        });
    await().until(() -> keeper.breaker().isOpen());
    keeper.write(state(6));
    isReadable.set(true);
    await().until(keeper::isKept);
    keeper.stop();
    assertThat(written()).isEqualTo(1);
    assertThat(newest()).isEqualTo(5);
  }

  @Test
  void aStateThatWaitedIsWrittenIfThereIsNoEarlierOne() throws IOException {
    Path file = Files.createFile(dir.resolve("file"));
    Path below = file.resolve("below");
    keeper.start(below.toUri().toString(), 0, new Configuration(false), state -> {});
    await().until(() -> keeper.breaker().failures() > 2 * CircuitBreaker.FAILURES);
    keeper.write(state(1));
    Files.delete(file);
    await().until(keeper::isKept);
    keeper.stop();
    assertThat(newest(below)).isEqualTo(1);
  }

  private void damage(Path in) throws IOException {
    Files.createDirectories(in);
    Files.writeString(in.resolve("0".repeat(19) + "-" + "0".repeat(19) + ".json"), "{");
  }

  private void awaitFailures(int more) {
    long before = keeper.breaker().failures();
    await().until(() -> keeper.breaker().failures() >= before + more);
  }

  @Test
  void damagedStatesAreGivenUpAnHourAfterTheFirstRead() throws IOException {
    damage(dir);
    keeper.start(dir.toUri().toString(), 0, new Configuration(false), state -> {});
    awaitFailures(70); // often, without a pause
    nanos.addAndGet(StatePersister.PATIENCE.toNanos() - 1);
    awaitFailures(2);
    assertThat(keeper.isKept()).isFalse();
    nanos.addAndGet(1);
    keeper.write(state(1));
    await().until(keeper::isKept);
    keeper.stop();
    assertThat(newest()).as("what waited until then").isEqualTo(1);
  }

  @Test
  void timeInWhichTheDirectoryCouldNotBeUsedSaysNothingOfWhatIsThere() throws IOException {
    Path link =
        Files.createSymbolicLink(dir.resolve("link"), Files.createFile(dir.resolve("file")));
    Path below = link.resolve("below");
    keeper.start(below.toUri().toString(), 0, new Configuration(false), state -> {});
    awaitFailures(70);
    nanos.addAndGet(2 * StatePersister.PATIENCE.toNanos());
    awaitFailures(2);
    damage(dir.resolve("new").resolve("below"));
    Path other = Files.createSymbolicLink(dir.resolve("other"), dir.resolve("new"));
    Files.move(
        other, link, StandardCopyOption.ATOMIC_MOVE); // or it would make the directory itself
    awaitFailures(3); // the blocks are not there yet
    assertThat(keeper.isKept()).isFalse();
  }

  @Test
  void whatAJvmCannotGoOnAfterIsToldToTheHandlerOfUncaughtErrors() throws Exception {
    BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> uncaught.add(error));
    try {
      new StateStore(dir.toUri().toString(), 0, new Configuration(false)).write(state(1));
      keeper.start(
          dir.toUri().toString(),
          1,
          new Configuration(false),
          state -> {
            throw new OutOfMemoryError("of the heap");
          });
      assertThat(uncaught.poll(2, TimeUnit.MINUTES)).isInstanceOf(OutOfMemoryError.class);
      assertThat(uncaught.poll(2, TimeUnit.MINUTES)).as("in the next round").isNotNull();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void whatCannotBeWrittenYetIsNoSuccessOfTheFileSystem() throws IOException {
    Path file = Files.createFile(dir.resolve("file"));
    StatePersister slowToTry = new StatePersister(nanos::get);
    slowToTry.start(
        file.resolve("below").toUri().toString(), 0, new Configuration(false), state -> {});
    await().until(() -> slowToTry.breaker().failures() > 0);
    slowToTry.write(state(1));
    slowToTry.stop();
    for (int i = 1; i < CircuitBreaker.FAILURES; i++) {
      slowToTry.breaker().failed(new IOException("once more"));
    }
    assertThat(slowToTry.breaker().isOpen()).as("all in a row").isTrue();
  }
}
