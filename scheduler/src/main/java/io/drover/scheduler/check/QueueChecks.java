// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.check;

import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.Mode;
import io.drover.core.config.PredictionSettings;
import io.drover.scheduler.check.QueueTree.Leaf;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * Compares the clones' ceiling with what queues may have. A clone is admitted if the partition is
 * less in use than tau with it (CloneRound, PartitionCeiling), and then needs room in its queue and
 * below its user's limit as any container does. So a queue whose maximum is below tau has clones up
 * to that maximum, and one that has no room for an AppMaster, a task and a clone has none.
 */
final class QueueChecks {
  private static final double ROUNDING = 1e-9;

  private final Configuration conf;
  private final ClusterSettings settings;
  private final OptionalLong clusterMb;
  private final long smallestMb;

  /**
   * Creates the checks.
   *
   * @param clusterMb the memory of the cluster, MB, if it is known
   * @param smallestMb what the smallest job with a clone takes, MB
   */
  QueueChecks(
      Configuration conf, ClusterSettings settings, OptionalLong clusterMb, long smallestMb) {
    this.conf = conf;
    this.settings = settings;
    this.clusterMb = clusterMb;
    this.smallestMb = smallestMb;
  }

  Checks all() {
    Checks checks = new Checks().add("queue.exempt", this::exempt);
    return settings.cloneMode() == Mode.OFF
        ? checks
        : checks
            .add("queue.below-ceiling", this::belowCeiling)
            .add("queue.no-clones", this::noClones);
  }

  private void exempt(Consumer<Finding> found) {
    String key = PredictionSettings.EXEMPT_QUEUES.key();
    QueueTree queues = new QueueTree(conf);
    List<String> unknown =
        settings.prediction().exemptQueues().stream().filter(name -> !queues.has(name)).toList();
    if (queues.isKnown() && !unknown.isEmpty()) {
      found.accept(
          Finding.warn(
              "queue.exempt",
              key + " names " + String.join(", ", unknown) + ", and there is no such queue",
              "Name queues of capacity-scheduler.xml, by their full paths or names",
              key));
    }
  }

  private void belowCeiling(Consumer<Finding> found) {
    double tau = settings.maxUtilisation();
    List<Leaf> below =
        new QueueTree(conf)
            .leaves().stream().filter(leaf -> leaf.maximum().orElse(1) < tau - ROUNDING).toList();
    if (!below.isEmpty()) {
      String each =
          below.stream()
              .map(leaf -> leaf.path() + " " + percent(leaf.maximum().orElse(1)))
              .collect(Collectors.joining(", "));
      found.accept(
          Finding.warn(
              "queue.below-ceiling",
              String.format(
                  "%s is %s, and the maximum-capacity of some queues is less of the cluster (%s):"
                      + " their clones end there, however idle the cluster is",
                  ClusterSettings.MAX_UTILISATION.key(), tau, each),
              "Nothing to do if that is meant; else raise their maximum-capacity",
              ClusterSettings.MAX_UTILISATION.key(),
              below.get(0).key("maximum-capacity")));
    }
  }

  private void noClones(Consumer<Finding> found) {
    if (clusterMb.isEmpty() || smallestMb <= 0) {
      return;
    }
    long cluster = clusterMb.getAsLong();
    if (smallestMb >= settings.maxUtilisation() * cluster) {
      found.accept(
          Finding.wrong(
              "queue.no-clones",
              String.format(
                  Locale.ROOT,
                  "%s is %s of %d MB, and an AppMaster, a task and its clone take %d MB: no clone"
                      + " can ever start",
                  ClusterSettings.MAX_UTILISATION.key(),
                  settings.maxUtilisation(),
                  cluster,
                  smallestMb),
              "Raise it, or make containers smaller",
              ClusterSettings.MAX_UTILISATION.key()));
      return;
    }
    List<Leaf> small =
        new QueueTree(conf)
            .leaves().stream()
                .filter(leaf -> leaf.ofOneUser().orElse(1) > 0)
                .filter(leaf -> leaf.ofOneUser().orElse(1) * cluster < smallestMb)
                .toList();
    if (!small.isEmpty()) {
      String each =
          small.stream()
              .map(leaf -> leaf.path() + " " + percent(leaf.ofOneUser().orElse(1)))
              .collect(Collectors.joining(", "));
      found.accept(
          Finding.warn(
              "queue.no-clones",
              String.format(
                  Locale.ROOT,
                  "one user may have too little of the cluster's %d MB in some queues (%s): an"
                      + " AppMaster, a task and its clone take %d MB",
                  cluster,
                  each,
                  smallestMb),
              "Raise their capacity, maximum-capacity or user-limit-factor if their jobs should be"
                  + " cloned",
              small.get(0).key("capacity")));
    }
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.3g %%", 100 * share);
  }
}
