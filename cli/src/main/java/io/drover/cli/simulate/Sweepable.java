// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.core.config.ClusterSettings;
import io.drover.core.config.JobSettings;
import io.drover.core.config.Setting;
import io.drover.simulator.engine.SimulationSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings that can be swept, and what they are called: by the papers' sign where they have
 * one, else by the key without {@code mapreduce.drover} or {@code yarn.drover}.
 */
final class Sweepable {
  private static final Map<String, String> SIGNS =
      Map.of(
          JobSettings.RESTART_DELTA.key(), "delta",
          JobSettings.RESTART_RHO.key(), "rho",
          JobSettings.RESTART_MAX_RESTARTS.key(), "gamma",
          JobSettings.CLONE_EPS.key(), "eps",
          JobSettings.CLONE_SINGLE_TASK_EPS.key(), "single-task-eps",
          JobSettings.CLONE_OUTLIER_PROBABILITY.key(), "p",
          ClusterSettings.MAX_UTILISATION.key(), "tau",
          ClusterSettings.UPSTREAM_RATIO.key(), "M/K",
          SimulationSettings.REPORT_INTERVAL.key(), "report-period");

  private Sweepable() {}

  /** Those that have a range: the values of a mode are for who asks for it by its key. */
  static List<Setting<?>> all() {
    return SimulationSettings.ofSchemes().stream().filter(s -> s.range().isPresent()).toList();
  }

  /** Their names. */
  static List<String> names() {
    return all().stream().map(Sweepable::name).toList();
  }

  /** What a setting is called. */
  static String name(Setting<?> setting) {
    String key = setting.key();
    for (String prefix : List.of(JobSettings.PREFIX, ClusterSettings.PREFIX)) {
      key = key.startsWith(prefix) ? key.substring(prefix.length()) : key;
    }
    return SIGNS.getOrDefault(setting.key(), key);
  }

  /** The one of a name or a key. */
  static Optional<Setting<?>> of(String typed) {
    return SimulationSettings.ofSchemes().stream()
        .filter(setting -> typed.equals(setting.key()) || typed.equals(name(setting)))
        .findFirst();
  }
}
