// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import java.util.Map;
import java.util.Set;

/**
 * Says which fields of events are read. A history is mostly counters, of which few are of use, so
 * everything else is passed over without being kept.
 */
final class EventFields {
  /** The counters of attempts that are kept. */
  private static final Set<String> ATTEMPT_COUNTERS =
      Set.of(
          Counter.HDFS_BYTES_READ,
          Counter.FILE_BYTES_READ,
          Counter.INPUT_BYTES_READ,
          Counter.MAP_INPUT_RECORDS,
          Counter.REDUCE_INPUT_RECORDS,
          Counter.REDUCE_SHUFFLE_BYTES,
          Counter.CPU_MILLISECONDS,
          Counter.GC_TIME_MILLIS,
          Counter.MAP_OUTPUT_BYTES);

  /** Names of counters, without the package of their group. */
  static final class Counter {
    static final String HDFS_BYTES_READ = "FileSystemCounter/HDFS_BYTES_READ";
    static final String FILE_BYTES_READ = "FileSystemCounter/FILE_BYTES_READ";
    static final String INPUT_BYTES_READ = "FileInputFormatCounter/BYTES_READ";
    static final String MAP_INPUT_RECORDS = "TaskCounter/MAP_INPUT_RECORDS";
    static final String REDUCE_INPUT_RECORDS = "TaskCounter/REDUCE_INPUT_RECORDS";
    static final String REDUCE_SHUFFLE_BYTES = "TaskCounter/REDUCE_SHUFFLE_BYTES";
    static final String CPU_MILLISECONDS = "TaskCounter/CPU_MILLISECONDS";
    static final String GC_TIME_MILLIS = "TaskCounter/GC_TIME_MILLIS";
    static final String MAP_OUTPUT_BYTES = "TaskCounter/MAP_OUTPUT_BYTES";

    private Counter() {}
  }

  private static final Set<String> SCALARS =
      Set.of(
          "jobid",
          "jobName",
          "userName",
          "submitTime",
          "launchTime",
          "jobQueueName",
          "priority",
          "totalMaps",
          "totalReduces",
          "uberized",
          "finishTime",
          "jobStatus",
          "diagnostics",
          "applicationAttemptId",
          "startTime",
          "nodeManagerHost",
          "taskid",
          "taskType",
          "splitLocations",
          "successfulAttemptId",
          "attemptId",
          "trackerName",
          "containerId",
          "locality",
          "hostname",
          "rackname",
          "shuffleFinishTime",
          "sortFinishTime",
          "status",
          "taskStatus",
          "error",
          "clockSplits",
          "cpuUsages");

  private EventFields() {}

  /** Returns whether a field with a text, a number or a list of numbers is kept. */
  static boolean isKept(String field) {
    return SCALARS.contains(field);
  }

  /** Returns whether a field holds counters of which some are kept. */
  static boolean hasCounters(String field) {
    return field.equals("counters") || field.equals("totalCounters");
  }

  /**
   * Keeps a counter if it is of use: all those of the job's totals, by {@code group/name}, and few
   * of an attempt's, by their {@linkplain #shortName short names}.
   */
  static void keep(String field, String counter, long count, Map<String, Long> kept) {
    String name = field.equals("totalCounters") ? counter : shortName(counter);
    if (field.equals("totalCounters") || ATTEMPT_COUNTERS.contains(name)) {
      kept.put(name, count);
    }
  }

  /**
   * Returns the name of a counter without its group's package. Groups of Hadoop are named by their
   * class, whose package has changed over the years: {@code
   * org.apache.hadoop.mapreduce.TaskCounter/GC_TIME_MILLIS} is {@code TaskCounter/GC_TIME_MILLIS}.
   */
  private static String shortName(String counter) {
    int slash = counter.indexOf('/');
    int dot = counter.lastIndexOf('.', slash < 0 ? counter.length() : slash);
    String name = counter.startsWith("org.apache.hadoop.") ? counter.substring(dot + 1) : counter;
    return name.startsWith("FileSystemCounters/")
        ? "FileSystemCounter" + name.substring(name.indexOf('/'))
        : name;
  }
}
