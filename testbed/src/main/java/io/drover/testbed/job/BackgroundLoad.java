// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.cluster.Await;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.host.Host;
import io.drover.testbed.job.DemoJobSpec.SampleSpec;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.Records;

/**
 * An application that holds slots of the cluster during a run of {@link Scenario#SAMPLING}. It asks
 * for containers on certain hosts and starts nothing in them, so it takes no processor from the
 * run. A job whose maps hold the slots would not do: YARN gives a job containers elsewhere if it
 * has to wait for the hosts it asked for, so two runs would find different slots free.
 *
 * <p>YARN takes containers back in which nothing was started for 10 minutes. No run lasts longer.
 */
final class BackgroundLoad implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final YarnClient yarn = YarnClient.createYarnClient();
  private final AMRMClient<ContainerRequest> master = AMRMClient.createAMRMClient();
  private final Map<String, Integer> held = new TreeMap<>();

  private BackgroundLoad() {}

  /**
   * Chooses slots at random. One slot of the first host is never chosen, because the AppMaster of
   * the run's own job needs it. A larger load has all slots of a smaller one with the same draw.
   *
   * @return the host of each slot
   */
  static List<Host> slots(List<Host> hosts, int containersPerHost, double load, int draw) {
    List<Host> slots = new ArrayList<>();
    hosts.forEach(host -> slots.addAll(Collections.nCopies(containersPerHost, host)));
    int all = slots.size();
    slots.remove(0);
    Collections.shuffle(slots, new Random(draw));
    return slots.subList(0, (int) Math.round(load * all));
  }

  /**
   * Waits for an empty cluster, and returns when the slots are held.
   *
   * @throws IOException if that takes too long
   */
  static BackgroundLoad start(DroverCluster cluster, SampleSpec sample)
      throws IOException, InterruptedException {
    List<String> left = cluster.awaitNoContainers(LIMIT);
    if (!left.isEmpty()) {
      throw new IOException("other jobs still run: " + left);
    }
    List<Host> slots =
        slots(cluster.hosts(), cluster.containersPerHost(), sample.load(), sample.draw());
    BackgroundLoad started = new BackgroundLoad();
    boolean holds = false;
    try {
      started.register(cluster.clientConf());
      started.hold(slots, cluster.clientConf().getInt(MRJobConfig.MAP_MEMORY_MB, 0));
      holds = true;
      return started;
    } catch (YarnException e) {
      throw new IOException(e);
    } finally {
      if (!holds) {
        started.close();
      }
    }
  }

  /** Registers an application whose AppMaster is this process. */
  private void register(Configuration conf)
      throws IOException, YarnException, InterruptedException {
    yarn.init(conf);
    yarn.start();
    ApplicationSubmissionContext context =
        yarn.createApplication().getApplicationSubmissionContext();
    context.setApplicationName("holds slots");
    context.setUnmanagedAM(true);
    context.setAMContainerSpec(Records.newRecord(ContainerLaunchContext.class));
    ApplicationId id = yarn.submitApplication(context);
    if (!Await.until(LIMIT, PAUSE, () -> isAccepted(id))) {
      throw new IOException("YARN did not accept the application within " + LIMIT);
    }
    UserGroupInformation user =
        UserGroupInformation.createRemoteUser(UserGroupInformation.getCurrentUser().getUserName());
    user.addToken(yarn.getAMRMToken(id));
    user.doAs(
        (PrivilegedExceptionAction<Object>)
            () -> {
              master.init(conf);
              master.start();
              return master.registerApplicationMaster("", 0, "");
            });
  }

  private boolean isAccepted(ApplicationId id) throws IOException {
    try {
      return yarn.getAMRMToken(id) != null;
    } catch (YarnException e) {
      throw new IOException(e);
    }
  }

  private void hold(List<Host> slots, int memory) throws IOException, InterruptedException {
    for (Host host : slots) {
      String[] there = {host.name()};
      Resource size = Resource.newInstance(memory, 1);
      boolean mayBeElsewhere = false;
      master.addContainerRequest(
          new ContainerRequest(size, there, null, Priority.newInstance(1), mayBeElsewhere));
    }
    if (!Await.until(LIMIT, PAUSE, () -> count() == slots.size())) {
      throw new IOException("only " + held + " slots could be held within " + LIMIT);
    }
  }

  /** Takes the containers that have been granted, and returns how many there are in all. */
  private int count() throws IOException {
    try {
      for (Container container : master.allocate(0).getAllocatedContainers()) {
        held.merge(container.getNodeId().getHost(), 1, Integer::sum);
      }
    } catch (YarnException e) {
      throw new IOException(e);
    }
    return held.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Returns how many slots of each host are held; hosts without any are left out. */
  Map<String, Integer> held() {
    return held;
  }

  /** Gives the slots back. */
  @Override
  public void close() throws IOException {
    try {
      if (!held.isEmpty()) {
        master.unregisterApplicationMaster(FinalApplicationStatus.SUCCEEDED, "", "");
      }
    } catch (YarnException e) {
      throw new IOException(e);
    } finally {
      master.stop();
      yarn.stop();
    }
  }
}
