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
          "Whether Drover's scheduler keeps clones below the ceiling. off: their requests"
              + " are treated like any others; observe: they are too, and metrics count what"
              + " would have been refused and killed.");

  /** tau. */
  public static final Setting<Double> MAX_UTILISATION =
      Setting.number(
          PREFIX + "clone.max-utilisation",
          0.7,
          0.01,
          1,
          "tau: the scheduler admits clones while less than this share of a partition is"
              + " in use, including clones, and kills them when more is (Dolly section 3.3).");

  /** The distance between opening and closing. */
  public static final Setting<Double> HYSTERESIS =
      Setting.number(
          PREFIX + "clone.hysteresis",
          0.05,
          0,
          0.5,
          "After the scheduler has killed clones, it admits new ones when utilisation has"
              + " fallen this far below clone.max-utilisation.");

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
          "If requests have waited unchanged for this long while no clone was in their"
              + " way, they wait for something other than room (a host, a constraint). They then"
              + " no longer keep clones out.");

  /** Who may clone. */
  public static final Setting<String> CLONE_ACL =
      Setting.text(
          PREFIX + "clone.acl",
          "*",
          "users, a blank, groups, each separated by commas; * for all",
          "The users and groups whose jobs may run clones.");

  /** Whose low priorities are clones. */
  public static final Setting<List<String>> CLONE_APPLICATION_TYPES =
      Setting.list(
          PREFIX + "clone.application-types",
          "MAPREDUCE",
          "Containers of priority 100 and above are clones if their application has one"
              + " of these types. Applications of other types are never touched.");

  /** Whether machines are judged. */
  public static final Setting<Mode> STATISTICS_MODE =
      Setting.mode(
          PREFIX + "statistics.mode",
          Mode.ON,
          "Whether Drover's scheduler learns from AppMasters how often attempts are"
              + " outliers on each machine, and how much the links of racks carry (this needs"
              + " yarn.drover.channel.address). off: it does not; observe: it does, and does not"
              + " tell AppMasters.");

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
          "The directory to which the scheduler writes what it has learnt after each"
              + " window, for the next ResourceManager. Without it, the next one starts from"
              + " nothing. Only the ResourceManager must be able to write there.");

  /** Whose word alone is enough. */
  public static final Setting<List<String>> TRUSTED_USERS =
      Setting.list(
          PREFIX + "statistics.trusted-users",
          "",
          "Users whose jobs alone may make a machine slow, or determine the bandwidth of"
              + " a rack's links, for everybody; * for all users. What the jobs of one other"
              + " user report counts for that user's own jobs only. For everybody it takes the"
              + " jobs of two users, and for links those of three.");

  /** M/K. */
  public static final Setting<Double> UPSTREAM_RATIO =
      Setting.number(
          PREFIX + "upstream-ratio",
          1.05,
          1,
          10,
          "M/K: how many upstream tasks a job that needs any K of them may run for each"
              + " of the K (KMN section 4.1).");

  /** How long programs are remembered. */
  public static final Setting<Duration> PROGRAM_MEMORY =
      Setting.duration(
          PREFIX + "program-memory",
          "7d",
          Duration.ZERO,
          Duration.ofDays(365),
          "How long the scheduler remembers that the tasks of a program cannot bear two"
              + " attempts at once (one has failed beside another). Later jobs of the program"
              + " and its user then get no clones and copies. 0s: it does not remember. It needs"
              + " yarn.drover.channel.address.");

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
