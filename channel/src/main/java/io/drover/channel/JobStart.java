// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.core.restart.SlowTasks;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * A description of the job that an AppMaster runs. {@code partitions} and {@code clones} are
 * reserved: they are sent and checked, and no scheduler reads them yet.
 *
 * @param maps the number of map tasks, 0 to {@value #MAX_TASKS}
 * @param reduces the number of reduce tasks, 0 to {@value #MAX_TASKS}
 * @param inputs the sizes of the maps' inputs; empty if they are not known
 * @param partitions the sizes of the reduces' inputs; empty until they are known
 * @param clones whether the job clones its tasks when it is given room
 * @param program identifies the job's program, the same for all its jobs; empty if it is not known
 * @param singleAttempts whether its tasks have shown that they cannot bear two attempts
 * @param mapRequest what a map asks for; empty if it is not known
 * @param reduceRequest what a reduce asks for; empty if it is not known
 * @param slowTasks what became of its slow tasks so far
 */
public record JobStart(
    int maps,
    int reduces,
    Optional<SizeSummary> inputs,
    Optional<SizeSummary> partitions,
    boolean clones,
    Optional<String> program,
    boolean singleAttempts,
    Optional<TaskRequest> mapRequest,
    Optional<TaskRequest> reduceRequest,
    SlowTasks slowTasks) {
  /** The maximum number of tasks of a kind. */
  public static final int MAX_TASKS = 10_000_000;

  /** Checks the ranges. */
  public JobStart {
    Validation.within("maps", maps, 0, MAX_TASKS);
    Validation.within("reduces", reduces, 0, MAX_TASKS);
    Objects.requireNonNull(inputs);
    Objects.requireNonNull(partitions);
    program.ifPresent(name -> Validation.text("program", name));
    Objects.requireNonNull(mapRequest);
    Objects.requireNonNull(reduceRequest);
    Validation.within("slowTasks", slowTasks.all(), 0, MAX_TASKS);
  }

  /** Creates the description of a job that has had no slow tasks. */
  public JobStart(
      int maps,
      int reduces,
      Optional<SizeSummary> inputs,
      Optional<SizeSummary> partitions,
      boolean clones,
      Optional<String> program,
      boolean singleAttempts,
      Optional<TaskRequest> mapRequest,
      Optional<TaskRequest> reduceRequest) {
    this(
        maps,
        reduces,
        inputs,
        partitions,
        clones,
        program,
        singleAttempts,
        mapRequest,
        reduceRequest,
        SlowTasks.NONE);
  }

  /** Creates the description of a job whose program is not known. */
  public JobStart(
      int maps,
      int reduces,
      Optional<SizeSummary> inputs,
      Optional<SizeSummary> partitions,
      boolean clones) {
    this(
        maps,
        reduces,
        inputs,
        partitions,
        clones,
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty());
  }

  /** Returns the same description with the sizes of the reduces' inputs. */
  public JobStart withPartitions(SizeSummary sizes) {
    return with(Optional.of(sizes), singleAttempts, slowTasks);
  }

  /** Returns the same description of a job whose tasks cannot bear two attempts. */
  public JobStart ofSingleAttempts() {
    return with(partitions, true, slowTasks);
  }

  /** Returns the same description with what became of the job's slow tasks. */
  public JobStart withSlowTasks(SlowTasks seen) {
    return with(partitions, singleAttempts, seen);
  }

  private JobStart with(Optional<SizeSummary> sizes, boolean single, SlowTasks seen) {
    return new JobStart(
        maps, reduces, inputs, sizes, clones, program, single, mapRequest, reduceRequest, seen);
  }

  /**
   * What a task asks for.
   *
   * @param megabytes memory, 0 to {@value #MOST}
   * @param vcores processors, 0 to {@value #MOST}
   */
  public record TaskRequest(long megabytes, int vcores) {
    /** The most that a task may ask for. */
    public static final int MOST = 100_000_000;

    /** Checks the ranges. */
    public TaskRequest {
      Validation.within("megabytes", megabytes, 0, MOST);
      Validation.within("vcores", vcores, 0, MOST);
    }
  }

  /**
   * Summarizes the sizes of a phase's inputs, in bytes.
   *
   * @param total the sum over all tasks, at least the largest
   * @param smallest the smallest input of a task, at least 0
   * @param median the median input of a task (the upper one of two), at least the smallest
   * @param largest the largest input of a task, at least the median
   */
  public record SizeSummary(long total, long smallest, long median, long largest) {
    /** Checks the order. */
    public SizeSummary {
      Validation.within("smallest", smallest, 0, Long.MAX_VALUE);
      Validation.within("median", median, smallest, Long.MAX_VALUE);
      Validation.within("largest", largest, median, Long.MAX_VALUE);
      Validation.within("total", total, largest, Long.MAX_VALUE);
    }

    /**
     * Summarizes sizes.
     *
     * @param sizes the sizes in bytes, in any order. If there are none, the summary is all zeros.
     * @throws IllegalArgumentException if a size is negative
     */
    public static SizeSummary of(long... sizes) {
      if (sizes.length == 0) {
        return new SizeSummary(0, 0, 0, 0);
      }
      long[] sorted = sizes.clone();
      Arrays.sort(sorted);
      long total = 0;
      for (long size : sorted) {
        long sum = total + size;
        total = sum < total && size > 0 ? Long.MAX_VALUE : sum; // absurd sizes may overflow
      }
      return new SizeSummary(
          total, sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
    }
  }
}
