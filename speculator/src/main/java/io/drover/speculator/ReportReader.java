// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.model.SubPhase;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;

/**
 * Turns Hadoop's status of an attempt into a report for the model.
 *
 * <p>Hadoop gives one progress number for the whole attempt. In a map of a job with reduces,
 * reading counts for {@value #MAP_SHARE} of it and sorting for the rest. In a reduce, copy, merge
 * and reduce count for a third each (MapTask and ReduceTask, {@code addPhase}).
 */
public final class ReportReader {
  static final double MAP_SHARE = 0.667f;

  private final boolean mapsSort;

  /**
   * Creates a reader for one job.
   *
   * @param mapsSort whether the job has reduces, so that its maps sort
   */
  ReportReader(boolean mapsSort) {
    this.mapsSort = mapsSort;
  }

  DecisionThreadEvent.Report read(TaskAttemptStatus status, long time) {
    boolean isMap = status.id.getTaskId().getTaskType() == TaskType.MAP;
    SubPhase subPhase = subPhase(isMap, status.phase);
    return new DecisionThreadEvent.Report(
        time,
        status.id,
        subPhase,
        status.progress,
        fraction(subPhase, status.progress),
        isMap ? counter(status.counters, FileInputFormatCounter.BYTES_READ) : 0,
        isMap ? 0 : counter(status.counters, TaskCounter.REDUCE_SHUFFLE_BYTES),
        status.mapFinishTime,
        status.shuffleFinishTime,
        status.sortFinishTime);
  }

  /**
   * Returns how much of its input a map of a job with reduces has read, in [0,1]; 1 if it sorts.
   *
   * @param status the status of an attempt of a map
   */
  public static double inputRead(TaskAttemptStatus status) {
    boolean reads = subPhase(true, status.phase) == SubPhase.MAP;
    return reads ? Math.min(1, status.progress / MAP_SHARE) : 1;
  }

  private static SubPhase subPhase(boolean isMap, Phase phase) {
    if (phase == Phase.CLEANUP) {
      return SubPhase.WRAP_UP;
    }
    if (isMap) {
      return phase == Phase.SORT ? SubPhase.WRAP_UP : SubPhase.MAP;
    }
    return switch (phase) {
      case REDUCE -> SubPhase.REDUCE;
      case SORT -> SubPhase.SORT;
      default -> SubPhase.SHUFFLE;
    };
  }

  private double fraction(SubPhase subPhase, float progress) {
    return switch (subPhase) {
      case MAP -> mapsSort ? progress / MAP_SHARE : progress;
      case SHUFFLE -> progress * 3;
      case SORT -> progress * 3 - 1;
      case REDUCE -> progress * 3 - 2;
      case WRAP_UP -> progress;
    };
  }

  private static long counter(Counters counters, Enum<?> name) {
    return counters == null ? 0 : counters.findCounter(name).getValue();
  }
}
