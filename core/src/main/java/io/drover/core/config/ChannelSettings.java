// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The administrator's settings of the channel between AppMasters and the ResourceManager.
 *
 * @param period how often an AppMaster reports
 * @param handlers the number of threads in the ResourceManager that receive reports
 * @param maxConnections the maximum number of open connections
 */
public record ChannelSettings(Duration period, int handlers, int maxConnections) {
  /** The prefix of these settings' keys. */
  public static final String PREFIX = "yarn.drover.channel.";

  /** The address of the channel. Without it there is no channel. */
  public static final Setting<String> ADDRESS =
      Setting.address(
          PREFIX + "address",
          "The address at which the ResourceManager receives the reports of AppMasters,"
              + " such as ${yarn.resourcemanager.hostname}:8036. Without it there is no channel."
              + " The ResourceManager listens on yarn.resourcemanager.bind-host if that is set."
              + " Each of several ResourceManagers has its own address, with its id after the"
              + " key, or uses this port at its yarn.resourcemanager.hostname. A job that sets"
              + " this key to a blank neither reports nor receives anything.");

  /** How often AppMasters report. */
  public static final Setting<Duration> PERIOD =
      Setting.duration(
          PREFIX + "period",
          "3s",
          Duration.ofMillis(100),
          Duration.ofMinutes(5),
          "How often an AppMaster reports, and how old its knowledge of the cluster may"
              + " be. An AppMaster that reports more than three times as often is told to wait.");

  /** The number of threads that receive reports. */
  public static final Setting<Integer> HANDLERS =
      Setting.integer(
          PREFIX + "handlers",
          4,
          1,
          100,
          "Threads of the ResourceManager that receive the reports of AppMasters.");

  /** The maximum number of open connections. */
  public static final Setting<Integer> MAX_CONNECTIONS =
      Setting.integer(
          PREFIX + "max-connections",
          10_000,
          1,
          1_000_000,
          "The most connections to the channel at once; each running job has one.");

  /** All settings of the channel. */
  public static final List<Setting<?>> ALL = List.of(ADDRESS, PERIOD, HANDLERS, MAX_CONNECTIONS);

  /**
   * Reads and checks the settings, except {@link #ADDRESS}. The channel reads and checks the
   * address, because it depends on the ResourceManager.
   *
   * @param conf returns the text of a key, or null if it is not set
   * @throws BadSettingException if a value is not allowed; names the first such key
   */
  public static ChannelSettings read(UnaryOperator<String> conf) throws BadSettingException {
    return new ChannelSettings(
        PERIOD.parse(conf.apply(PERIOD.key())),
        HANDLERS.parse(conf.apply(HANDLERS.key())),
        MAX_CONNECTIONS.parse(conf.apply(MAX_CONNECTIONS.key())));
  }
}
