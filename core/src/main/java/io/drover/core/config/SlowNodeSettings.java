// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The administrator's settings of nodes that others call slow: an operator, or HDFS.
 *
 * @param file the local file that names slow nodes, if there is one
 * @param hdfs off; observe: the nodes that HDFS calls slow are shown; on: AppMasters are told as
 *     well
 * @param offers off; observe: it is counted how often slow nodes would be passed over; on: they are
 *     offered last
 */
public record SlowNodeSettings(Optional<String> file, Mode hdfs, Mode offers) {
  private static final String PREFIX = "yarn.drover.slow-nodes.";

  /** The file that names slow nodes. */
  public static final Setting<String> FILE =
      Setting.text(
          PREFIX + "file",
          "",
          "a path on the ResourceManagers' machines",
          "A file with the hosts that operators call slow, one on each line, in the format of"
              + " Hadoop's exclude files without XML. Copies, restarts and clones avoid them, and"
              + " other containers go there last (yarn.drover.slow-nodes.offers.mode). It is read"
              + " again when it has changed.");

  /** Whether the nodes that HDFS calls slow count. */
  public static final Setting<Mode> HDFS =
      Setting.mode(
          PREFIX + "hdfs.mode",
          Mode.OFF,
          "Whether the scheduler asks HDFS every five minutes which DataNodes are slow (this needs"
              + " dfs.datanode.peer.stats.enabled there). observe: the page shows them; on: copies,"
              + " restarts and clones also avoid these machines, and other containers go there last"
              + " (yarn.drover.slow-nodes.offers.mode).");

  /** Whether first attempts keep away from slow nodes. */
  public static final Setting<Mode> OFFERS =
      Setting.mode(
          PREFIX + "offers.mode",
          Mode.ON,
          "Whether the scheduler offers nodes last that operators or HDFS call slow: a request waits"
              + " for up to 5 s for another node while others have room for all that it wants. This"
              + " is for all containers of all applications, first attempts and AppMasters included,"
              + " but for clones. observe: a metric counts how often a request would wait.");

  /** All settings, in the order of the documentation. */
  static final List<Setting<?>> ALL = List.of(FILE, HDFS, OFFERS);

  /** Reads and checks the settings. */
  static SlowNodeSettings read(UnaryOperator<String> conf) throws BadSettingException {
    return new SlowNodeSettings(
        Optional.ofNullable(FILE.read(conf)), HDFS.read(conf), OFFERS.read(conf));
  }
}
