// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.ChannelSettings;
import io.drover.core.config.Setting;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Reads the addresses of the channel, as host:port. If there are several ResourceManagers, each has
 * its own address: the value of the key with its id; else its {@code yarn.resourcemanager.hostname}
 * with the port of the key without an id, as for YARN's own addresses; else the value of the key
 * without an id. No host name is resolved here.
 */
public final class ChannelAddresses {
  private ChannelAddresses() {}

  /**
   * Checks the addresses of all ResourceManagers.
   *
   * @throws BadSettingException naming the first key whose value is not an address, or whose id is
   *     not that of a ResourceManager
   */
  public static void check(Configuration conf) throws BadSettingException {
    String common = ChannelSettings.ADDRESS.key();
    read(conf, ChannelSettings.ADDRESS);
    Collection<String> ids = conf.getTrimmedStringCollection(YarnConfiguration.RM_HA_IDS);
    for (String id : new TreeSet<>(conf.getPropsWithPrefix(common + ".").keySet())) {
      if (!ids.contains(id)) {
        throw new BadSettingException(
            String.format(
                "%s.%s names no ResourceManager; the ids allowed after %s are: %s (%s)",
                common,
                id,
                common,
                ids.isEmpty() ? "none" : String.join(" ", ids),
                YarnConfiguration.RM_HA_IDS));
      }
      read(conf, ChannelSettings.ADDRESS.of(id));
    }
  }

  /**
   * Returns the addresses of all ResourceManagers, in the order in which their ids are listed.
   *
   * @throws BadSettingException naming the first key whose value is not an address
   */
  public static List<String> all(Configuration conf) throws BadSettingException {
    Set<String> addresses = new LinkedHashSet<>();
    if (HAUtil.isHAEnabled(conf)) {
      Collection<String> ids = conf.getTrimmedStringCollection(YarnConfiguration.RM_HA_IDS);
      for (String id : ids) {
        of(conf, id).ifPresent(addresses::add);
      }
    } else {
      read(conf, ChannelSettings.ADDRESS).ifPresent(addresses::add);
    }
    return List.copyOf(addresses);
  }

  /** Returns the address of the ResourceManager that runs here; empty if none is set. */
  static Optional<String> own(Configuration conf) throws BadSettingException {
    String id = HAUtil.isHAEnabled(conf) ? HAUtil.getRMHAId(conf) : null;
    return id == null ? read(conf, ChannelSettings.ADDRESS) : of(conf, id);
  }

  private static Optional<String> of(Configuration conf, String id) throws BadSettingException {
    Optional<String> own = read(conf, ChannelSettings.ADDRESS.of(id));
    Optional<String> common = read(conf, ChannelSettings.ADDRESS);
    String host = conf.getTrimmed(HAUtil.addSuffix(YarnConfiguration.RM_HOSTNAME, id));
    return own.isPresent() || host == null || host.isEmpty()
        ? own.or(() -> common)
        : common.map(address -> host + address.substring(address.lastIndexOf(':')));
  }

  private static Optional<String> read(Configuration conf, Setting<String> key)
      throws BadSettingException {
    return Optional.ofNullable(key.parse(conf.get(key.key())));
  }
}
