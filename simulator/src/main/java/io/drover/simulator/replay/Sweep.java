// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.replay;

import io.drover.simulator.engine.StepProgress;
import io.drover.simulator.result.Comparison.Figure;
import io.drover.simulator.result.Spread;
import io.drover.simulator.scheme.Schemes;
import io.drover.simulator.workload.TraceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Runs one scheme at each value of several settings. The baseline and the scheme with all defaults
 * run once with each seed.
 *
 * @param options the options that all runs share
 * @param scheme the scheme whose settings are swept
 * @param swept the settings and their values
 */
public record Sweep(SimulationOptions options, String scheme, List<Swept> swept) {
  /** Copies the list. */
  public Sweep {
    swept = List.copyOf(swept);
  }

  /** Returns the runs of all values. */
  public Replays replays() {
    List<Variant> variants = new ArrayList<>(List.of(Variant.of(Schemes.BASELINE), asShipped()));
    for (Swept setting : swept) {
      for (String value : setting.values()) {
        if (!setting.isDefault(value)) {
          variants.add(variant(setting, value));
        }
      }
    }
    return new Replays(options, variants);
  }

  /**
   * Runs everything.
   *
   * @throws TraceException if a file is malformed
   */
  public Result run(StepProgress progress, LongSupplier nanos) throws TraceException {
    return new Result(this, replays().run(progress, nanos));
  }

  private Variant asShipped() {
    return new Variant(scheme, Map.of(), "as shipped");
  }

  /** Returns the variant for one value of a setting. */
  public Variant variant(Swept setting, String value) {
    return setting.isDefault(value)
        ? asShipped()
        : new Variant(scheme, Map.of(setting.key(), value), setting.name() + " = " + value);
  }

  /** The results of the runs. */
  public record Result(Sweep sweep, ReplayResult replays) {
    /** Returns a figure over the repeats; empty if it is not known. */
    public Optional<Spread> spread(Swept setting, String value, Figure figure) {
      return replays.spread(sweep.variant(setting, value), figure);
    }

    /** Returns by how much a figure is greater than with the default; empty if it is not known. */
    public Optional<Spread> gain(Swept setting, String value, Figure figure) {
      return replays.gain(sweep.variant(setting, value), sweep.asShipped(), figure);
    }
  }
}
