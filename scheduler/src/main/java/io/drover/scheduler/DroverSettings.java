// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import io.drover.channel.ChannelAddresses;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.ChannelSettings;
import io.drover.core.config.ClusterSettings;
import io.drover.scheduler.clone.ClonePlacementAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The administrator's settings of one scheduler, and what becomes of those that cannot be used. A
 * mistake costs Drover's part and never Hadoop's:
 *
 * <ul>
 *   <li>Until the scheduler has started, a bad setting switches Drover off, and nothing is thrown.
 *       Hadoop refreshes a ResourceManager's scheduler <em>before</em> that becomes active ({@code
 *       AdminService.transitionToActive}), and one that throws there stands by again; with the same
 *       mistake on both there would be no active one.
 *   <li>Later, while good settings are in force, a refresh with bad ones is refused whole: neither
 *       Hadoop's queues nor Drover's settings change. So it is found out before anything is
 *       applied.
 *   <li>Where none are in force, since the last ones were bad, there is nothing of Drover's to
 *       keep: the queues are refreshed, and Drover stays off until its settings are good.
 * </ul>
 *
 * <p>What is wrong is in the log, on the page and in the metrics, until it is right.
 */
final class DroverSettings {
  private static final Logger LOG = LoggerFactory.getLogger(DroverSettings.class);

  /**
   * Settings that have been checked.
   *
   * @param cluster of clones and statistics
   * @param channel a configuration with what {@code capacity-scheduler.xml} and {@code
   *     hadoop-policy.xml} say of the channel; empty where all is off
   */
  record Checked(ClusterSettings cluster, Optional<Configuration> channel) {
    /** Where the settings are bad. */
    static final Checked OFF = new Checked(ClusterSettings.off(), Optional.empty());
  }

  private final LongAdder refused = new LongAdder();
  private volatile Optional<String> complaint = Optional.empty();
  private volatile boolean isOff;

  /**
   * The settings that hold from now on; everything is off if they are bad.
   *
   * @param scheduler what {@code capacity-scheduler.xml} says beside {@code yarn-site.xml}
   */
  Checked readOrOff(Configuration scheduler, RMContext context) {
    Checked checked = readOrComplain(scheduler, context);
    accept(checked);
    return checked;
  }

  private Checked readOrComplain(Configuration scheduler, RMContext context) {
    try {
      return read(scheduler, context);
    } catch (BadSettingException e) {
      complain(e.getMessage());
      LOG.error("Drover is off: {}", e.getMessage());
    } catch (IOException | YarnException | RuntimeException e) {
      complain("the settings cannot be read: " + e);
      LOG.error("Drover is off: its settings cannot be read", e);
    }
    return Checked.OFF;
  }

  /**
   * The settings that a refresh is to put in force; {@link #accept} says that it has. Until then a
   * complaint stands: Hadoop may still refuse the queues, and these settings with them.
   *
   * @return {@link Checked#OFF} if they are bad, and the last ones were too
   * @throws IOException if they are bad, and good ones are in force
   */
  Checked readOrRefuse(Configuration scheduler, RMContext context) throws IOException {
    if (isOff) {
      return readOrComplain(scheduler, context);
    }
    try {
      return read(scheduler, context);
    } catch (BadSettingException e) {
      throw refuse(e.getMessage(), e);
    } catch (IOException | YarnException | RuntimeException e) {
      throw refuse(e.toString(), e);
    }
  }

  private IOException refuse(String why, Exception cause) {
    complain(why);
    LOG.error("A refresh is refused, the queues and Drover's settings stay as they were: {}", why);
    return new IOException("Drover's settings and the queues stay as they were: " + why, cause);
  }

  /** These are in force. */
  void accept(Checked checked) {
    isOff = checked.channel().isEmpty();
    if (!isOff) {
      complaint = Optional.empty();
    }
  }

  private void complain(String what) {
    refused.increment();
    complaint = Optional.of(what);
  }

  /** What is wrong with the settings that were read last; empty if nothing is. */
  Optional<String> complaint() {
    return complaint;
  }

  /** How often bad settings were read. */
  long refused() {
    return refused.sum();
  }

  private static Checked read(Configuration scheduler, RMContext context)
      throws BadSettingException, IOException, YarnException {
    placeClones(context.getYarnConfiguration());
    Map<String, String> ours = scheduler.getPropsWithPrefix(ClusterSettings.PREFIX);
    ClusterSettings cluster =
        ClusterSettings.read(
            ours.keySet().stream().map(ClusterSettings.PREFIX::concat).toList(),
            key -> ours.get(key.substring(ClusterSettings.PREFIX.length())));
    Configuration channel = channel(scheduler, context);
    ChannelSettings.read(channel::get);
    ChannelAddresses.check(channel);
    return new Checked(cluster, Optional.of(channel));
  }

  /** Has Hadoop choose places with the gate in mind. */
  private static void placeClones(Configuration conf) throws BadSettingException {
    String key = YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS;
    String ours = ClonePlacementAllocator.class.getName();
    String given = conf.get(key, ours);
    if (!given.equals(ours)) {
      throw new BadSettingException(key + " is '" + given + "'; allowed: " + ours + ", or nothing");
    }
    conf.set(key, ours);
  }

  private static Configuration channel(Configuration scheduler, RMContext context)
      throws IOException, YarnException {
    Configuration base = context.getYarnConfiguration();
    Configuration conf = new Configuration(base);
    String prefix = ChannelSettings.PREFIX;
    scheduler.getPropsWithPrefix(prefix).forEach((key, value) -> conf.set(prefix + key, value));
    if (base.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false)) {
      InputStream policy =
          context
              .getConfigurationProvider()
              .getConfigurationInputStream(
                  base, YarnConfiguration.HADOOP_POLICY_CONFIGURATION_FILE);
      if (policy != null) {
        conf.addResource(policy);
        conf.size(); // reads it, and throws here where it cannot be read
      }
    }
    return conf;
  }
}
