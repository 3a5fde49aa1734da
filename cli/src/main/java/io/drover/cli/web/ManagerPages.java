// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.web;

import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.jobhistory.JHAdminConfig;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** The web pages of a cluster's daemons, as a configuration says where they are. */
public final class ManagerPages {
  private final Configuration conf;

  /** Creates the pages of a configuration's cluster. */
  public ManagerPages(Configuration conf) {
    this.conf = conf;
  }

  private boolean isHttps() {
    return conf.getTrimmed(YarnConfiguration.YARN_HTTP_POLICY_KEY, "").equals("HTTPS_ONLY");
  }

  /** Returns the addresses of the ResourceManagers' web servers, each a host and a port. */
  public List<String> addresses() {
    String key =
        isHttps() ? YarnConfiguration.RM_WEBAPP_HTTPS_ADDRESS : YarnConfiguration.RM_WEBAPP_ADDRESS;
    int port =
        isHttps()
            ? YarnConfiguration.DEFAULT_RM_WEBAPP_HTTPS_PORT
            : YarnConfiguration.DEFAULT_RM_WEBAPP_PORT;
    if (!HAUtil.isHAEnabled(conf)) {
      return List.of(conf.getTrimmed(key, "0.0.0.0:" + port));
    }
    return conf.getTrimmedStringCollection(YarnConfiguration.RM_HA_IDS).stream()
        .map(
            id -> {
              String host =
                  conf.getTrimmed(HAUtil.addSuffix(YarnConfiguration.RM_HOSTNAME, id), "0.0.0.0");
              return conf.getTrimmed(HAUtil.addSuffix(key, id), host + ":" + port);
            })
        .toList();
  }

  /**
   * Returns the address of a page.
   *
   * @param address a daemon's host and port
   * @param path from the first slash on, with the query, all characters encoded
   */
  public URI page(String address, String path) {
    return URI.create((isHttps() ? "https://" : "http://") + address + path);
  }

  /**
   * Returns the address of the JobHistoryServer, such as {@code http://history:19888}. Its host is
   * {@code 0.0.0.0} if the configuration does not name it.
   */
  public String historyServer() {
    boolean isHttps = conf.getTrimmed(JHAdminConfig.MR_HS_HTTP_POLICY, "").equals("HTTPS_ONLY");
    return isHttps
        ? "https://"
            + conf.getTrimmed(
                JHAdminConfig.MR_HISTORY_WEBAPP_HTTPS_ADDRESS,
                JHAdminConfig.DEFAULT_MR_HISTORY_WEBAPP_HTTPS_ADDRESS)
        : "http://"
            + conf.getTrimmed(
                JHAdminConfig.MR_HISTORY_WEBAPP_ADDRESS,
                JHAdminConfig.DEFAULT_MR_HISTORY_WEBAPP_ADDRESS);
  }
}
