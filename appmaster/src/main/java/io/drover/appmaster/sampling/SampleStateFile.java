// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the state of a sample in the job's staging directory.
 *
 * <p><b>Why blocks are never mixed.</b> Nothing that another process can act on happens before the
 * state that it depends on is in the file: no reduce learns of an output and no map may commit
 * until the state is in {@link #written}. So whatever the next AppMaster finds of this one's work
 * (committed output, finished reduces), it also finds the blocks that it was made from. A map that
 * is in the job's history, but whose attempt is not in the file, runs again.
 *
 * <p>A new state is written beside the old one and then takes its place. Changes that come while
 * one is written, or within half a second, are written together afterwards: maps that may not
 * commit yet ask again after a second. If the file system refuses, this tries again, and ends the
 * job after five minutes, because a job that went on could return a wrong result.
 */
final class SampleStateFile {
  private static final Logger LOG = LoggerFactory.getLogger(SampleStateFile.class);
  private static final double SOON_SECONDS = 1;
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final JobAccess job;
  private final Path file;
  private final Supplier<SampleState> state;
  private final Runnable whenWritten;
  private final AtomicBoolean isQueued = new AtomicBoolean();
  private final AtomicBoolean isDue = new AtomicBoolean();
  private FileContext files; // the worker's, as each has a client of HDFS of its own
  private long failingSince; // System.nanoTime, 0 if the last write succeeded; the worker's
  private volatile long pauseEnd = System.nanoTime();
  private volatile Optional<SampleState> written = Optional.empty();

  /**
   * Creates a file that is not written yet.
   *
   * @param state returns the present state; called on the worker's thread
   * @param whenWritten runs on the worker's thread each time a state has been written
   */
  SampleStateFile(JobAccess job, Path file, Supplier<SampleState> state, Runnable whenWritten) {
    this.job = job;
    this.file = file;
    this.state = state;
    this.whenWritten = whenWritten;
  }

  /**
   * Reads what an earlier AppMaster has left.
   *
   * @return empty if there is no file
   * @throws IOException if the file cannot be read or is damaged
   */
  static Optional<SampleState> read(Configuration conf, Path file) throws IOException {
    FileContext files = FileContext.getFileContext(file.toUri(), conf);
    try (FSDataInputStream in = files.open(file)) {
      return Optional.of(SampleState.parse(in.readAllBytes()));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /** Writes a state now, on the calling thread. */
  static void write(Configuration conf, Path file, SampleState state) throws IOException {
    write(FileContext.getFileContext(file.toUri(), conf), file, state);
  }

  private static void write(FileContext files, Path file, SampleState state) throws IOException {
    Path beside = file.suffix(".new");
    try (FSDataOutputStream out =
        files.create(beside, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE))) {
      out.write(state.toJson());
      out.hsync();
    }
    files.rename(beside, file, Rename.OVERWRITE);
  }

  /**
   * Lets the worker write the present state within a second. For changes that nobody waits for: if
   * they are lost, maps run again.
   */
  void writeSoon() {
    if (isDue.compareAndSet(false, true)) {
      job.onWorkerLater(
          SOON_SECONDS,
          () -> {
            isDue.set(false);
            writeNow();
          });
    }
  }

  /** Lets the worker write the present state: at once, or half a second after it wrote the last. */
  void write() {
    if (isQueued.compareAndSet(false, true)) {
      job.onWorkerLater(Math.max(0, pauseEnd - System.nanoTime()) / 1e9, this::writeNow);
    }
  }

  /** Returns the last state that is in the file; empty if this AppMaster has written none. */
  Optional<SampleState> written() {
    return written;
  }

  private void writeNow() {
    isQueued.set(false);
    try {
      SampleState now = state.get();
      if (written.isPresent() && written.get().version() >= now.version()) {
        return;
      }
      files = files == null ? FileContext.getFileContext(file.toUri(), job.conf()) : files;
      write(files, file, now);
      pauseEnd = System.nanoTime() + PAUSE.toNanos();
      written = Optional.of(now);
      failingSince = 0;
    } catch (IOException e) {
      failed(e);
      return;
    } catch (RuntimeException | Error e) {
      job.failAfterAnError();
      throw e;
    }
    whenWritten.run();
  }

  private void failed(IOException cause) {
    failingSince = failingSince == 0 ? System.nanoTime() : failingSince;
    if (System.nanoTime() - failingSince > PATIENCE.toNanos()) {
      job.fail("the state of the job's sample cannot be written to " + file + ": " + cause);
      return;
    }
    LOG.warn("The state of the job's sample could not be written to {}; trying again", file, cause);
    writeSoon();
  }
}
