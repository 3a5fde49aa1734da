// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import io.drover.channel.ChannelAddresses;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.ChannelSettings;
import io.drover.core.config.ClusterSettings;
import io.drover.scheduler.clone.GatedPlacementAllocator;
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
 * Reads and checks the administrator's settings of one scheduler. A bad setting affects Drover and
 * never Hadoop:
 *
 * <ul>
 *   <li>Until the scheduler has started, a bad setting switches Drover off, and nothing is thrown.
 *       Hadoop refreshes a ResourceManager's scheduler <em>before</em> it makes the ResourceManager
 *       active ({@code AdminService.transitionToActive}). An exception there would send it back to
 *       standby, and with the same mistake on both there would be no active one.
 *   <li>Later, while good settings are in force, a refresh with bad ones is refused as a whole:
 *       neither Hadoop's queues nor Drover's settings change. So the settings are checked before
 *       anything is applied.
 *   <li>If none are in force because the last ones were bad, there is nothing of Drover's to keep.
 *       The queues are refreshed, and Drover stays off until its settings are good.
 * </ul>
 *
 * <p>The log tells what is wrong. The page and the metrics show it until it is right.
 */
final class DroverSettings {
  private static final Logger LOG = LoggerFactory.getLogger(DroverSettings.class);

  /**
   * Settings that have been checked.
   *
   * @param cluster the settings of clones and statistics
   * @param channel a configuration with the channel's settings from {@code capacity-scheduler.xml}
   *     and {@code hadoop-policy.xml}; empty if Drover is off
   */
  record Checked(ClusterSettings cluster, Optional<Configuration> channel) {
    /** The settings in force if those that were read are bad. */
    static final Checked OFF = new Checked(ClusterSettings.off(), Optional.empty());
  }

  private final LongAdder refused = new LongAdder();
  private volatile Optional<String> complaint = Optional.empty();
  private volatile boolean isOff;

  /**
   * Reads the settings and puts them in force. If they are bad, everything is off.
   *
   * @param scheduler the configuration of {@code capacity-scheduler.xml} and {@code yarn-site.xml}
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
   * Reads the settings for a refresh, which then calls {@link #accept}. Until then a complaint
   * stays, because Hadoop may still refuse the queues, and these settings with them.
   *
   * @return {@link Checked#OFF} if they are bad and so were the last ones
   * @throws IOException if they are bad while good ones are in force
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
    LOG.error("A refresh is rejected; the queues and Drover's settings are unchanged: {}", why);
    return new IOException("Drover's settings and the queues are unchanged: " + why, cause);
  }

  /** Notes that these settings are in force. Good ones clear the complaint. */
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

  /** Returns what is wrong with the settings that were read last; empty if nothing is. */
  Optional<String> complaint() {
    return complaint;
  }

  /** Returns how often settings were read that cannot be used. */
  long refused() {
    return refused.sum();
  }

  private static Checked read(Configuration scheduler, RMContext context)
      throws BadSettingException, IOException, YarnException {
    gatePlacement(context.getYarnConfiguration());
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

  /** Makes Hadoop choose nodes with the allocator that keeps requests off some of them. */
  private static void gatePlacement(Configuration conf) throws BadSettingException {
    String key = YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS;
    String ours = GatedPlacementAllocator.class.getName();
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
        conf.size(); // loads it, and throws here if it cannot be read
      }
    }
    return conf;
  }
}
