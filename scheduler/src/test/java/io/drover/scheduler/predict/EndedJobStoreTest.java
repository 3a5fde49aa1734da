// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.drover.core.predict.EndedJob;
import io.drover.core.predict.EndedJob.Features;
import io.drover.core.predict.JobArrival;
import io.drover.core.predict.JobOutcome;
import io.drover.core.predict.KeptJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndedJobStoreTest {
  private static final double HOUR = 3600;
  @TempDir private Path dir;

  private EndedJobStore store(long writer) throws IOException {
    return new EndedJobStore(dir.toUri().toString(), writer, new Configuration());
  }

  private static KeptJob job(String id, double endedAt) {
    double[] features = new double[Features.SIZE];
    Arrays.setAll(features, j -> j == 3 ? Double.NaN : j / 2.0);
    JobArrival arrival = new JobArrival(id, endedAt - 100, "ann", "root.etl", "load-#", 3);
    return new KeptJob(
        arrival,
        new EndedJob(new Features(features), arrival.at(), endedAt, 90, 12, JobOutcome.KILLED, 10),
        true,
        true);
  }

  private static List<String> ids(List<KeptJob> jobs) {
    return jobs.stream().map(job -> job.arrival().id()).toList();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.filter(file -> file.toString().endsWith(".gz")).sorted().toList();
    }
  }

  private List<String> all() throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".crc"))
          .sorted()
          .toList();
    }
  }

  @Test
  void jobsAreReadAsTheyWereWritten() throws Exception {
    KeptJob written = job("j1", 5000);
    store(1).add(List.of(written));
    KeptJob read = store(2).read(0, 1000).get(0);
    assertThat(read.arrival()).isEqualTo(written.arrival());
    assertThat(read.ended().features().all()).isEqualTo(written.ended().features().all());
    assertThat(read.ended().endedAt()).isEqualTo(5000);
    assertThat(read.ended().seconds()).isEqualTo(90);
    assertThat(read.ended().tasks()).isEqualTo(12);
    assertThat(read.ended().outcome()).isEqualTo(JobOutcome.KILLED);
    assertThat(read.ended().standsFor()).isEqualTo(10);
    assertThat(read.isJudged() && read.isMisjudged()).isTrue();
  }

  @Test
  void eachWriteIsAFileAndJobsComeInTheOrderOfTheirEnds() throws Exception {
    EndedJobStore store = store(1);
    store.add(List.of(job("b", 20), job("a", 10)));
    store.add(List.of(job("d", HOUR + 5), job("c", 30)));
    assertThat(files()).hasSize(2);
    assertThat(ids(store(2).read(0, 1000))).containsExactly("a", "b", "c", "d");
  }

  @Test
  void whenThereAreEnoughJobsNoOlderFileIsRead() throws Exception {
    EndedJobStore store = store(1);
    for (int i = 0; i < 5; i++) {
      store.add(List.of(job("a" + i, i), job("b" + i, i)));
      Files.setLastModifiedTime(files().get(i), FileTime.fromMillis(1_000_000L * (i + 1)));
    }
    assertThat(ids(store.read(0, 3))).containsExactlyInAnyOrder("a3", "b3", "a4", "b4");
  }

  @Test
  void whatAnotherHasWrittenIsReadAndNotChanged() throws Exception {
    store(1).add(List.of(job("a", 10), job("both", 20)));
    store(2).add(List.of(job("both", 20), job("b", 30)));
    assertThat(files()).hasSize(2);
    assertThat(ids(store(3).read(0, 1000))).containsExactly("a", "both", "b");
  }

  @Test
  void filesThatCannotBeReadAreSkipped() throws Exception {
    EndedJobStore store = store(1);
    store.add(List.of(job("a", 10)));
    store.add(List.of(job("b", HOUR + 10)));
    store.add(List.of(job("c", 2 * HOUR + 10)));
    byte[] whole = Files.readAllBytes(files().get(0));
    Files.write(files().get(0), Arrays.copyOf(whole, whole.length / 2));
    Files.writeString(files().get(1), "nonsense");
    deleteChecksums();
    assertThat(ids(store(2).read(0, 1000))).containsExactly("c");
  }

  private void deleteChecksums() throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      for (Path file : all.filter(file -> file.toString().endsWith(".crc")).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void oldJobsAreNotReadAndOldFilesAreDeletedByTheFileSystemsTimes() throws Exception {
    EndedJobStore store = store(1);
    store.add(List.of(job("old", 10), job("newer", 5 * HOUR)));
    assertThat(ids(store.read(4 * HOUR, 1000))).containsExactly("newer");
    store.add(List.of(job("newest", 6 * HOUR)));
    Files.setLastModifiedTime(files().get(0), FileTime.fromMillis(1_000_000));
    Files.setLastModifiedTime(files().get(1), FileTime.fromMillis(9_000_000));
    store.forget(Duration.ofSeconds(8000));
    assertThat(files()).hasSize(2);
    store.forget(Duration.ofSeconds(7999));
    assertThat(ids(store(2).read(0, 1000))).containsExactly("newest");
  }

  @Test
  void jobsThatCouldNotBeWrittenAreNotKeptTwice() throws Exception {
    EndedJobStore store = store(1);
    Files.createDirectory(dir.resolve("jobs-0000000000000000001-0000000000.gz.part"));
    Files.createDirectory(dir.resolve("jobs-0000000000000000001-0000000000.gz.part/in-the-way"));
    List<KeptJob> jobs = List.of(job("a", 10));
    assertThatIOException().isThrownBy(() -> store.add(jobs));
    Files.delete(dir.resolve("jobs-0000000000000000001-0000000000.gz.part/in-the-way"));
    Files.delete(dir.resolve("jobs-0000000000000000001-0000000000.gz.part"));
    store.add(jobs);
    assertThat(all()).containsExactly("jobs-0000000000000000001-0000000001.gz");
    assertThat(ids(store(2).read(0, 1000))).containsExactly("a");
  }

  /** As HDFS does when the answer to a call is lost. */
  private static final class DeafFiles extends RawLocalFileSystem {
    private static boolean isAnswerLost;
    private static boolean isRefused;

    @Override
    public boolean rename(org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to)
        throws IOException {
      if (isRefused) {
        isRefused = false;
        return false;
      }
      boolean isRenamed = super.rename(from, to);
      if (isAnswerLost) {
        isAnswerLost = false;
        throw new IOException("connection reset");
      }
      return isRenamed;
    }
  }

  private EndedJobStore deaf() throws IOException {
    Configuration conf = new Configuration();
    conf.setClass("fs.file.impl", DeafFiles.class, FileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    return new EndedJobStore(dir.toUri().toString(), 1, conf);
  }

  @Test
  void writeThatFailsLeavesNothing() throws Exception {
    EndedJobStore store = deaf();
    DeafFiles.isRefused = true;
    assertThatIOException().isThrownBy(() -> store.add(List.of(job("a", 10))));
    assertThat(all()).isEmpty();
  }

  @Test
  void whatADeadWriterLeftIsDeletedWhenItIsOld() throws Exception {
    Path left = dir.resolve("jobs-0000000000000000001-0000000007.gz.part");
    Files.writeString(left, "half");
    EndedJobStore store = store(2);
    store.add(List.of(job("a", 10)));
    store.forget(Duration.ofHours(1));
    assertThat(left).as("it may be written still").exists();
    Files.setLastModifiedTime(left, FileTime.fromMillis(1_000_000));
    store.forget(Duration.ofHours(1));
    assertThat(all()).containsExactly("jobs-0000000000000000002-0000000000.gz");
  }

  @Test
  void lostAnswerToOneWriteStopsNoOther() throws Exception {
    EndedJobStore store = deaf();
    List<KeptJob> jobs = List.of(job("a", 10));
    DeafFiles.isAnswerLost = true;
    assertThatIOException().isThrownBy(() -> store.add(jobs));
    store.add(jobs);
    assertThat(ids(store(2).read(0, 1000))).containsExactly("a");
  }

  /** No queue has such a name, but a user may have given it. */
  @Test
  void jobWithNamesOfAnyLengthIsKept() throws Exception {
    KeptJob usual = job("b", 20);
    String name = "\u20ac".repeat(70_000);
    KeptJob unusual =
        new KeptJob(
            new JobArrival("b", usual.arrival().at(), name, name, name, 3),
            usual.ended(),
            true,
            true);
    store(1).add(List.of(job("a", 10), unusual, job("c", 30)));
    List<KeptJob> read = store(2).read(0, 1000);
    assertThat(ids(read)).containsExactly("a", "b", "c");
    assertThat(read.get(1).arrival().queue()).isEqualTo(name.substring(0, 200));
  }

  @Test
  void directoryThatIsAFileIsAnError() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "");
    assertThatIOException()
        .isThrownBy(
            () ->
                new EndedJobStore(file + "/below", 1, new Configuration())
                    .add(List.of(job("a", 1))));
  }
}
