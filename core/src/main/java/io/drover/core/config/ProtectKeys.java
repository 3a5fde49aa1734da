// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import io.drover.core.protect.ProtectSettings;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Declares the settings of the protection of map outputs. */
public final class ProtectKeys {
  /** Whether the protection of outputs is off, observed or on. */
  public static final Setting<Mode> MODE =
      Setting.mode(
          JobSettings.PREFIX + "protect.mode",
          Mode.ON,
          "Whether Drover's AppMaster makes map outputs again that reduces cannot read or are about"
              + " to miss, replicates those that would take long to make again (Mantri section 5.3), and takes no"
              + " containers on nodes that do not answer. off: as in stock Hadoop, reduces complain for minutes first; observe: so"
              + " they do, and the log says what Drover would have done.");

  /** For how long a node must have been silent. */
  public static final Setting<Duration> SILENT_AFTER =
      Setting.duration(
          JobSettings.PREFIX + "protect.silent-after",
          "6s",
          Duration.ofSeconds(1),
          Duration.ofMinutes(10),
          "For how long a node must have failed to answer the AppMaster before the map outputs there"
              + " count as out of reach, and launches there as lost. If NodeManagers are often"
              + " restarted while jobs run, set it to more than a restart takes.");

  /** How many bytes may be replicated. */
  public static final Setting<Double> REPLICATED_SHARE =
      Setting.number(
          JobSettings.PREFIX + "protect.replicated-share",
          0.1,
          0,
          0.1,
          "How many bytes of map outputs a job may replicate on other nodes for each byte that its"
              + " tasks have read and written (Mantri section 5.3). 0: no replicas.");

  /** How fast replicas are made. */
  public static final Setting<Integer> REPLICA_RATE =
      Setting.integer(
          JobSettings.PREFIX + "protect.replica-mb-per-second",
          20,
          1,
          10_000,
          "How many megabytes a container that makes replicas reads in a second at most. A job has at"
              + " most two of them in a rack, and 20 in all.");

  static final List<Setting<?>> ALL = List.of(MODE, SILENT_AFTER, REPLICATED_SHARE, REPLICA_RATE);

  private static final double MEGABYTE = 1e6;

  private ProtectKeys() {}

  static ProtectSettings read(UnaryOperator<String> conf) throws BadSettingException {
    ProtectSettings byDefault = ProtectSettings.DEFAULT;
    return byDefault
        .silentAfter(SILENT_AFTER.read(conf))
        .shares(REPLICATED_SHARE.read(conf), byDefault.extraTimeShare())
        .replicaBytesPerSecond(REPLICA_RATE.read(conf) * MEGABYTE);
  }
}
