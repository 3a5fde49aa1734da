// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.CloneKeys;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.JobSettings;
import io.drover.core.config.PlacementSettings;
import io.drover.core.config.ProtectKeys;
import io.drover.core.config.RestartKeys;
import io.drover.core.config.Setting;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.sampling.SamplingSettings;
import io.drover.simulator.world.Inputs;
import io.drover.simulator.world.Overheads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The settings that all schemes of a comparison share: the seed, and the settings of Drover as an
 * operator would write them.
 *
 * @param seed of all random choices
 * @param job the settings of each job, {@code mapreduce.drover.*}
 * @param cluster the administrator's settings, {@code yarn.drover.*}
 * @param overheads time that tasks need in addition to the work on their bytes
 * @param slowStart share of a phase's tasks that must be done before the next phase may begin, in
 *     [0,1]; 1 is a barrier, as in Mantri's phases
 * @param longestPeriod upper limit of Delta, seconds, at least 1; 10 in Mantri section 5
 * @param inputs where the blocks of maps are; empty if maps read equally fast anywhere
 */
public record SimulationSettings(
    long seed,
    JobSettings job,
    ClusterSettings cluster,
    Overheads overheads,
    double slowStart,
    double longestPeriod,
    Optional<Inputs> inputs) {

  /** Hadoop's key for slow start. Hadoop's default is 0.05; here it is 1. */
  public static final String SLOW_START = "mapreduce.job.reduce.slowstart.completedmaps";

  /** Hadoop's key for the report period: the first part of Delta = min(10 s, lifetime/10). */
  public static final Setting<Integer> REPORT_INTERVAL =
      Setting.integer(
          "mapreduce.task.progress-report.interval",
          10_000,
          1000,
          600_000,
          "The longest time between two progress reports of a task, in milliseconds. Tasks that"
              + " last less than ten times as long report ten times in their life, but at most once"
              + " a second (Mantri section 5).");

  /** The settings that schemes use. All others but slow start have no effect on a simulation. */
  private static final List<Setting<?>> EFFECTIVE =
      List.of(
          RestartKeys.MODE,
          RestartKeys.DELTA,
          RestartKeys.RHO,
          RestartKeys.MAX_RESTARTS,
          RestartKeys.MAX_COPIES,
          RestartKeys.SLOWER_ATTEMPT_FACTOR,
          RestartKeys.WINDOW_REPORTS,
          RestartKeys.MIN_REPORTS,
          RestartKeys.MIN_OBSERVATIONS,
          JobSettings.ORDER_MODE,
          JobSettings.ANTI_AFFINITY_MODE,
          CloneKeys.MODE,
          CloneKeys.MAX_TASKS,
          CloneKeys.MAX_COPIES,
          CloneKeys.EPS,
          CloneKeys.SINGLE_TASK_EPS,
          CloneKeys.OUTLIER_PROBABILITY,
          PlacementSettings.MODE,
          PlacementSettings.SHORT_SHUFFLE,
          ProtectKeys.MODE,
          ProtectKeys.REPLICATED_SHARE,
          ClusterSettings.MAX_UTILISATION,
          ClusterSettings.HYSTERESIS,
          REPORT_INTERVAL,
          ClusterSettings.UPSTREAM_RATIO);

  /** Returns the default settings. */
  public static SimulationSettings defaults(long seed) {
    try {
      return read(seed, Map.of());
    } catch (BadSettingException e) {
      throw new IllegalStateException("a default is out of range", e);
    }
  }

  /**
   * Reads settings as they are written in mapred-site.xml and yarn-site.xml.
   *
   * @throws BadSettingException naming the first key that is unknown, has no allowed value, or has
   *     no effect on a simulation
   */
  public static SimulationSettings read(long seed, Map<String, String> settings)
      throws BadSettingException {
    JobSettings job = JobSettings.read(settings.keySet(), settings::get, Duration.ofSeconds(1));
    ClusterSettings cluster = ClusterSettings.read(settings.keySet(), settings::get);
    refuseWithoutEffect(settings.keySet());
    double slowStart = share(SLOW_START, settings.getOrDefault(SLOW_START, "1"));
    double longestPeriod = REPORT_INTERVAL.parse(settings.get(REPORT_INTERVAL.key())) / 1e3;
    return new SimulationSettings(
        seed, job, cluster, Overheads.USUAL, slowStart, longestPeriod, Optional.empty());
  }

  /** Returns the settings that schemes use and the baseline ignores. */
  public static List<Setting<?>> ofSchemes() {
    return EFFECTIVE;
  }

  private static void refuseWithoutEffect(Set<String> keys) throws BadSettingException {
    List<String> effective =
        Stream.concat(EFFECTIVE.stream().map(Setting::key), Stream.of(SLOW_START)).toList();
    for (String key : keys) {
      if (!effective.contains(key)) {
        throw new BadSettingException(
            key
                + " has no effect on a simulation; settings that have one: "
                + String.join(", ", effective));
      }
    }
  }

  private static double share(String key, String text) throws BadSettingException {
    BadSettingException bad =
        new BadSettingException(key + " is '" + text + "'; allowed: 0.0 to 1.0");
    try {
      double share = Double.parseDouble(text);
      if (!(share >= 0 && share <= 1)) {
        throw bad;
      }
      return share;
    } catch (NumberFormatException e) {
      bad.initCause(e);
      throw bad;
    }
  }

  /** Returns a copy with other overheads. */
  public SimulationSettings with(Overheads other) {
    return new SimulationSettings(seed, job, cluster, other, slowStart, longestPeriod, inputs);
  }

  /** Returns a copy with these inputs. */
  public SimulationSettings with(Inputs places) {
    return new SimulationSettings(
        seed, job, cluster, overheads, slowStart, longestPeriod, Optional.of(places));
  }

  /**
   * Returns the settings for jobs that need any K of their blocks: the administrator's M/K, the
   * locality wait of the inputs, and KMN's other values.
   */
  public SamplingSettings sampling() {
    SamplingSettings usual = SamplingSettings.KMN;
    return new SamplingSettings(
        cluster.upstreamRatio(),
        inputs.map(Inputs::localitySeconds).orElse(0.0),
        usual.sampleSeconds(),
        usual.coalesce(),
        usual.leastFinished(),
        usual.replaceFailed());
  }

  /** Returns the estimator settings for a phase whose tasks report every {@code period}. */
  EstimatorSettings estimator(Duration period) {
    EstimatorSettings of = job.estimator();
    return new EstimatorSettings(period, of.windowReports(), of.minReports(), of.minObservations());
  }
}
