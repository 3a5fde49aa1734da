// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import java.io.IOException;
import java.util.Optional;

/** Gives the events of a history one after another. */
interface EventSource {
  /**
   * Returns the next event; empty at the end. A history whose last event is incomplete ends before
   * it: its AppMaster may still be writing, or has died.
   *
   * @throws HistoryFormatException if the next event is damaged
   * @throws IOException if it cannot be read
   */
  Optional<RecordedEvent> next() throws IOException;
}
