// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Work that a thread of its own does meanwhile; it keeps no process from ending. */
final class Background<T> {
  private final FutureTask<T> task;

  private Background(FutureTask<T> task) {
    this.task = task;
  }

  /** Begins it. */
  static <T> Background<T> start(String name, Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return new Background<>(task);
  }

  /**
   * Waits for its end.
   *
   * @throws IOException what went wrong with it
   */
  T get() throws IOException, InterruptedException {
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    }
  }

  /** Interrupts it, unless it is over. */
  void cancel() {
    task.cancel(true);
  }
}
