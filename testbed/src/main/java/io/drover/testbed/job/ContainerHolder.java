// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.cluster.Await;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
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
 * An application whose AppMaster is this process. It asks for containers and starts nothing in
 * them, so it takes no processor from others. Not for several threads.
 *
 * <p>YARN takes containers back in which nothing was started for 10 minutes.
 */
public final class ContainerHolder implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final YarnClient yarn = YarnClient.createYarnClient();
  private final AMRMClient<ContainerRequest> master = AMRMClient.createAMRMClient();
  private final Map<String, Integer> held = new TreeMap<>();
  private final String name;
  private boolean isRegistered;

  /** Creates an application that is not submitted yet. */
  public ContainerHolder(String name) {
    this.name = name;
  }

  /**
   * Registers the application.
   *
   * @throws IOException if YARN does not accept it
   */
  public void start(Configuration conf) throws IOException, InterruptedException {
    yarn.init(conf);
    yarn.start();
    try {
      ApplicationSubmissionContext context =
          yarn.createApplication().getApplicationSubmissionContext();
      context.setApplicationName(name);
      context.setUnmanagedAM(true);
      context.setAMContainerSpec(Records.newRecord(ContainerLaunchContext.class));
      ApplicationId id = yarn.submitApplication(context);
      if (!Await.until(LIMIT, PAUSE, () -> isAccepted(id))) {
        throw new IOException("YARN did not accept the application within " + LIMIT);
      }
      UserGroupInformation user =
          UserGroupInformation.createRemoteUser(
              UserGroupInformation.getCurrentUser().getUserName());
      user.addToken(yarn.getAMRMToken(id));
      user.doAs(
          (PrivilegedExceptionAction<Object>)
              () -> {
                master.init(conf);
                master.start();
                return master.registerApplicationMaster("", 0, "");
              });
      isRegistered = true;
    } catch (YarnException e) {
      throw new IOException(e);
    }
  }

  private boolean isAccepted(ApplicationId id) throws IOException {
    try {
      return yarn.getAMRMToken(id) != null;
    } catch (YarnException e) {
      throw new IOException(e);
    }
  }

  /**
   * Asks for one more container with the next heartbeat.
   *
   * @param memory in MB
   * @param hosts where it has to be; none: anywhere
   */
  public void ask(int memory, String... hosts) {
    Resource size = Resource.newInstance(memory, 1);
    boolean mayBeElsewhere = hosts.length == 0;
    master.addContainerRequest(
        new ContainerRequest(
            size, mayBeElsewhere ? null : hosts, null, Priority.newInstance(1), mayBeElsewhere));
  }

  /** Takes the containers that have been granted, and returns how many there are in all. */
  public int heartbeat() throws IOException {
    try {
      for (Container container : master.allocate(0).getAllocatedContainers()) {
        held.merge(container.getNodeId().getHost(), 1, Integer::sum);
      }
    } catch (YarnException e) {
      throw new IOException(e);
    }
    return held.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Returns how many containers are held on each host; hosts without any are left out. */
  public Map<String, Integer> held() {
    return held;
  }

  /** Gives the containers back; the application has succeeded. */
  @Override
  public void close() throws IOException {
    end(FinalApplicationStatus.SUCCEEDED);
  }

  /** Gives the containers back. The application has ended in the given way. */
  public void end(FinalApplicationStatus how) throws IOException {
    try {
      if (isRegistered) {
        isRegistered = false;
        master.unregisterApplicationMaster(how, "", "");
      }
    } catch (YarnException e) {
      throw new IOException(e);
    } finally {
      master.stop();
      yarn.stop();
    }
  }
}
