// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import org.apache.hadoop.yarn.event.AbstractEvent;

/**
 * Work for the AppMaster's dispatcher thread. Every transition of a job, a task or an attempt
 * happens on that thread, so a state that the work reads cannot change before the work acts on it.
 */
final class DispatcherTask extends AbstractEvent<DispatcherTask.Type> {
  /** The only event type, by which the dispatcher finds the handler. */
  enum Type {
    RUN
  }

  private final Runnable work;

  /** Creates the event. The work must not throw, because that would end the AppMaster. */
  DispatcherTask(Runnable work) {
    super(Type.RUN);
    this.work = work;
  }

  void run() {
    work.run();
  }
}
