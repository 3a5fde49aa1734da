// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.JobSettings;
import io.drover.core.config.SampleSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.util.MRJobConfUtil;

/** Reads Drover's settings from a Hadoop configuration. */
public final class HadoopSettings {
  private HadoopSettings() {}

  /**
   * Reads and checks the settings of a job from its configuration.
   *
   * @throws BadSettingException naming the first key that is unknown or whose value is not allowed
   */
  public static JobSettings read(Configuration conf) throws BadSettingException {
    long interval = MRJobConfUtil.getTaskProgressReportInterval(conf);
    return JobSettings.read(keys(conf), conf::get, Duration.ofMillis(interval));
  }

  /**
   * Reads the settings of a job, with the defaults in the place of values that are not allowed.
   *
   * @throws BadSettingException if values that are allowed contradict each other
   */
  public static JobSettings readGood(Configuration conf) throws BadSettingException {
    Set<String> bad = complaints(conf).keySet();
    long interval = MRJobConfUtil.getTaskProgressReportInterval(conf);
    return JobSettings.read(
        List.of(), key -> bad.contains(key) ? null : conf.get(key), Duration.ofMillis(interval));
  }

  /**
   * Returns all that is wrong with the settings of a job, and not only the first, by key. Values
   * that contradict each other are no part of it.
   */
  public static SortedMap<String, String> complaints(Configuration conf) {
    return JobSettings.complaints(keys(conf), conf::get);
  }

  /**
   * Reads and checks a job's request for a sample from its configuration.
   *
   * @throws BadSettingException naming the first key that is unknown or whose value is not allowed
   */
  public static SampleSettings readSample(Configuration conf) throws BadSettingException {
    return SampleSettings.read(keys(conf), conf::get);
  }

  private static List<String> keys(Configuration conf) {
    List<String> keys = new ArrayList<>();
    for (Map.Entry<String, String> entry : conf) {
      keys.add(entry.getKey());
    }
    return keys;
  }
}
