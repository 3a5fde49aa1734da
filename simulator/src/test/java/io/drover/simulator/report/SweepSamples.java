// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.Setting;
import io.drover.simulator.replay.ReplayResult;
import io.drover.simulator.replay.Sweep;
import io.drover.simulator.replay.Swept;
import io.drover.simulator.replay.Variant;
import io.drover.simulator.result.Comparison.Figure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Creates sweeps with given figures. */
final class SweepSamples {
  private SweepSamples() {}

  /**
   * A value and its figures.
   *
   * @param value the value of the setting
   * @param phases reduction of the median phase in each repetition
   * @param small reduction of small jobs in each repetition
   * @param slots reduction of slot time in each repetition
   */
  record Made(String value, double[] phases, double[] small, double[] slots) {
    /** Creates a value with the given reductions of phases. All other reductions are 0. */
    static Made of(String value, double... phases) {
      double[] nothing = new double[phases.length];
      return new Made(value, phases, nothing, nothing);
    }

    Made withSlots(double... other) {
      return new Made(value, phases, small, other);
    }

    private Map<Figure, Double> figures(int repeat) {
      Map<Figure, Double> figures = new EnumMap<>(Figure.class);
      figures.put(Figure.PHASE_P50, phases[repeat]);
      figures.put(Figure.JOB_SMALL, small[repeat]);
      figures.put(Figure.RESOURCE_TOTAL, slots[repeat]);
      figures.put(Figure.UTILISATION, 0.25);
      return figures;
    }
  }

  /** The sweep of one setting. */
  record SweptSetting(Setting<?> setting, Made... made) {
    private Swept swept() {
      try {
        return Swept.of(setting, Arrays.stream(made).map(Made::value).toList());
      } catch (BadSettingException e) {
        throw new IllegalArgumentException(e);
      }
    }
  }

  /** Returns a sweep of several settings. The defaults have the figures of the first one. */
  static Sweep.Result result(SweptSetting... lines) {
    int repeat = lines[0].made[0].phases.length;
    List<Swept> swept = Arrays.stream(lines).map(SweptSetting::swept).toList();
    Sweep sweep = new Sweep(ReplaySamples.options(repeat), "drover", swept);
    List<ReplayResult.Run> runs = new ArrayList<>();
    for (int i = 0; i < repeat; i++) {
      Set<Variant> done = new HashSet<>();
      for (int line = 0; line < lines.length; line++) {
        for (Made made : lines[line].made) {
          Variant variant = sweep.variant(swept.get(line), made.value());
          if (done.add(variant)) {
            runs.add(new ReplayResult.Run(variant, 7 + i, 1, made.figures(i), Map.of()));
          }
        }
      }
    }
    return new Sweep.Result(
        sweep,
        new ReplayResult(
            sweep.options(), ReplaySamples.setup(), new ReplayResult.Size(2, 2, 1045), runs));
  }
}
