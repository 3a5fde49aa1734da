// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.yarn.util.RackResolver;

/** Racks of made-up hosts. They are looked up once in the life of a JVM. */
final class StaticRacks {
  private StaticRacks() {}

  /** Puts hosts in a rack, and returns a configuration by which they are found there. */
  static Configuration put(String rack, String... hosts) {
    Configuration conf = new Configuration();
    conf.setClass(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
        StaticMapping.class,
        DNSToSwitchMapping.class);
    for (String host : hosts) {
      StaticMapping.addNodeToRack(host, rack);
    }
    RackResolver.init(conf);
    return conf;
  }
}
