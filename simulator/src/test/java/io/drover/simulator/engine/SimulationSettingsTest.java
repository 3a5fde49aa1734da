// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drover.core.config.BadSettingException;
import io.drover.simulator.SampleWorkloads;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Overheads;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulationSettingsTest {
  private static final String INTERVAL = "mapreduce.task.progress-report.interval";

  private static SimulationSettings with(String millis) throws BadSettingException {
    return SimulationSettings.read(1, Map.of(INTERVAL, millis)).with(Overheads.NONE);
  }

  /** Records how often the tasks of the only phase report. */
  private static final class Listener implements Scheme {
    private double period;

    @Override
    public String name() {
      return "listener";
    }

    @Override
    public double firstScan(PhaseRun phase) {
      period = phase.period();
      return Double.POSITIVE_INFINITY;
    }

    @Override
    public double scan(PhaseRun phase, Actions actions) {
      throw new IllegalStateException("was not asked for");
    }
  }

  private static double period(long seconds, SimulationSettings settings) {
    Listener listener = new Listener();
    SampleWorkloads.run(
        SampleWorkloads.workload(List.of(SampleWorkloads.maps("a", 0, seconds, seconds))),
        ClusterShape.of(2, 1, 1),
        SampleWorkloads.EVEN,
        listener,
        settings);
    return listener.period;
  }

  @ParameterizedTest
  @CsvSource({
    // life, longest period, period
    "5, 10000, 1",
    "40, 10000, 4",
    "40, 3000, 3",
    "500, 10000, 10",
    "500, 2500, 2.5",
    "500, 60000, 50",
  })
  void tasksReportTenTimesInTheirLifeAndAtLeastAsOftenAsIsSet(
      long life, String millis, double expected) throws BadSettingException {
    assertThat(period(life, with(millis))).isEqualTo(expected);
  }

  @Test
  void tenSecondsIsTheLongestPeriodWhereNothingIsSaid() {
    assertThat(period(500, SampleWorkloads.settings())).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource({"999", "600001", "10s", "x"})
  void aPeriodOutOfRangeIsRefusedWithKeyValueAndRange(String millis) {
    assertThatExceptionOfType(BadSettingException.class)
        .isThrownBy(() -> with(millis))
        .withMessageStartingWith(
            INTERVAL + " is '" + millis + "'; allowed: 1000 to 600000 (default 10000)");
  }

  @Test
  void anEventIsCountedOnceItIsPlanned() {
    Simulation simulation =
        new Simulation(
            SampleWorkloads.workload(List.of(SampleWorkloads.maps("a", 0, 10, 10))),
            ClusterShape.of(2, 1, 1),
            SampleWorkloads.EVEN,
            new Listener(),
            SampleWorkloads.settings(),
            ended -> {});
    assertThat(simulation.events()).isZero();
    simulation.run();
    assertThat(simulation.events()).isGreaterThanOrEqualTo(3); // the job and the ends of its tasks
  }
}
