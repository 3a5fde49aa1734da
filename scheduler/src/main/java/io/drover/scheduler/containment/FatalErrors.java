// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.containment;

/** Errors after which a JVM cannot go on, on threads of an executor. */
public final class FatalErrors {
  private FatalErrors() {}

  /**
   * Work for an executor, which would keep such an error to itself, and do work that is periodic no
   * more. It is for the thread's handler of uncaught errors instead, by which Hadoop ends a
   * ResourceManager, as on all other threads; if the handler returns, periodic work goes on.
   *
   * @param work anything else that it throws is the executor's
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
