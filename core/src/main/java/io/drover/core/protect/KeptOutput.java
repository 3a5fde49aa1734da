// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import java.util.List;

/**
 * The output of a finished task, kept on machines' own disks for others to read.
 *
 * @param task whose it is, by the caller's name
 * @param machines that keep it: the one it was made on, and those of its replicas; at least one
 * @param bytes its size, at least 0
 * @param unread whether anybody has still to read any of it
 * @param redo how long it takes to make again; the task's own time in it is the time that it ran
 */
public record KeptOutput(
    String task, List<String> machines, long bytes, boolean unread, RecomputationTime redo) {
  /** Checks the ranges above. */
  public KeptOutput {
    machines = List.copyOf(machines);
    if (machines.isEmpty()) {
      throw new IllegalArgumentException("an output is kept on a machine at least: " + task);
    }
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must be at least 0, was " + bytes);
    }
  }
}
