// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The administrator's settings under {@value #PREFIX}, but for those of the {@link ChannelSettings
 * channel}. No job can change one.
 *
 * @param cloneMode whether Drover's scheduler decides about clones
 * @param maxUtilisation tau, the utilisation under which clones live, in (0, 1]
 * @param hysteresis how far below tau utilisation must fall before clones are admitted again
 * @param round the time between two looks at what clones must give way to
 * @param patience how long demand that clones cannot serve keeps them out
 * @param cloneAcl who may clone, as Hadoop writes such lists
 * @param cloneApplicationTypes the types of applications whose low priorities mark clones
 * @param statisticsMode whether machines are judged
 * @param statisticsWindow in which attempts are counted
 * @param statisticsDir where what was learnt is kept, if anywhere
 * @param trustedUsers whose jobs alone may make a machine slow, or say what a link bears, for
 *     everybody; {@code *} for all
 * @param upstreamRatio M/K, in [1, 10]
 * @param programMemory how long it is remembered that tasks of a program cannot bear two attempts;
 *     zero: not at all
 */
public record ClusterSettings(
    Mode cloneMode,
    double maxUtilisation,
    double hysteresis,
    Duration round,
    Duration patience,
    String cloneAcl,
    List<String> cloneApplicationTypes,
    Mode statisticsMode,
    Duration statisticsWindow,
    Optional<String> statisticsDir,
    List<String> trustedUsers,
    double upstreamRatio,
    Duration programMemory) {
  /** What the keys of the administrator's settings begin with. */
  public static final String PREFIX = "yarn.drover.";

  /** Clones: off, observe or on. */
  public static final Setting<Mode> CLONE_MODE =
      Setting.mode(
          PREFIX + "clone.mode",
          Mode.ON,
          "Whether Drover's scheduler keeps clones under the ceiling. off: their requests are like any"
              + " others; observe: so too, and what would have been refused and killed is counted.");

  /** tau. */
  public static final Setting<Double> MAX_UTILISATION =
      Setting.number(
          PREFIX + "clone.max-utilisation",
          0.7,
          0.01,
          1,
          "tau: clones are admitted while less than this share of a partition is in use, theirs"
              + " included, and killed when more is (Dolly section 3.3).");

  /** The distance between opening and closing. */
  public static final Setting<Double> HYSTERESIS =
      Setting.number(
          PREFIX + "clone.hysteresis",
          0.05,
          0,
          0.5,
          "After clones had to be killed, new ones are admitted when utilisation has fallen this far"
              + " below clone.max-utilisation.");

  /** Time between two rounds. */
  public static final Setting<Duration> ROUND =
      Setting.duration(
          PREFIX + "clone.round",
          "250ms",
          Duration.ofMillis(50),
          Duration.ofSeconds(5),
          "How often the scheduler checks whether clones must give way. The preemption policy's interval"
              + " (3 s) should be several times as long.");

  /** How long demand that clones cannot serve keeps them out. */
  public static final Setting<Duration> PATIENCE =
      Setting.duration(
          PREFIX + "clone.patience",
          "30s",
          Duration.ZERO,
          Duration.ofHours(1),
          "Demand that has waited unchanged for this long, while no clone was in its way, waits for"
              + " something else than room (a host, a constraint): it no longer keeps clones out.");

  /** Who may clone. */
  public static final Setting<String> CLONE_ACL =
      Setting.text(
          PREFIX + "clone.acl",
          "*",
          "users, a blank, groups, each separated by commas; * for all",
          "Whose jobs may run clones.");

  /** Whose low priorities are clones. */
  public static final Setting<List<String>> CLONE_APPLICATION_TYPES =
      Setting.list(
          PREFIX + "clone.application-types",
          "MAPREDUCE",
          "The types of applications whose containers of priority 100 and above are clones. Those of"
              + " other types are never touched.");

  /** Whether machines are judged. */
  public static final Setting<Mode> STATISTICS_MODE =
      Setting.mode(
          PREFIX + "statistics.mode",
          Mode.ON,
          "Whether Drover's scheduler learns from AppMasters how often attempts are outliers on each"
              + " machine and what the links of racks bear (it needs yarn.drover.channel.address)."
              + " off: it does not; observe: it does, and AppMasters are not told.");

  /** Length of a window. */
  public static final Setting<Duration> STATISTICS_WINDOW =
      Setting.duration(
          PREFIX + "statistics.window",
          "5m",
          Duration.ofSeconds(1),
          Duration.ofDays(1),
          "The time window in which attempts and outliers are counted (Dolly section 3.1).");

  /** Where what was learnt is kept. */
  public static final Setting<String> STATISTICS_DIR =
      Setting.text(
          PREFIX + "statistics.dir",
          "",
          "a directory on any Hadoop file system",
          "Directory where what was learnt is written after each window, for the next"
              + " ResourceManager; without it that begins anew. It must be writable for the"
              + " ResourceManager alone.");

  /** Whose word alone is enough. */
  public static final Setting<List<String>> TRUSTED_USERS =
      Setting.list(
          PREFIX + "statistics.trusted-users",
          "",
          "Users whose jobs alone may make a machine slow, or say what a rack's links bear, for"
              + " everybody; * for all. What any other user's jobs alone say counts for that user's"
              + " own jobs only; for everybody it takes the jobs of two users, and for links those"
              + " of three.");

  /** M/K. */
  public static final Setting<Double> UPSTREAM_RATIO =
      Setting.number(
          PREFIX + "upstream-ratio",
          1.05,
          1,
          10,
          "M/K: upstream tasks that a job which needs any K of them may run for each (KMN section"
              + " 4.1).");

  /** How long programs are remembered. */
  public static final Setting<Duration> PROGRAM_MEMORY =
      Setting.duration(
          PREFIX + "program-memory",
          "7d",
          Duration.ZERO,
          Duration.ofDays(365),
          "How long the scheduler remembers that tasks of a program cannot bear two attempts at once"
              + " (one has failed beside another), so that later jobs of the program and its user get"
              + " no clones and copies; 0s: it does not. It needs yarn.drover.channel.address.");

  /** All settings, in the order of the documentation. */
  public static final List<Setting<?>> ALL =
      List.of(
          CLONE_MODE,
          MAX_UTILISATION,
          HYSTERESIS,
          ROUND,
          PATIENCE,
          CLONE_ACL,
          CLONE_APPLICATION_TYPES,
          STATISTICS_MODE,
          STATISTICS_WINDOW,
          STATISTICS_DIR,
          TRUSTED_USERS,
          UPSTREAM_RATIO,
          PROGRAM_MEMORY);

  /** What holds where the configuration is refused. */
  public static ClusterSettings off() {
    try {
      return read(List.of(), key -> key.endsWith(".mode") ? "off" : null);
    } catch (BadSettingException e) {
      throw new IllegalStateException("a default is not allowed", e);
    }
  }

  /** Whether a user's jobs alone may make a machine slow for everybody. */
  public boolean isTrusted(String user) {
    return trustedUsers.contains("*") || trustedUsers.contains(user);
  }

  /**
   * Reads and checks the administrator's settings.
   *
   * @param keys all keys of the configuration, or those that begin with {@value #PREFIX}
   * @param conf gives the text of a key, null where it is not set
   * @throws BadSettingException naming the first key that is unknown or has no allowed value
   */
  public static ClusterSettings read(Collection<String> keys, UnaryOperator<String> conf)
      throws BadSettingException {
    List<Setting<?>> known = Stream.concat(ALL.stream(), ChannelSettings.ALL.stream()).toList();
    String perManager = ChannelSettings.ADDRESS.key() + ".";
    Setting.refuseUnknown(
        keys.stream().filter(key -> !key.startsWith(perManager)).toList(), PREFIX, known, conf);
    return new ClusterSettings(
        CLONE_MODE.read(conf),
        MAX_UTILISATION.read(conf),
        HYSTERESIS.read(conf),
        ROUND.read(conf),
        PATIENCE.read(conf),
        CLONE_ACL.read(conf),
        CLONE_APPLICATION_TYPES.read(conf),
        STATISTICS_MODE.read(conf),
        STATISTICS_WINDOW.read(conf),
        Optional.ofNullable(STATISTICS_DIR.read(conf)),
        Objects.requireNonNullElse(TRUSTED_USERS.read(conf), List.of()),
        UPSTREAM_RATIO.read(conf),
        PROGRAM_MEMORY.read(conf));
  }
}
