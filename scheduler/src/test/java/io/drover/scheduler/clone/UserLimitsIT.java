// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.scheduler.MockCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.nodelabels.CommonNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.junit.jupiter.api.Test;

/** What is reckoned here of users' limits is what Hadoop computes, where there are no clones. */
class UserLimitsIT {
  private static final String ALL = CommonNodeLabelsManager.NO_LABEL;

  private static Resource hadoops(MockCluster cluster, AbstractLeafQueue leaf, String user) {
    leaf.getUsersManager().userLimitNeedsRecompute();
    return leaf.getResourceLimitForActiveUsers(
        user,
        cluster.scheduler().getClusterResource(),
        ALL,
        SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY);
  }

  private static MockCluster cluster(Random random) throws Exception {
    Configuration conf = MockCluster.configuration();
    String queue = "yarn.scheduler.capacity.root.default.";
    conf.set(queue + "user-limit-factor", random.nextBoolean() ? "-1" : "0.5");
    conf.setInt(queue + "minimum-user-limit-percent", 10 + random.nextInt(90));
    conf.set(queue + "user-settings.u1.weight", "0.5");
    return new MockCluster(conf, 8, 8);
  }

  @Test
  void limitsAreHadoopsWhereThereAreNoClones() throws Exception {
    Random random = new Random(20261125);
    int compared = 0;
    for (int life = 0; life < 4; life++) {
      try (MockCluster cluster = cluster(random)) {
        List<MockCluster.App> apps = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          apps.add(cluster.submit("MAPREDUCE", "default", "u" + i % 3));
        }
        AbstractLeafQueue leaf = (AbstractLeafQueue) cluster.scheduler().getQueue("default");
        ClusterView view = new ClusterView(cluster.scheduler());
        for (int step = 0; step < 200; step++) {
          int which = random.nextInt(6);
          apps.get(which).ask(MockCluster.ORDINARY, 1 + which % 2, random.nextInt(30));
          cluster.heartbeat();
          apps.get(random.nextInt(6)).release(random.nextInt(10));
          apps.forEach(MockCluster.App::pull);
          UserLimits limits = new UserLimits(view, leaf, ALL);
          for (MockCluster.App app : apps) {
            boolean waits =
                !cluster
                    .scheduler()
                    .getApplicationAttempt(app.am.getApplicationAttemptId())
                    .getAppSchedulingInfo()
                    .getSchedulerKeys()
                    .isEmpty();
            if (waits) {
              String user =
                  cluster
                      .scheduler()
                      .getApplicationAttempt(app.am.getApplicationAttemptId())
                      .getUser();
              assertThat(limits.withoutClones(user))
                  .as("life %s, step %s, user %s", life, step, user)
                  .isEqualTo(hadoops(cluster, leaf, user));
              compared++;
            }
          }
        }
      }
    }
    assertThat(compared).isGreaterThan(300);
  }

  /** Hadoop takes a user for active who waits for a clone only. */
  @Test
  void whoWaitsForClonesOnlyLowersNobodysLimit() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.setInt("yarn.scheduler.capacity.root.default.minimum-user-limit-percent", 10);
    try (MockCluster cluster = new MockCluster(conf, 4, 8)) {
      MockCluster.App ordinary = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App cloning = cluster.submit("MAPREDUCE", "default", "v");
      ordinary.ask(MockCluster.ORDINARY, 1, 12);
      cluster.heartbeat();
      ordinary.ask(MockCluster.ORDINARY, 9, 5);
      AbstractLeafQueue leaf = (AbstractLeafQueue) cluster.scheduler().getQueue("default");
      ClusterView view = new ClusterView(cluster.scheduler());
      view.types(List.of("MAPREDUCE"));
      Resource alone = hadoops(cluster, leaf, "u");
      cloning.ask(MockCluster.CLONE, 1, 3);
      cluster.clones().round();
      UserLimits limits = new UserLimits(view, leaf, ALL);
      assertThat(limits.now("u")).isEqualTo(alone);
      assertThat(limits.active()).isEqualTo(1);
    }
  }
}
