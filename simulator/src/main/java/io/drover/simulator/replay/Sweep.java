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
 * @param options all that the runs have in common
 * @param scheme that is swept
 * @param swept the settings and their values
 */
public record Sweep(SimulationOptions options, String scheme, List<Swept> swept) {
  /** Copies the list. */
  public Sweep {
    swept = List.copyOf(swept);
  }

  /** The runs of all values. */
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
   * @throws TraceException if a file is not what it should be
   */
  public Result run(StepProgress progress, LongSupplier nanos) throws TraceException {
    return new Result(this, replays().run(progress, nanos));
  }

  private Variant asShipped() {
    return new Variant(scheme, Map.of(), "as shipped");
  }

  /** The run of one value of a setting. */
  public Variant variant(Swept setting, String value) {
    return setting.isDefault(value)
        ? asShipped()
        : new Variant(scheme, Map.of(setting.key(), value), setting.name() + " = " + value);
  }

  /** What the runs have shown. */
  public record Result(Sweep sweep, ReplayResult replays) {
    /** A figure over the repeats; empty where it is not known. */
    public Optional<Spread> spread(Swept setting, String value, Figure figure) {
      return replays.spread(sweep.variant(setting, value), figure);
    }

    /** By how much a figure is greater than with the default; empty where it is not known. */
    public Optional<Spread> gain(Swept setting, String value, Figure figure) {
      return replays.gain(sweep.variant(setting, value), sweep.asShipped(), figure);
    }
  }
}
