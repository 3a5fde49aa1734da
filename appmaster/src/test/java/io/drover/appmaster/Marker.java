// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.yarn.event.AbstractEvent;

/** Tells that the dispatcher has handled all that was sent before. */
final class Marker extends AbstractEvent<Marker.Type> {
  /** There is one kind only. */
  enum Type {
    /** To be reached. */
    MARK
  }

  private final CountDownLatch reached;

  Marker(CountDownLatch reached) {
    super(Type.MARK);
    this.reached = reached;
  }

  /** It has. */
  void reach() {
    reached.countDown();
  }
}
