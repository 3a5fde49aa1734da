// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import java.util.Objects;

/**
 * What is known of a job when it is submitted. Names are cut off at {@value #LONGEST} characters:
 * whoever submits a job may name any queue, also one that there is not.
 *
 * @param id the job's id, unique among those that have not ended
 * @param at when it was submitted, seconds
 * @param user who submitted it
 * @param queue where to; blank if there are no queues
 * @param program what it runs, by the job's name ({@link MaskedName})
 * @param priority higher is more urgent
 */
public record JobArrival(
    String id, double at, String user, String queue, String program, int priority) {
  private static final int LONGEST = 200;

  /** Checks that nothing is missing, and cuts names off. */
  public JobArrival {
    Objects.requireNonNull(id);
    user = cut(user);
    queue = cut(queue);
    program = cut(program);
    if (!Double.isFinite(at)) {
      throw new IllegalArgumentException("job %s cannot be submitted at %s".formatted(id, at));
    }
  }

  private static String cut(String name) {
    return name.length() <= LONGEST ? name : name.substring(0, LONGEST);
  }
}
