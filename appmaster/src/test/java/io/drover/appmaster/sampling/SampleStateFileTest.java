// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.drover.core.placement.LinkBandwidths.Bandwidths;
import io.drover.speculator.Breakers;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FsConstants;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SampleStateFileTest {
  @TempDir private Path dir;

  private final Configuration conf = new Configuration();
  private final AtomicLong version = new AtomicLong();
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();

  private final JobAccess job = access();

  private JobAccess access() {
    return new JobAccess(
        conf,
        () -> null,
        () -> null,
        attempt -> 0,
        racks -> new Bandwidths(new double[0], new double[0], null),
        Runnable::run,
        (type, fields) -> {},
        Breakers.uncounted());
  }

  private static SampleState state(long version) {
    return new SampleState(
        version,
        true,
        4,
        1,
        List.of(),
        OptionalInt.of(0),
        List.of(2),
        Map.of(),
        List.of(),
        List.of());
  }

  private SampleState present() {
    SampleState present = state(version.get());
    asked.incrementAndGet();
    return present;
  }

  private static org.apache.hadoop.fs.Path path(Path file) {
    return new org.apache.hadoop.fs.Path(file.toUri());
  }

  private SampleStateFile file(Path file) {
    return new SampleStateFile(job, path(file), this::present, writes::incrementAndGet);
  }

  @Test
  void stateIsReadBackFromTheFile() throws IOException {
    Path file = Files.createDirectory(dir.resolve("staging")).resolve("sample.json");
    assertThat(SampleStateFile.read(conf, path(file))).isEmpty();
    SampleStateFile.write(conf, path(file), state(1));
    assertThat(SampleStateFile.read(conf, path(file))).contains(state(1));
    SampleStateFile.write(conf, path(file), state(2));
    assertThat(SampleStateFile.read(conf, path(file))).contains(state(2));
    try (var files = Files.list(file.getParent())) {
      assertThat(files.map(f -> f.getFileName().toString()).filter(f -> !f.startsWith(".")))
          .containsExactly("sample.json");
    }
  }

  @Test
  void damagedFileIsNoMissingFile() throws IOException {
    Path file = dir.resolve("sample.json");
    Files.writeString(file, "{\"format\":1,");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> SampleStateFile.read(conf, path(file)));
  }

  @Test
  void fileThatWasLeftHalfWrittenIsReplaced() throws IOException {
    Path file = dir.resolve("sample.json");
    SampleStateFile.write(conf, path(file), state(1));
    Files.writeString(dir.resolve("sample.json.new"), "{\"form");
    assertThat(SampleStateFile.read(conf, path(file))).contains(state(1));
    SampleStateFile.write(conf, path(file), state(2));
    assertThat(SampleStateFile.read(conf, path(file))).contains(state(2));
  }

  @Test
  void workerWritesTheStateAndThenTellsIt() throws IOException {
    Path path = dir.resolve("sample.json");
    SampleStateFile file = file(path);
    assertThat(file.written()).isEmpty();
    version.set(3);
    file.write();
    await().until(() -> writes.get() == 1);
    assertThat(file.written()).contains(state(3));
    assertThat(SampleStateFile.read(conf, path(path))).contains(state(3));
  }

  @Test
  void stateThatIsInTheFileIsNotWrittenAgain() {
    SampleStateFile file = file(dir.resolve("sample.json"));
    file.write();
    await().until(() -> writes.get() == 1);
    file.write();
    await().until(() -> asked.get() == 2);
    version.incrementAndGet();
    file.write();
    await().until(() -> writes.get() == 2);
    assertThat(asked.get()).isEqualTo(3);
    assertThat(file.written()).contains(state(1));
  }

  @Test
  void changesThatComeWhileTheWorkerIsBusyAreWrittenTogether() throws InterruptedException {
    SampleStateFile file = file(dir.resolve("sample.json"));
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    job.onWorker(
        () -> {
          busy.countDown();
          assertThat(awaits(free)).isTrue();
        });
    assertThat(awaits(busy)).isTrue();
    for (int change = 0; change < 100; change++) {
      version.incrementAndGet();
      file.write();
    }
    CountDownLatch end = new CountDownLatch(1);
    job.onWorker(end::countDown);
    free.countDown();
    assertThat(awaits(end)).isTrue();
    assertThat(writes.get()).isEqualTo(1);
    assertThat(asked.get()).isEqualTo(1);
    assertThat(file.written()).contains(state(100));
  }

  /** As when maps commit one after the other. */
  @Test
  void changesThatFollowEachOtherAreWrittenTogetherWithoutAnotherClientOfHdfs()
      throws InterruptedException {
    conf.setClass("fs.AbstractFileSystem.file.impl", CountedFiles.class, AbstractFileSystem.class);
    int before = CountedFiles.MADE.get();
    SampleStateFile file = file(dir.resolve("sample.json"));
    for (int change = 0; change < 50; change++) {
      version.incrementAndGet();
      file.write();
      CountDownLatch idle = new CountDownLatch(1);
      job.onWorker(idle::countDown);
      assertThat(awaits(idle)).isTrue();
    }
    await().until(() -> file.written().equals(Optional.of(state(50))));
    assertThat(writes.get()).isLessThan(25); // two, where threads run when they are to
    assertThat(CountedFiles.MADE.get() - before).isEqualTo(1);
  }

  /** A file system for {@code FileContext} that counts its clients. */
  public static final class CountedFiles extends DelegateToFileSystem {
    private static final AtomicInteger MADE = new AtomicInteger();

    public CountedFiles(URI uri, Configuration conf) throws IOException, URISyntaxException {
      super(FsConstants.LOCAL_FS_URI, new RawLocalFileSystem(), conf, "file", false);
      MADE.incrementAndGet();
    }
  }

  /** Else HDFS refuses it to enter the staging directory. */
  @Test
  void workerIsTheJobsUserWhoeverGivesItItsFirstWork() throws Exception {
    UserGroupInformation owner = UserGroupInformation.createRemoteUser("owner");
    JobAccess owned = owner.doAs((PrivilegedAction<JobAccess>) this::access);
    CompletableFuture<UserGroupInformation> worker = new CompletableFuture<>();
    owned.onWorkerLater(
        0.01,
        () -> {
          try {
            worker.complete(UserGroupInformation.getCurrentUser());
          } catch (IOException e) {
            worker.completeExceptionally(e);
          }
        });
    assertThat(worker.get(30, TimeUnit.SECONDS)).isEqualTo(owner);
  }

  private static boolean awaits(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** Hadoop has deleted the staging directory of a job that has ended. */
  @Test
  void directoryThatIsGoneIsNotMadeAgain() {
    Path file = dir.resolve("staging/sample.json");
    assertThatThrownBy(() -> SampleStateFile.write(conf, path(file), state(1)))
        .isInstanceOf(IOException.class);
    assertThat(file.getParent()).doesNotExist();
  }

  @Test
  void writeThatTheFileSystemRefusesIsTriedAgain() throws IOException {
    Path parent = dir.resolve("staging");
    Files.writeString(parent, "a file where a directory should be");
    SampleStateFile file = file(parent.resolve("sample.json"));
    file.write();
    await().atMost(Duration.ofSeconds(20)).until(() -> asked.get() >= 2); // once more by itself
    assertThat(file.written()).isEmpty();
    Files.delete(parent);
    Files.createDirectory(parent);
    await().atMost(Duration.ofSeconds(20)).until(() -> writes.get() == 1);
    assertThat(file.written()).contains(state(0));
    assertThat(SampleStateFile.read(conf, path(parent.resolve("sample.json")))).contains(state(0));
  }
}
