// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.protect.OutputsByHost.Output;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/**
 * The outputs that could still be read when their attempts ended, which therefore told nobody of a
 * loss. If it turns out that such an output is lost, that is told once, here. Used on the
 * dispatcher thread.
 */
final class UntoldLosses {
  private final OutputEvents events;
  private final Consumer<String> lostOn;
  private final Set<TaskAttemptId> outputs = new HashSet<>();

  /**
   * Creates a state without outputs.
   *
   * @param events knows which outputs can still be read
   * @param lostOn takes the host of each output that turns out to be lost
   */
  UntoldLosses(OutputEvents events, Consumer<String> lostOn) {
    this.events = events;
    this.lostOn = lostOn;
  }

  /** Notes that an attempt with an output has ended without success, or lost its success. */
  void ended(TaskAttemptId attempt) {
    if (events.isKept(attempt)) {
      outputs.add(attempt);
    }
  }

  /** Tells of the loss of an output. Returns false if that has been told, or is none of these. */
  boolean tell(Output output) {
    boolean isNews = outputs.remove(output.id());
    if (isNews) {
      lostOn.accept(output.host());
    }
    return isNews;
  }
}
