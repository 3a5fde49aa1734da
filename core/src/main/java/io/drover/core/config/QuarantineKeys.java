// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import io.drover.core.machine.QuarantineSettings;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** The administrator's settings of the quarantine of machines. */
public final class QuarantineKeys {
  private static final String PREFIX = "yarn.drover.quarantine.";

  /** Whether machines are quarantined. */
  public static final Setting<Mode> MODE =
      Setting.mode(
          PREFIX + "mode",
          Mode.OBSERVE,
          "Whether Drover's scheduler quarantines machines on which most attempts are outliers (this"
              + " needs the machine statistics). observe: the page and the log say which machines"
              + " would be; on: they get no new containers. In both, bin/drover quarantine add"
              + " quarantines a machine.");

  /** The smallest p_m of a machine that is quarantined. */
  static final Setting<Double> OUTLIER_PROBABILITY =
      Setting.number(
          PREFIX + "outlier-probability",
          0.4,
          0.1,
          0.5,
          "A machine is quarantined if an attempt there is an outlier with at least this probability,"
              + " and with at least four times the cluster's. At 0.4, its slots yield 43 % of what"
              + " they would without outliers.");

  /** How long a machine must be bad. */
  static final Setting<Duration> AFTER =
      Setting.duration(
          PREFIX + "after",
          "10m",
          Duration.ofSeconds(1),
          Duration.ofDays(1),
          "How long a machine must be that bad, with new outliers at the end of this time, before it"
              + " is quarantined.");

  /** How long the first quarantine lasts. */
  static final Setting<Duration> TIME =
      Setting.duration(
          PREFIX + "time",
          "30m",
          Duration.ofSeconds(1),
          Duration.ofDays(1),
          "How long the first quarantine of a machine lasts. Each further one lasts twice as long as"
              + " the one before, up to quarantine.longest-time.");

  /** How long a quarantine lasts at most. */
  static final Setting<Duration> LONGEST =
      Setting.duration(
          PREFIX + "longest-time",
          "8h",
          Duration.ofSeconds(1),
          Duration.ofDays(7),
          "How long a quarantine lasts at most, if that is not less than quarantine.time. A machine that needed none for this long after its"
              + " last one starts again with quarantine.time.");

  /** The largest share of the machines that is quarantined. */
  static final Setting<Double> SHARE =
      Setting.number(
          PREFIX + "max-share",
          0.02,
          0.001,
          0.25,
          "The largest share of the machines of the cluster, and of each partition, that is"
              + " quarantined because of the statistics; one machine in any case.");

  /** The number of machines below which none is quarantined. */
  static final Setting<Integer> LEAST_MACHINES =
      Setting.integer(
          PREFIX + "least-machines",
          10,
          2,
          1_000_000,
          "No machine is quarantined because of the statistics if the cluster, or the machine's"
              + " partition, has fewer machines than this.");

  /** All settings, in the order of the documentation. */
  static final List<Setting<?>> ALL =
      List.of(MODE, OUTLIER_PROBABILITY, AFTER, TIME, LONGEST, SHARE, LEAST_MACHINES);

  private QuarantineKeys() {}

  /** Reads and checks the settings, all but the mode. */
  static QuarantineSettings read(UnaryOperator<String> conf) throws BadSettingException {
    Duration time = TIME.read(conf);
    Duration longest = LONGEST.read(conf);
    return new QuarantineSettings(
        OUTLIER_PROBABILITY.read(conf),
        AFTER.read(conf),
        time,
        longest.compareTo(time) < 0 ? time : longest,
        SHARE.read(conf),
        LEAST_MACHINES.read(conf));
  }
}
