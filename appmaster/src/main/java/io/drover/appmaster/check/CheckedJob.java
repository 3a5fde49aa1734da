// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;

/**
 * A job's configuration under examination.
 *
 * @param conf Hadoop's and Drover's settings
 * @param settings Drover's settings in it
 * @param isDroversAppMaster whether the job runs in Drover's AppMaster; otherwise it has Drover's
 *     speculator only
 */
record CheckedJob(Configuration conf, JobSettings settings, boolean isDroversAppMaster) {
  /** Returns the mode of restarts and copies, which is all that the speculator alone can do. */
  Mode restarts() {
    return settings.restartMode();
  }

  /** Returns the mode of a feature that needs Drover's AppMaster. */
  Mode mode(Function<JobSettings, Mode> feature) {
    return isDroversAppMaster ? feature.apply(settings) : Mode.OFF;
  }

  /** Returns whether a feature that needs Drover's AppMaster is on or observes. */
  boolean has(Function<JobSettings, Mode> feature) {
    return mode(feature) != Mode.OFF;
  }

  /** Returns a key and its value, as the beginning of a sentence. */
  String is(String key) {
    return key + " is " + conf.get(key, "not set").trim();
  }
}
