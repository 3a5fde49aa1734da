// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.check.Compatibility;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import io.drover.speculator.HadoopSettings;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drover's settings of a job, and what they switch on. With a bad setting, everything is off. */
final class SwitchedFeatures {
  private static final Logger LOG = LoggerFactory.getLogger(SwitchedFeatures.class);

  private final Configuration conf;
  private final Optional<JobSettings> settings;
  private final Optional<String> objection;

  private SwitchedFeatures(
      Configuration conf, Optional<JobSettings> settings, Optional<String> objection) {
    this.conf = conf;
    this.settings = settings;
    this.objection = objection;
  }

  /** Reads a job's configuration, and writes to the log if a setting is bad. */
  static SwitchedFeatures of(Configuration conf) {
    try {
      return new SwitchedFeatures(conf, Optional.of(HadoopSettings.read(conf)), Optional.empty());
    } catch (BadSettingException e) {
      String objection = "Drover is off, and the job runs as in stock Hadoop: " + e.getMessage();
      LOG.error(objection);
      return new SwitchedFeatures(conf, Optional.empty(), Optional.of(objection));
    }
  }

  /** Returns the settings; empty if one is bad. */
  Optional<JobSettings> settings() {
    return settings;
  }

  /** Returns what to tell the user about a bad setting, if there is one. */
  Optional<String> objection() {
    return objection;
  }

  Mode mode(Function<JobSettings, Mode> feature) {
    return settings.map(feature).orElse(Mode.OFF);
  }

  /** Returns the mode of a feature that must know where the outputs of maps are. */
  Mode ofOutputs(Function<JobSettings, Mode> feature) {
    return Compatibility.areOutputsOnNodes(conf) ? mode(feature) : Mode.OFF;
  }
}
