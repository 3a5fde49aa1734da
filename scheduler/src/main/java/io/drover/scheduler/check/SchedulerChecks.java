// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.check;

import io.drover.channel.ChannelAddresses;
import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.check.Finding.Level;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.ChannelSettings;
import io.drover.core.config.ClusterSettings;
import io.drover.scheduler.clone.GatedPlacementAllocator;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the administrator's settings that fight with Hadoop's or with each other. It reads a
 * configuration and nothing else: no file and no network, and no lock of Hadoop's is taken.
 *
 * <p>The configuration is that of a ResourceManager: {@code core-site.xml}, {@code yarn-site.xml},
 * and on top of them {@code capacity-scheduler.xml}.
 */
public final class SchedulerChecks {
  private static final Logger LOG = LoggerFactory.getLogger(SchedulerChecks.class);

  /** The scheduler's class. */
  public static final String SCHEDULER = "io.drover.scheduler.DroverCapacityScheduler";

  /** The class of the web services. */
  public static final String WEB_SERVICES = "io.drover.scheduler.web.DroverWebServices";

  private final Configuration conf;

  private SchedulerChecks(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Writes what is found in the configuration of Drover's scheduler to the log, except what is
   * well. The scheduler itself has refused bad values.
   */
  public static void log(Configuration conf) {
    for (Finding finding : ofRunning(conf)) {
      if (finding.level() != Level.OK) {
        LOG.warn("Drover: {}", finding.line());
      }
    }
  }

  static List<Finding> ofRunning(Configuration conf) {
    return new SchedulerChecks(conf).ofDroversScheduler(OptionalLong.empty(), 0).run();
  }

  /**
   * Returns the checks of a configuration with which ResourceManagers are started.
   *
   * @param clusterMb the memory of the cluster, MB, if it is known
   * @param smallestMb what the smallest job with a clone takes, MB
   */
  public static Checks of(Configuration conf, OptionalLong clusterMb, long smallestMb) {
    SchedulerChecks checks = new SchedulerChecks(conf);
    Checks all =
        new Checks()
            .add("rm.setting", checks::settings)
            .add("rm.scheduler", checks::scheduler)
            .add("rm.web", checks::web);
    return checks.isDrovers() ? all.addAll(checks.ofDroversScheduler(clusterMb, smallestMb)) : all;
  }

  private Checks ofDroversScheduler(OptionalLong clusterMb, long smallestMb) {
    ClusterSettings settings = goodSettings();
    return new Checks()
        .add("rm.allocator", this::allocator)
        .addAll(new CloneChecks(conf, settings).all())
        .addAll(new ChannelChecks(conf, settings).all())
        .addAll(new QueueChecks(conf, settings, clusterMb, smallestMb).all());
  }

  private boolean isDrovers() {
    return conf.getTrimmed(YarnConfiguration.RM_SCHEDULER, "").equals(SCHEDULER);
  }

  private Collection<String> keys() {
    return conf.getPropsWithPrefix(ClusterSettings.PREFIX).keySet().stream()
        .map(ClusterSettings.PREFIX::concat)
        .toList();
  }

  private void settings(Consumer<Finding> found) {
    SortedMap<String, String> complaints = ClusterSettings.complaints(keys(), conf::get);
    complaints.forEach((key, complaint) -> found.accept(bad(complaint, key)));
    try {
      if (!complaints.containsKey(ChannelSettings.ADDRESS.key())) {
        ChannelAddresses.check(conf);
      }
    } catch (BadSettingException e) {
      found.accept(bad(e.getMessage(), ChannelSettings.ADDRESS.key()));
    }
  }

  private static Finding bad(String complaint, String key) {
    return Finding.wrong(
        "rm.setting",
        complaint,
        "A ResourceManager that starts with it has all of Drover off, and clones have no ceiling",
        key);
  }

  /** Returns the settings, with the defaults in the place of bad values. */
  private ClusterSettings goodSettings() {
    Collection<String> bad = ClusterSettings.complaints(keys(), conf::get).keySet();
    try {
      return ClusterSettings.read(List.of(), key -> bad.contains(key) ? null : conf.get(key));
    } catch (BadSettingException e) {
      throw new IllegalStateException("a default value is not allowed", e);
    }
  }

  /** AppMasters read the channel's address too, so it may be alone where no scheduler is. */
  private List<String> keysOfScheduler() {
    return keys().stream().filter(key -> !key.startsWith(ChannelSettings.PREFIX)).toList();
  }

  private void scheduler(Consumer<Finding> found) {
    List<String> keys = keysOfScheduler();
    if (!isDrovers() && !keys.isEmpty()) {
      found.accept(
          Finding.wrong(
              "rm.scheduler",
              String.format(
                  "%s is %s, which does not read %s",
                  YarnConfiguration.RM_SCHEDULER,
                  conf.getTrimmed(YarnConfiguration.RM_SCHEDULER, "not set"),
                  String.join(", ", keys)),
              "Set it to " + SCHEDULER + ", or take these keys out",
              YarnConfiguration.RM_SCHEDULER,
              keys.get(0)));
    }
  }

  private void web(Consumer<Finding> found) {
    String key = YarnConfiguration.YARN_WEBAPP_CUSTOM_WEBSERVICE_CLASS;
    boolean isToldAlready = !keysOfScheduler().isEmpty();
    if (!isDrovers() && !isToldAlready && conf.getTrimmed(key, "").equals(WEB_SERVICES)) {
      found.accept(
          Finding.wrong(
              "rm.web",
              key
                  + " is "
                  + WEB_SERVICES
                  + ", and "
                  + YarnConfiguration.RM_SCHEDULER
                  + " is "
                  + conf.getTrimmed(YarnConfiguration.RM_SCHEDULER, "not set")
                  + ": the page and the figures need Drover's scheduler",
              "Set the scheduler to " + SCHEDULER + ", or take the web services out",
              key,
              YarnConfiguration.RM_SCHEDULER));
    }
  }

  private void allocator(Consumer<Finding> found) {
    String key = YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS;
    String named = conf.getTrimmed(key, "");
    if (!named.isEmpty() && !named.equals(GatedPlacementAllocator.class.getName())) {
      found.accept(
          Finding.wrong(
              "rm.allocator",
              key + " is " + named + ": Drover needs its own class there, and is off",
              "Leave the key unset",
              key));
    }
  }
}
