// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.AbstractDNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;

/**
 * Maps hosts to racks by a table in the configuration. The table has names and addresses, because
 * Hadoop asks by name in some places and by address in others. It is part of a job's configuration,
 * so an AppMaster knows the racks as well.
 */
public final class RackTable extends AbstractDNSToSwitchMapping {
  /** The key of the table: {@code name=/rack} and {@code address=/rack}, separated by commas. */
  public static final String KEY = "drover.cluster.racks";

  private Map<String, String> racks = Map.of();

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf == null) {
      return;
    }
    Map<String, String> table = new TreeMap<>();
    for (String entry : conf.getTrimmedStrings(KEY)) {
      int equals = entry.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(KEY + ": not name=/rack: " + entry);
      }
      table.put(entry.substring(0, equals), entry.substring(equals + 1));
    }
    racks = table;
  }

  @Override
  public List<String> resolve(List<String> names) {
    List<String> resolved = new ArrayList<>(names.size());
    for (String name : names) {
      resolved.add(racks.getOrDefault(name, NetworkTopology.DEFAULT_RACK));
    }
    return resolved;
  }

  @Override
  public boolean isSingleSwitch() {
    return false;
  }

  @Override
  public void reloadCachedMappings() {
    // Nothing is cached: the table is in the configuration.
  }

  @Override
  public void reloadCachedMappings(List<String> names) {
    // Nothing is cached: the table is in the configuration.
  }
}
