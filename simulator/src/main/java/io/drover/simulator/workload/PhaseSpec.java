// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.core.model.TaskKind;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Describes the work of one phase of a job. A reduce phase reads the output of the phase before.
 *
 * <p>Immutable. The arrays are not copied because a large job has a hundred thousand tasks, so the
 * caller must not change them afterwards.
 */
public final class PhaseSpec {
  private final TaskKind kind;
  private final long[] bytes;
  private final double secondsPerByte;
  private final int[] racks;
  private final long total;
  private final int blocks;

  /**
   * Creates a phase whose tasks may run in any rack.
   *
   * @param bytes the input of each task, at least 0; at least one task
   * @param secondsPerByte the seconds per byte on a machine that is not slow, at least 0
   */
  public PhaseSpec(TaskKind kind, long[] bytes, double secondsPerByte) {
    this(kind, bytes, secondsPerByte, null);
  }

  /**
   * Creates a phase with the racks in which its tasks ran.
   *
   * @param bytes the input of each task, at least 0; at least one task
   * @param secondsPerByte the seconds per byte on a machine that is not slow, at least 0
   * @param racks the rack of each task, from 0; null if the racks are not known
   */
  public PhaseSpec(TaskKind kind, long[] bytes, double secondsPerByte, int[] racks) {
    this(kind, bytes, secondsPerByte, racks, bytes.length);
  }

  private PhaseSpec(TaskKind kind, long[] bytes, double secondsPerByte, int[] racks, int blocks) {
    if (bytes.length == 0 || (racks != null && racks.length != bytes.length)) {
      throw new IllegalArgumentException(
          "a phase needs at least one task and one rack per task, but has "
              + bytes.length
              + " tasks and the racks "
              + Arrays.toString(racks));
    }
    if (!(secondsPerByte >= 0 && secondsPerByte < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("secondsPerByte is " + secondsPerByte);
    }
    this.kind = kind;
    this.bytes = bytes;
    this.secondsPerByte = secondsPerByte;
    this.racks = racks;
    this.total = Arrays.stream(bytes).sum();
    this.blocks = blocks;
  }

  /**
   * Returns the same phase for a job that needs any K = {@link #tasks} of N input blocks. The sizes
   * of this phase are those of the K blocks that are selected when the job is submitted. The other
   * blocks repeat these sizes in turn.
   *
   * @param count N, at least {@link #tasks}
   */
  public PhaseSpec ofAny(int count) {
    if (count < bytes.length) {
      throw new IllegalArgumentException(
          "cannot need any " + bytes.length + " of " + count + " blocks");
    }
    return new PhaseSpec(kind, bytes, secondsPerByte, racks, count);
  }

  /** Returns whether the phase has maps or reduces. */
  public TaskKind kind() {
    return kind;
  }

  /** Returns the number of tasks; if the job samples its input, K, the outputs that it needs. */
  public int tasks() {
    return bytes.length;
  }

  /** Returns N, the number of blocks that the tasks can read: the number of tasks, or more. */
  public int blocks() {
    return blocks;
  }

  /** Returns the input of a task in bytes; for an index from K on, the size of that block. */
  public long bytes(int task) {
    return bytes[task < bytes.length ? task : task % bytes.length];
  }

  /** Returns the input of all tasks in bytes. */
  public long totalBytes() {
    return total;
  }

  /** Returns the seconds that the code takes for a byte on a machine that is not slow. */
  public double secondsPerByte() {
    return secondsPerByte;
  }

  /** Returns the rack of a task or block from {@link #racks}; empty if the trace has no racks. */
  public OptionalInt rack(int task) {
    return racks == null ? OptionalInt.empty() : OptionalInt.of(racks[task % racks.length]);
  }

  /**
   * Returns the rack in which each task ran or its data lay, by task; empty if the trace has no
   * racks. The caller must not change the array.
   */
  public Optional<int[]> racks() {
    return Optional.ofNullable(racks);
  }
}
