// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.speculator.DecisionLogFiles.Staged;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the decision log to the job's staging directory while the job runs. If this AppMaster
 * dies, the next one needs the copy, because the machine and its log may be gone.
 *
 * <p>A separate thread copies what is new in the local file every two seconds, so that no other
 * thread waits for the other file system. If copying fails, it logs one warning and ends. Only
 * whole lines are copied. Hadoop removes the staging directory when the job is over.
 */
final class DecisionLogReplicator implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionLogReplicator.class);
  private static final long PERIOD_MILLIS = 2_000;

  private final Path local;
  private final Staged staged;
  private final CountDownLatch closed = new CountDownLatch(1);
  private long copied;

  private DecisionLogReplicator(Path local, Staged staged) {
    this.local = local;
    this.staged = staged;
  }

  /** Starts to copy a file that is being written. */
  static DecisionLogReplicator start(Path local, Staged staged, Configuration conf) {
    DecisionLogReplicator replicator = new DecisionLogReplicator(local, staged);
    UserThread.daemon(() -> replicator.run(conf), "Drover log replicator").start();
    return replicator;
  }

  /** Ends the copy. Lines that were written since the last pass may be missing. */
  @Override
  public void close() {
    closed.countDown();
  }

  private void run(Configuration conf) {
    try {
      while (local.toFile().length() == 0) { // jobs without decisions mostly have no file
        if (closed.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
          return;
        }
      }
      try (RandomAccessFile from = new RandomAccessFile(local.toFile(), "r");
          FSDataOutputStream to = staged.file().getFileSystem(conf).create(staged.file(), true)) {
        do {
          copyNewLines(from, to);
        } while (!closed.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS));
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      if (isJobOver(conf)) {
        LOG.debug("the job is over, and its staging directory with the copy is gone", e);
      } else {
        LOG.warn("if this AppMaster dies, the next one will not know its decisions", e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether the staging directory is gone; false if that is not known. */
  private boolean isJobOver(Configuration conf) {
    try {
      return !staged.file().getFileSystem(conf).exists(staged.file().getParent());
    } catch (IOException | RuntimeException e) {
      LOG.debug("it is not known whether the job is over", e);
      return false;
    }
  }

  private void copyNewLines(RandomAccessFile from, FSDataOutputStream to) throws IOException {
    byte[] buffer = new byte[1 << 16];
    boolean wrote = false;
    from.seek(copied);
    for (int read = from.read(buffer); read > 0; read = from.read(buffer)) {
      int whole = read;
      boolean atEnd = from.getFilePointer() == from.length();
      while (atEnd && whole > 0 && buffer[whole - 1] != '\n') {
        whole--;
      }
      to.write(buffer, 0, whole);
      copied += whole;
      wrote |= whole > 0;
      if (atEnd) {
        break;
      }
    }
    if (wrote) {
      to.hflush();
    }
  }
}
