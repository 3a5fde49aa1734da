// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.core.model.TaskKind;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What one phase of a job has to do. A phase of reduces reads what the phase before it put out.
 *
 * <p>Immutable; the arrays are not copied, since a large job has a hundred thousand tasks, and must
 * not be changed by who made them.
 */
public final class PhaseSpec {
  private final TaskKind kind;
  private final long[] bytes;
  private final double secondsPerByte;
  private final int[] racks;
  private final long total;
  private final int blocks;

  /**
   * A phase whose tasks may run in any rack.
   *
   * @param bytes input of each task, at least 0; at least one task
   * @param secondsPerByte what the code takes for a byte on a machine that is not slow, at least 0
   */
  public PhaseSpec(TaskKind kind, long[] bytes, double secondsPerByte) {
    this(kind, bytes, secondsPerByte, null);
  }

  /**
   * A phase of which it is known where its tasks ran.
   *
   * @param bytes input of each task, at least 0; at least one task
   * @param secondsPerByte what the code takes for a byte on a machine that is not slow, at least 0
   * @param racks of each task, from 0; null if they are not known
   */
  public PhaseSpec(TaskKind kind, long[] bytes, double secondsPerByte, int[] racks) {
    this(kind, bytes, secondsPerByte, racks, bytes.length);
  }

  private PhaseSpec(TaskKind kind, long[] bytes, double secondsPerByte, int[] racks, int blocks) {
    if (bytes.length == 0 || (racks != null && racks.length != bytes.length)) {
      throw new IllegalArgumentException(
          "a phase has at least one task, and as many racks as tasks, not "
              + bytes.length
              + " tasks and racks "
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
   * The same for a job whose input has more blocks than it needs, of which any will do: K = {@link
   * #tasks} of N. Those that this phase has stand for the K that are selected when the job is
   * submitted; the others are as large as these, in turn.
   *
   * @param count N, at least {@link #tasks}
   */
  public PhaseSpec ofAny(int count) {
    if (count < bytes.length) {
      throw new IllegalArgumentException("any " + bytes.length + " of " + count + " blocks");
    }
    return new PhaseSpec(kind, bytes, secondsPerByte, racks, count);
  }

  /** Maps or reduces. */
  public TaskKind kind() {
    return kind;
  }

  /** How many tasks; of a job that samples its input K, the tasks whose outputs it needs. */
  public int tasks() {
    return bytes.length;
  }

  /** N, blocks of which the tasks read any: as many as tasks, or more. */
  public int blocks() {
    return blocks;
  }

  /** Input of a task, bytes; of one beyond K, of the block that it would read. */
  public long bytes(int task) {
    return bytes[task < bytes.length ? task : task % bytes.length];
  }

  /** Input of all tasks, bytes. */
  public long totalBytes() {
    return total;
  }

  /** What the code takes for a byte on a machine that is not slow, seconds. */
  public double secondsPerByte() {
    return secondsPerByte;
  }

  /**
   * The rack of a task, or of a block, as {@link #racks} has it; empty where the trace does not.
   */
  public OptionalInt rack(int task) {
    return racks == null ? OptionalInt.empty() : OptionalInt.of(racks[task % racks.length]);
  }

  /**
   * The racks that the tasks ran in, or whose data they read, by task, where the trace tells; not
   * to be changed.
   */
  public Optional<int[]> racks() {
    return Optional.ofNullable(racks);
  }
}
