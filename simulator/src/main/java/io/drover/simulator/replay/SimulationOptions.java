// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.replay;

import io.drover.core.config.BadSettingException;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.workload.Sampling;
import io.drover.simulator.world.LossSettings;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * What is to be simulated.
 *
 * @param workload the jobs
 * @param slowness how slow attempts are
 * @param losses what is lost beside
 * @param machines of the cluster; empty for as many as suit the workload
 * @param slots of a machine
 * @param racks of the cluster; empty for as many as suit its machines
 * @param seed of the first repeat
 * @param hours of a SWIM trace, from its start
 * @param jobs of a synthetic workload
 * @param inputs where the blocks of maps lie; empty if maps read at the same pace anywhere
 * @param sampling which jobs need any K of N blocks; empty if none do
 * @param settings of Drover that were typed
 * @param repeat how often, each time with the next seed
 */
public record SimulationOptions(
    SourceChoice workload,
    SourceChoice slowness,
    LossSettings losses,
    OptionalInt machines,
    int slots,
    OptionalInt racks,
    long seed,
    int hours,
    int jobs,
    Optional<InputChoice> inputs,
    Optional<Sampling> sampling,
    Map<String, String> settings,
    int repeat) {

  /** Copies the settings. */
  public SimulationOptions {
    settings = new TreeMap<>(settings);
  }

  /**
   * The settings for a seed, and others in addition.
   *
   * @throws IllegalStateException if what was typed had not been checked
   */
  SimulationSettings settings(long of, Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(settings);
    all.putAll(more);
    try {
      SimulationSettings read = SimulationSettings.read(of, all);
      return inputs.map(option -> read.with(option.inputs())).orElse(read);
    } catch (BadSettingException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }
}
