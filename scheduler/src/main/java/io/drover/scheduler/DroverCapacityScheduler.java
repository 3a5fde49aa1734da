// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import io.drover.channel.ChannelService;
import io.drover.channel.Verdict;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.ChannelSettings;
import io.drover.core.config.ClusterSettings;
import io.drover.scheduler.clone.ClonePlacementAllocator;
import io.drover.scheduler.clone.Clones;
import io.drover.scheduler.statistics.Statistics;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's CapacityScheduler, with clones under a ceiling. Everything that is not a clone's goes
 * the way it always went.
 *
 * <p>Its settings are those under {@value ClusterSettings#PREFIX}, in {@code yarn-site.xml} or
 * {@code capacity-scheduler.xml}; from the latter {@code yarn rmadmin -refreshQueues} reads them
 * anew, and with them who may use the channel, from {@code hadoop-policy.xml}. Bad ones are refused
 * with the key, the value and what is allowed: at the start no clone is run then, later the old
 * settings stay.
 */
public class DroverCapacityScheduler extends CapacityScheduler implements Clones.Holder {
  private static final Logger LOG = LoggerFactory.getLogger(DroverCapacityScheduler.class);

  private final Clones clones = new Clones(this);
  private final Statistics statistics = new Statistics(this, clones);
  private volatile ChannelService channel;

  @Override
  public void serviceInit(Configuration conf) throws Exception {
    super.serviceInit(conf);
    configure(settingsAtStart());
  }

  private void configure(ClusterSettings settings) {
    clones.configure(settings);
    statistics.configure(settings);
  }

  private ClusterSettings settingsAtStart() {
    try {
      placeClones(getRMContext().getYarnConfiguration());
      return settings();
    } catch (BadSettingException e) {
      LOG.error("Drover runs no clones: {}", e.getMessage());
      return ClusterSettings.off();
    } catch (RuntimeException e) {
      LOG.error("Drover runs no clones, because of an error", e);
      return ClusterSettings.off();
    }
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

  private ClusterSettings settings() throws BadSettingException {
    Map<String, String> ours = getConfiguration().getPropsWithPrefix(ClusterSettings.PREFIX);
    return ClusterSettings.read(
        ours.keySet().stream().map(ClusterSettings.PREFIX::concat).toList(),
        key -> ours.get(key.substring(ClusterSettings.PREFIX.length())));
  }

  @Override
  public void serviceStart() throws Exception {
    super.serviceStart();
    try {
      clones.start();
      statistics.start(getConfig());
      SchedulerMetrics.register(clones);
      openChannel();
    } catch (RuntimeException e) {
      // Thrown on, it would keep the ResourceManager from becoming active.
      LOG.error("Drover has not started whole", e);
    }
  }

  /** The scheduler goes on without it. */
  private void openChannel() {
    ChannelService opened =
        new ChannelService(statistics, getRMContext().getAMRMTokenSecretManager());
    try {
      opened.init(channelConfiguration(getConfig()));
      opened.start();
      channel = opened;
    } catch (IOException | YarnException | RuntimeException e) {
      opened.stop();
      LOG.error("Drover takes no reports of AppMasters", e);
    }
  }

  /**
   * A configuration with what {@code capacity-scheduler.xml} says of the channel in it, and what
   * {@code hadoop-policy.xml} does, which is read anew.
   */
  private Configuration channelConfiguration(Configuration base) throws IOException, YarnException {
    Configuration conf = new Configuration(base);
    String prefix = ChannelSettings.PREFIX;
    getConfiguration()
        .getPropsWithPrefix(prefix)
        .forEach((key, value) -> conf.set(prefix + key, value));
    if (getConfig().getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false)) {
      InputStream policy =
          getRMContext()
              .getConfigurationProvider()
              .getConfigurationInputStream(
                  getConfig(), YarnConfiguration.HADOOP_POLICY_CONFIGURATION_FILE);
      if (policy != null) {
        conf.addResource(policy);
      }
    }
    return conf;
  }

  @Override
  public void serviceStop() throws Exception {
    try {
      if (channel != null) {
        channel.stop();
      }
      SchedulerMetrics.unregister();
      statistics.stop();
      clones.stop();
    } finally {
      super.serviceStop();
    }
  }

  @Override
  public void reinitialize(Configuration conf, RMContext context, boolean validation)
      throws IOException {
    super.reinitialize(conf, context, validation);
    if (!validation) {
      try {
        ClusterSettings now = settings();
        if (channel != null) {
          channel.refresh(channelConfiguration(getConfiguration()));
        }
        configure(now);
      } catch (BadSettingException | YarnException | RuntimeException e) {
        throw new IOException("Drover's settings stay as they were: " + e.getMessage(), e);
      }
    }
  }

  /** Where AppMasters report. */
  public Optional<InetSocketAddress> channelAddress() {
    return channel == null ? Optional.empty() : channel.address();
  }

  /** How many calls of AppMasters have ended in a verdict since this one became active. */
  public long reports(Verdict verdict) {
    return channel == null ? 0 : channel.count(verdict);
  }

  /** What it has learnt of machines and links. */
  public Statistics statistics() {
    return statistics;
  }

  @Override
  public Clones clones() {
    return clones;
  }

  @Override
  public Allocation allocate(
      ApplicationAttemptId attempt,
      List<ResourceRequest> requests,
      List<SchedulingRequest> schedulingRequests,
      List<ContainerId> released,
      List<String> blacklistAdditions,
      List<String> blacklistRemovals,
      ContainerUpdates updates) {
    return super.allocate(
        attempt,
        ordinary(attempt, requests),
        schedulingRequests,
        released,
        blacklistAdditions,
        blacklistRemovals,
        updates);
  }

  private List<ResourceRequest> ordinary(
      ApplicationAttemptId attempt, List<ResourceRequest> requests) {
    for (ResourceRequest request : requests) { // a stream would cost as much as all the rest
      if (isClone(attempt, request)) {
        normalizeResourceRequests(requests);
        return clones.keepBack(attempt, requests);
      }
    }
    return requests;
  }

  private boolean isClone(ApplicationAttemptId attempt, ResourceRequest request) {
    return clones.isClone(attempt.getApplicationId(), request.getPriority());
  }

  /** {@inheritDoc} No node is reserved for a clone, even if two threads were after its room. */
  @Override
  @SuppressWarnings("rawtypes") // as Hadoop's
  public boolean tryCommit(Resource total, ResourceCommitRequest request, boolean updatePending) {
    RMContainer clone = clone(request);
    if (clone == null) {
      return super.tryCommit(total, request, updatePending);
    }
    if (request.getContainersToAllocate().isEmpty()) {
      return false;
    }
    boolean committed = super.tryCommit(total, request, updatePending);
    if (committed) {
      clones.started(clone);
    }
    return committed;
  }

  /** The clone's container that is to be given or reserved; null if it is another's, or none. */
  @SuppressWarnings("unchecked") // there are no others
  private RMContainer clone(ResourceCommitRequest<?, ?> request) {
    if (!request.anythingAllocatedOrReserved()) {
      return null;
    }
    SchedulerContainer<FiCaSchedulerApp, FiCaSchedulerNode> container =
        ((ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode>) request)
            .getFirstAllocatedOrReservedContainer()
            .getAllocatedOrReservedContainer();
    RMContainer asked = container.getRmContainer();
    // Not the container's own getSchedulerRequestKey: that takes a lock, for every allocation.
    return clones.isClone(
            container.getSchedulerApplicationAttempt().getApplicationId(),
            asked.getAllocatedSchedulerKey().getPriority())
        ? asked
        : null;
  }

  @Override
  protected void completedContainerInternal(
      RMContainer container, ContainerStatus status, RMContainerEventType event) {
    super.completedContainerInternal(container, status, event);
    clones.ended(container.getContainerId());
    statistics.ended(container);
  }

  @Override
  public void recoverContainersOnNode(List<NMContainerStatus> reports, RMNode node) {
    super.recoverContainersOnNode(reports, node);
    if (reports != null) {
      reports.forEach(this::recoverClone);
    }
  }

  private void recoverClone(NMContainerStatus report) {
    ContainerId id = report.getContainerId();
    if (clones.isClone(id.getApplicationAttemptId().getApplicationId(), report.getPriority())) {
      RMContainer container = getRMContainer(id);
      if (container != null) {
        clones.recovered(container);
      }
    }
  }
}
