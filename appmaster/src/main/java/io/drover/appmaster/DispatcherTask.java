// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import org.apache.hadoop.yarn.event.AbstractEvent;

/**
 * Work for the AppMaster's dispatcher thread, on which every transition of a job, a task or an
 * attempt happens: a state that the work reads cannot change before the work acts on it.
 */
final class DispatcherTask extends AbstractEvent<DispatcherTask.Type> {
  /** There is one kind only; the dispatcher finds the handler by it. */
  enum Type {
    /** To be run. */
    RUN
  }

  private final Runnable work;

  /** Work that throws nothing: what is thrown on the dispatcher thread ends the AppMaster. */
  DispatcherTask(Runnable work) {
    super(Type.RUN);
    this.work = work;
  }

  /** Does it. */
  void run() {
    work.run();
  }
}
