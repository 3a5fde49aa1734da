// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.AdminService;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore;

/** Real ResourceManagers of which one is active, as the administrator says. */
public final class Standby {
  private static final StateChangeRequestInfo REQUEST =
      new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER);

  private Standby() {}

  /** Two of them, rm1 and rm2, keep their state below a directory. */
  public static void configure(Configuration conf, Path dir) {
    conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
    conf.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
    conf.setBoolean(YarnConfiguration.AUTO_FAILOVER_ENABLED, false);
    conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
    conf.set(YarnConfiguration.RM_STORE, FileSystemRMStateStore.class.getName());
    conf.set(YarnConfiguration.FS_RM_STATE_STORE_URI, dir.resolve("state").toUri().toString());
    conf.set(YarnConfiguration.RM_HOSTNAME + ".rm1", "127.0.0.1");
    conf.set(YarnConfiguration.RM_HOSTNAME + ".rm2", "127.0.0.1");
  }

  /**
   * One that stands by.
   *
   * @param files what it reads whenever it refreshes, given its own configuration
   */
  public static MockRM start(
      Configuration common, String id, Path dir, Supplier<Configuration> files) {
    Configuration conf = new YarnConfiguration(common);
    conf.set(YarnConfiguration.RM_HA_ID, id);
    conf.set(
        YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR, dir.resolve(id).toUri().toString());
    MockRM rm =
        new MockRM(conf) {
          @Override
          protected AdminService createAdminService() {
            return new AdminService(this) {
              @Override
              protected void startServer() {
                // nobody calls it
              }

              @Override
              protected void stopServer() {
                // it was not started
              }

              @Override
              protected Configuration loadNewConfiguration() {
                Configuration read = new Configuration(files.get());
                read.set(YarnConfiguration.RM_HA_ID, id);
                return read;
              }
            };
          }
        };
    rm.start();
    return rm;
  }

  /** Makes it the active one. */
  public static void activate(MockRM rm) throws Exception {
    rm.getAdminService().transitionToActive(REQUEST);
  }

  /** Has it stand by again. */
  public static void standBy(MockRM rm) throws Exception {
    rm.getAdminService().transitionToStandby(REQUEST);
  }
}
