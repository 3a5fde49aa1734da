// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.Setting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Sweeps made by hand, whose figures are what a test says they are. */
final class SweepSamples {
  private SweepSamples() {}

  /**
   * A value and its figures.
   *
   * @param value of the setting
   * @param phases reduction of the median phase in each repeat
   * @param small reduction of small jobs in each repeat
   * @param slots reduction of slot time in each repeat
   */
  record Made(String value, double[] phases, double[] small, double[] slots) {
    /** The same in every repeat but for the phases. */
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
  record Line(Setting<?> setting, Made... made) {
    private Swept swept() {
      try {
        return Swept.of(setting, Arrays.stream(made).map(Made::value).toList());
      } catch (BadSettingException e) {
        throw new IllegalArgumentException(e);
      }
    }
  }

  /** A sweep of several settings. */
  static SweepResult result(Line... lines) {
    int repeat = lines[0].made[0].phases.length;
    List<SweepRun> runs = new ArrayList<>();
    List<Swept> swept = new ArrayList<>();
    for (Line line : lines) {
      swept.add(line.swept());
      for (int i = 0; i < repeat; i++) {
        for (Made made : line.made) {
          runs.add(new SweepRun(line.setting.key(), made.value(), 7 + i, made.figures(i)));
        }
      }
    }
    return new SweepResult(
        new SweepOptions(SimulateSamples.options(List.of("none", "drover"), repeat), swept),
        Instant.EPOCH,
        SimulateSamples.scene(),
        new SimulateResult.Size(2, 2, 1045),
        runs);
  }
}
