// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import io.drover.core.machine.QuarantineSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The administrator's settings under {@value #PREFIX}, except those of the {@link ChannelSettings
 * channel}. Jobs cannot change them.
 *
 * @param cloneMode whether Drover's scheduler decides about clones
 * @param maxUtilisation tau, the utilisation below which clones run, in (0, 1]
 * @param hysteresis how far below tau utilisation must fall before clones are admitted again
 * @param round how often the scheduler checks whether clones must give way
 * @param patience how long waiting requests keep clones out while no clone is in their way
 * @param cloneAcl who may run clones, in Hadoop's format of access control lists
 * @param cloneApplicationTypes the types of applications whose low priorities mark clones
 * @param statisticsMode whether the scheduler learns about machines
 * @param statisticsWindow the window in which attempts are counted
 * @param statisticsDir the directory that keeps what was learnt, if there is one
 * @param trustedUsers the users whose jobs alone may make a machine slow, or determine the
 *     bandwidth of a link, for everybody; {@code *} for all users
 * @param upstreamRatio M/K, in [1, 10]
 * @param programMemory how long the scheduler remembers that the tasks of a program cannot bear two
 *     attempts; zero if it does not
 * @param prediction the settings of the prediction of failing jobs
 * @param quarantineMode off; observe: machines that would be quarantined are shown; on: they get no
 *     new containers
 * @param quarantine the settings of the quarantine of machines
 * @param slowNodes the settings of nodes that others call slow
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
    Duration programMemory,
    PredictionSettings prediction,
    Mode quarantineMode,
    QuarantineSettings quarantine,
    SlowNodeSettings slowNodes) {
  /** The prefix of the administrator's keys. */
  public static final String PREFIX = "yarn.drover.";

  /** Whether the control of clones is off, observing or on. */
  public static final Setting<Mode> CLONE_MODE =
      Setting.mode(
          PREFIX + "clone.mode",
          Mode.ON,
          "Whether Drover's scheduler keeps clones below the ceiling. off: it treats their requests"
              + " like any others; observe: it does so too, and metrics count what it would have"
              + " refused and killed.");

  /** tau, the utilisation up to which clones run. */
  public static final Setting<Double> MAX_UTILISATION =
      Setting.number(
          PREFIX + "clone.max-utilisation",
          0.7,
          0.01,
          1,
          "tau: the scheduler admits clones while less than this share of a partition is"
              + " in use, including clones, and kills them when more is (Dolly section 3.3).");

  /** The difference between the utilisations at which the ceiling closes and opens. */
  public static final Setting<Double> HYSTERESIS =
      Setting.number(
          PREFIX + "clone.hysteresis",
          0.05,
          0,
          0.5,
          "After the scheduler has killed clones, it admits new ones when utilisation has"
              + " fallen this far below clone.max-utilisation.");

  /** The time between two checks whether clones must give way. */
  public static final Setting<Duration> ROUND =
      Setting.duration(
          PREFIX + "clone.round",
          "250ms",
          Duration.ofMillis(50),
          Duration.ofSeconds(5),
          "How often the scheduler checks whether clones must give way. The preemption policy's"
              + " interval (3 s) should be several times as long.");

  /** How long waiting requests keep clones out while no clone is in their way. */
  public static final Setting<Duration> PATIENCE =
      Setting.duration(
          PREFIX + "clone.patience",
          "30s",
          Duration.ZERO,
          Duration.ofHours(1),
          "How long requests that wait unchanged keep new clones out, while no clone is in their"
              + " way. After that, the scheduler assumes that they wait for something other than"
              + " room (a host, a constraint).");

  /** The users and groups that may run clones. */
  public static final Setting<String> CLONE_ACL =
      Setting.text(
          PREFIX + "clone.acl",
          "*",
          "users, a blank, groups, each separated by commas; * for all",
          "The users and groups whose jobs may run clones.");

  /** The types of applications whose low priorities mark clones. */
  public static final Setting<List<String>> CLONE_APPLICATION_TYPES =
      Setting.list(
          PREFIX + "clone.application-types",
          "MAPREDUCE",
          "Containers of priority 100 and above are clones if their application has one"
              + " of these types. Applications of other types are never touched.");

  /** Whether learning about machines is off, observing or on. */
  public static final Setting<Mode> STATISTICS_MODE =
      Setting.mode(
          PREFIX + "statistics.mode",
          Mode.ON,
          "Whether Drover's scheduler learns from AppMasters how often attempts are"
              + " outliers on each machine, and how much the links of racks carry (this needs"
              + " yarn.drover.channel.address). off: it does not; observe: it learns, but does not"
              + " tell AppMasters.");

  /** The length of the window in which attempts are counted. */
  public static final Setting<Duration> STATISTICS_WINDOW =
      Setting.duration(
          PREFIX + "statistics.window",
          "5m",
          Duration.ofSeconds(1),
          Duration.ofDays(1),
          "The time window in which attempts and outliers are counted (Dolly section 3.1).");

  /** The directory that keeps what was learnt. */
  public static final Setting<String> STATISTICS_DIR =
      Setting.text(
          PREFIX + "statistics.dir",
          "",
          "a directory on any Hadoop file system",
          "The directory to which the scheduler writes what it has learnt after each"
              + " window, for the next ResourceManager. Without it, the next one starts from"
              + " nothing. Only the ResourceManager must be able to write there.");

  /** The users whose reports alone count for everybody. */
  public static final Setting<List<String>> TRUSTED_USERS =
      Setting.list(
          PREFIX + "statistics.trusted-users",
          "",
          "Users whose jobs alone may make a machine slow, or determine the bandwidth of"
              + " a rack's links, for everybody; * for all users. The reports of any other user's"
              + " jobs alone count for that user's own jobs only. To count for everybody, they need"
              + " the jobs of two users, and for links those of three.");

  /** M/K, the number of upstream tasks that run for each one that is needed. */
  public static final Setting<Double> UPSTREAM_RATIO =
      Setting.number(
          PREFIX + "upstream-ratio",
          1.05,
          1,
          10,
          "M/K: if a job needs the outputs of any K upstream tasks, it may run K times this many"
              + " upstream tasks (KMN section 4.1).");

  /** How long the scheduler remembers programs whose tasks cannot bear two attempts. */
  public static final Setting<Duration> PROGRAM_MEMORY =
      Setting.duration(
          PREFIX + "program-memory",
          "7d",
          Duration.ZERO,
          Duration.ofDays(365),
          "How long the scheduler remembers that the tasks of a program cannot bear two"
              + " attempts at once (one has failed beside another), and what became of its slow"
              + " tasks. Later jobs of the program and its user then get no clones and copies, or"
              + " fewer restarts. 0s: it does not remember. It needs yarn.drover.channel.address.");

  private static final List<Setting<?>> OWN =
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

  /** All settings, in the order of the documentation. */
  public static final List<Setting<?>> ALL =
      Stream.of(OWN, SlowNodeSettings.ALL, QuarantineKeys.ALL, PredictionSettings.ALL)
          .flatMap(List::stream)
          .toList();

  /** Returns the settings that apply if the configuration is rejected: every mode is off. */
  public static ClusterSettings off() {
    try {
      return read(List.of(), key -> key.endsWith(".mode") ? "off" : null);
    } catch (BadSettingException e) {
      throw new IllegalStateException("a default value is out of range", e);
    }
  }

  /** Returns whether a user's jobs alone may make a machine slow for everybody. */
  public boolean isTrusted(String user) {
    return trustedUsers.contains("*") || trustedUsers.contains(user);
  }

  /**
   * Returns all that is wrong with the administrator's settings, those of the channel included, and
   * not only the first. The channel itself checks the addresses of several ResourceManagers.
   *
   * @param keys all keys of the configuration
   * @param conf returns the text of a key, or null if it is not set
   * @return the message for each bad key, as {@link #read} throws it
   */
  public static SortedMap<String, String> complaints(
      Collection<String> keys, UnaryOperator<String> conf) {
    return Setting.complaints(withoutAddresses(keys), PREFIX, known(), conf);
  }

  private static List<Setting<?>> known() {
    return Stream.concat(ALL.stream(), ChannelSettings.ALL.stream()).toList();
  }

  /** Leaves out the addresses of single ResourceManagers, whose keys end in their ids. */
  private static List<String> withoutAddresses(Collection<String> keys) {
    String perManager = ChannelSettings.ADDRESS.key() + ".";
    return keys.stream().filter(key -> !key.startsWith(perManager)).toList();
  }

  /**
   * Reads and checks the administrator's settings.
   *
   * @param keys all keys of the configuration, or those that begin with {@value #PREFIX}
   * @param conf returns the text of a key, or null if it is not set
   * @throws BadSettingException for the first key that is unknown or whose value is not allowed
   */
  public static ClusterSettings read(Collection<String> keys, UnaryOperator<String> conf)
      throws BadSettingException {
    Setting.refuseUnknown(withoutAddresses(keys), PREFIX, known(), conf);
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
        PROGRAM_MEMORY.read(conf),
        PredictionSettings.read(conf),
        QuarantineKeys.MODE.read(conf),
        QuarantineKeys.read(conf),
        SlowNodeSettings.read(conf));
  }
}
