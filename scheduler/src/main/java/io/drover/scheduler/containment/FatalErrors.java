// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.containment;

/** Handles errors after which a JVM cannot go on, on the threads of executors. */
public final class FatalErrors {
  private FatalErrors() {}

  /**
   * Wraps work for an executor. An executor would swallow a {@link VirtualMachineError} and end
   * periodic work. The wrapper passes it to the thread's handler of uncaught exceptions, with which
   * Hadoop ends a ResourceManager. If the handler returns, periodic work goes on.
   *
   * @param work the executor handles all other exceptions that it throws
   */
  public static Runnable toHandler(Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (VirtualMachineError e) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      }
    };
  }
}
