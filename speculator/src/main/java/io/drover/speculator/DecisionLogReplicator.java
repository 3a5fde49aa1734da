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
 * Keeps a copy of the decision log in the job's staging directory while the job runs, for the next
 * AppMaster if this one dies: its machine, and the log there, may be gone then.
 *
 * <p>It follows the local file, every few seconds, in a thread of its own; nobody ever waits for
 * the other file system. Where that fails there is one warning, and the copy ends. Only whole lines
 * are copied. Hadoop removes the staging directory when the job is over.
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

  /** Begins to follow a file that is being written. */
  static DecisionLogReplicator start(Path local, Staged staged, Configuration conf) {
    DecisionLogReplicator replicator = new DecisionLogReplicator(local, staged);
    UserThread.daemon(() -> replicator.run(conf), "Drover log replicator").start();
    return replicator;
  }

  /** Ends the copy; what has been written since the last look need not be in it. */
  @Override
  public void close() {
    closed.countDown();
  }

  private void run(Configuration conf) {
    try {
      while (local.toFile().length() == 0) { // most jobs that decide nothing make no file
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
        LOG.debug("the job is over, and the copy gone with its staging directory", e);
      } else {
        LOG.warn("if this AppMaster dies, the next one will not know what it has decided", e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the staging directory is gone; not, if that cannot be told. */
  private boolean isJobOver(Configuration conf) {
    try {
      return !staged.file().getFileSystem(conf).exists(staged.file().getParent());
    } catch (IOException | RuntimeException e) {
      LOG.debug("cannot be told whether the job is over", e);
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
