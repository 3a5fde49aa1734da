// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.JobSettings;
import io.drover.core.model.EstimatorSettings;
import io.drover.simulator.world.Overheads;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What is the same for all schemes of a comparison: the seed, and the settings of Drover as an
 * operator would write them.
 *
 * @param seed of all chance
 * @param job the settings of each job, {@code mapreduce.drover.*}
 * @param cluster the administrator's, {@code yarn.drover.*}
 * @param overheads what tasks take beside the work on their bytes
 */
public record SimulationSettings(
    long seed, JobSettings job, ClusterSettings cluster, Overheads overheads) {

  /** With the settings that hold where nobody says otherwise. */
  public static SimulationSettings defaults(long seed) {
    try {
      return read(seed, Map.of());
    } catch (BadSettingException e) {
      throw new IllegalStateException("a default is not allowed", e);
    }
  }

  /**
   * With settings as in mapred-site.xml and yarn-site.xml.
   *
   * @throws BadSettingException naming the first key that is unknown or has no allowed value
   */
  public static SimulationSettings read(long seed, Map<String, String> settings)
      throws BadSettingException {
    List<String> foreign =
        settings.keySet().stream()
            .filter(key -> !key.startsWith(JobSettings.PREFIX))
            .filter(key -> !key.startsWith(ClusterSettings.PREFIX))
            .toList();
    if (!foreign.isEmpty()) {
      throw new BadSettingException(
          foreign.get(0)
              + " is no setting of Drover: they begin with "
              + JobSettings.PREFIX
              + " or "
              + ClusterSettings.PREFIX);
    }
    return new SimulationSettings(
        seed,
        JobSettings.read(settings.keySet(), settings::get, Duration.ofSeconds(1)),
        ClusterSettings.read(settings.keySet(), settings::get),
        Overheads.USUAL);
  }

  /** The same with other overheads. */
  public SimulationSettings with(Overheads other) {
    return new SimulationSettings(seed, job, cluster, other);
  }

  /** How reports become estimates in a phase whose tasks report every {@code period}. */
  EstimatorSettings estimator(Duration period) {
    EstimatorSettings of = job.estimator();
    return new EstimatorSettings(
        period, of.windowReports(), of.minReports(), of.minProgress(), of.minObservations());
  }
}
