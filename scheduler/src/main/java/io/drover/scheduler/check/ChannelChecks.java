// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.check;

import io.drover.channel.ChannelAddresses;
import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.ChannelSettings;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.Mode;
import io.drover.core.config.PredictionSettings;
import io.drover.core.config.QuarantineKeys;
import io.drover.core.config.Setting;
import io.drover.core.config.SlowNodeSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Finds what keeps AppMasters and the ResourceManager from hearing of each other. */
final class ChannelChecks {
  /** Settings that mean nothing while AppMasters tell nothing. */
  private static final List<Setting<?>> NEED_THE_CHANNEL =
      List.of(
          ClusterSettings.STATISTICS_DIR,
          ClusterSettings.TRUSTED_USERS,
          ClusterSettings.PROGRAM_MEMORY,
          SlowNodeSettings.FILE);

  /** The addresses at which a ResourceManager listens. */
  private static final List<String> TAKEN =
      List.of(
          YarnConfiguration.RM_ADDRESS,
          YarnConfiguration.RM_SCHEDULER_ADDRESS,
          YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
          YarnConfiguration.RM_ADMIN_ADDRESS,
          YarnConfiguration.RM_WEBAPP_ADDRESS,
          YarnConfiguration.RM_WEBAPP_HTTPS_ADDRESS);

  private final Configuration conf;
  private final ClusterSettings settings;

  ChannelChecks(Configuration conf, ClusterSettings settings) {
    this.conf = conf;
    this.settings = settings;
  }

  Checks all() {
    return new Checks()
        .add("rm.channel", this::needed)
        .add("rm.channel-port", this::port)
        .add("rm.channel-host", this::host)
        .add("rm.prediction", this::prediction)
        .add("rm.two-managers", this::sharedDirectories);
  }

  /** Returns the addresses of the channel; none if one is bad, which another check tells. */
  private List<String> addresses() {
    try {
      return ChannelAddresses.all(conf);
    } catch (BadSettingException e) {
      return List.of();
    }
  }

  private void needed(Consumer<Finding> found) {
    boolean isSet =
        conf.getPropsWithPrefix(ChannelSettings.ADDRESS.key()).values().stream()
            .anyMatch(address -> !address.isBlank());
    List<String> useless = new ArrayList<>();
    for (Setting<?> setting : NEED_THE_CHANNEL) {
      String value = conf.getTrimmed(setting.key(), "");
      if (!value.isEmpty()) {
        useless.add(setting.key() + " is " + value);
      }
    }
    PredictionSettings prediction = settings.prediction();
    if (prediction.mode() == Mode.ON) {
      useless.add(PredictionSettings.MODE.key() + " is on");
    }
    if (settings.quarantineMode() == Mode.ON) {
      useless.add(QuarantineKeys.MODE.key() + " is on");
    }
    if (settings.slowNodes().hdfs() == Mode.ON) {
      useless.add(SlowNodeSettings.HDFS.key() + " is on");
    }
    if (!isSet && !useless.isEmpty()) {
      found.accept(
          Finding.warn(
              "rm.channel",
              String.join(", ", useless)
                  + ", and "
                  + ChannelSettings.ADDRESS.key()
                  + " is not set: AppMasters report nothing to the ResourceManager",
              "Set it to a port of the ResourceManager on all machines, such as"
                  + " ${yarn.resourcemanager.hostname}:8036",
              ChannelSettings.ADDRESS.key()));
    }
  }

  private void port(Consumer<Finding> found) {
    for (String address : addresses()) {
      for (String key : TAKEN) {
        for (String suffixed : ofEachManager(key)) {
          if (address.equals(conf.getTrimmed(suffixed)) && !address.endsWith(":0")) {
            found.accept(
                Finding.wrong(
                    "rm.channel-port",
                    ChannelSettings.ADDRESS.key()
                        + " is "
                        + address
                        + ", and so is "
                        + suffixed
                        + ": only one can open the port",
                    "Give the channel a port of its own, such as 8036",
                    ChannelSettings.ADDRESS.key(),
                    suffixed));
          }
        }
      }
    }
  }

  private List<String> ofEachManager(String key) {
    return HAUtil.isHAEnabled(conf)
        ? conf.getTrimmedStringCollection(YarnConfiguration.RM_HA_IDS).stream()
            .map(id -> HAUtil.addSuffix(key, id))
            .toList()
        : List.of(key);
  }

  /** AppMasters run on other machines; on a cluster of one machine YARN's addresses are local. */
  private void host(Consumer<Finding> found) {
    for (String address : addresses()) {
      boolean areAllLocal =
          ofEachManager(YarnConfiguration.RM_SCHEDULER_ADDRESS).stream()
              .allMatch(key -> isLocal(conf.getTrimmed(key, "")));
      if (isLocal(address) && !areAllLocal) {
        found.accept(
            Finding.wrong(
                "rm.channel-host",
                ChannelSettings.ADDRESS.key()
                    + " is "
                    + address
                    + ": an AppMaster looks for it on its own machine",
                "Name the ResourceManager's host",
                ChannelSettings.ADDRESS.key()));
      }
    }
  }

  private static boolean isLocal(String address) {
    String host = address.replaceFirst(":\\d*$", "").toLowerCase(Locale.ROOT);
    return host.equals("localhost")
        || host.equals("0.0.0.0")
        || host.equals("[::]")
        || host.equals("[::1]")
        || host.startsWith("127.");
  }

  private void prediction(Consumer<Finding> found) {
    PredictionSettings prediction = settings.prediction();
    String mode = PredictionSettings.MODE.key();
    String fewer = PredictionSettings.SECOND_ATTEMPTS_MODE.key();
    if (prediction.mode() == Mode.OFF && prediction.secondAttempts() != Mode.OFF) {
      found.accept(
          Finding.warn(
              "rm.prediction",
              fewer
                  + " is "
                  + prediction.secondAttempts().name().toLowerCase(Locale.ROOT)
                  + ", and "
                  + mode
                  + " is off: no job is called failing",
              "Set the second to observe",
              fewer,
              mode));
    }
  }

  /** What one ResourceManager has learnt, the other one must be able to read. */
  private void sharedDirectories(Consumer<Finding> found) {
    if (!HAUtil.isHAEnabled(conf)) {
      return;
    }
    for (Setting<String> setting :
        List.of(ClusterSettings.STATISTICS_DIR, PredictionSettings.DIR)) {
      String directory = conf.getTrimmed(setting.key(), "");
      if (directory.startsWith("file:")) {
        found.accept(
            Finding.warn(
                "rm.two-managers",
                setting.key()
                    + " is "
                    + directory
                    + ": after a failover the other ResourceManager does not find it",
                "Name a directory that both can use, such as one on HDFS",
                setting.key()));
      }
    }
  }
}
