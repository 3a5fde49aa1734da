// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.JobSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.util.MRJobConfUtil;

/** Drover's settings in a Hadoop configuration. */
public final class HadoopSettings {
  private HadoopSettings() {}

  /**
   * Reads and checks the settings of the job that a configuration is for.
   *
   * @throws BadSettingException naming the first key that is unknown or has no allowed value
   */
  public static JobSettings read(Configuration conf) throws BadSettingException {
    List<String> keys = new ArrayList<>();
    for (Map.Entry<String, String> entry : conf) {
      keys.add(entry.getKey());
    }
    long interval = MRJobConfUtil.getTaskProgressReportInterval(conf);
    return JobSettings.read(keys, conf::get, Duration.ofMillis(interval));
  }
}
