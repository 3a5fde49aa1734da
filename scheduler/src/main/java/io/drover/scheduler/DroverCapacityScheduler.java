// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.core.clone.ClonePriority;
import io.drover.core.config.ClusterSettings;
import io.drover.core.containment.CircuitBreaker;
import io.drover.scheduler.clone.CloneManager;
import io.drover.scheduler.statistics.Statistics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
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
 * anew, and with them who may use the channel, from {@code hadoop-policy.xml}. What becomes of bad
 * ones is said at {@link DroverSettings}.
 *
 * <p>Nothing that goes wrong in Drover's code gets out of it into Hadoop's: each of the methods
 * below does what Hadoop's does, and what is Drover's besides is contained where it is done.
 */
public class DroverCapacityScheduler extends CapacityScheduler implements CloneManager.Holder {
  private static final Logger LOG = LoggerFactory.getLogger(DroverCapacityScheduler.class);

  private final CloneManager clones;
  private final Statistics statistics;
  private final ChannelPort channel;
  private final DroverSettings settings = new DroverSettings();
  private DroverSettings.Checked inForce = DroverSettings.Checked.OFF;
  private volatile boolean isStarted;

  /** Made by Hadoop. */
  public DroverCapacityScheduler() {
    this(System::nanoTime);
  }

  /**
   * With a clock of the caller's.
   *
   * @param nanos never goes back
   */
  protected DroverCapacityScheduler(LongSupplier nanos) {
    clones = new CloneManager(this, nanos);
    statistics = new Statistics(this, clones, nanos);
    channel = new ChannelPort(statistics);
  }

  @Override
  public void serviceInit(Configuration conf) throws Exception {
    super.serviceInit(conf);
    apply(settings.readOrOff(getConfiguration(), getRMContext()));
  }

  private void apply(DroverSettings.Checked checked) {
    inForce = checked;
    contained("The settings of clones", () -> clones.configure(checked.cluster()));
    contained("The settings of statistics", () -> statistics.configure(checked.cluster()));
    if (isStarted) {
      contained("The channel", this::openChannel);
    }
  }

  /** Or takes its settings over, if it is open; where all is off there is none. */
  private void openChannel() {
    inForce
        .channel()
        .ifPresent(conf -> channel.open(conf, getRMContext().getAMRMTokenSecretManager()));
  }

  private static void contained(String what, Runnable step) {
    try {
      step.run();
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      LOG.error("{}: Drover has failed, and the scheduler goes on without", what, e);
    }
  }

  @Override
  public void serviceStart() throws Exception {
    super.serviceStart();
    // What is thrown from here would keep the ResourceManager from becoming active.
    contained("Clones", clones::start);
    contained("Statistics", () -> statistics.start(getConfig()));
    contained("Metrics", () -> SchedulerMetrics.register(this));
    contained("The channel", this::openChannel);
    isStarted = true;
  }

  @Override
  public void serviceStop() throws Exception {
    try {
      contained("The channel", channel::close);
      contained("Metrics", SchedulerMetrics::unregister);
      contained("Statistics", statistics::stop);
      contained("Clones", clones::stop);
    } finally {
      super.serviceStop();
    }
  }

  /**
   * {@inheritDoc} Both the queues and Drover's settings are taken over, or neither is: Drover's are
   * checked before the queues are touched, and taking them over afterwards throws nothing.
   */
  @Override
  public void reinitialize(Configuration conf, RMContext context, boolean validation)
      throws IOException {
    if (validation) {
      super.reinitialize(conf, context, true);
      return;
    }
    synchronized (settings) { // of two refreshes at once each is whole
      if (isStarted) {
        Configuration read = getCsConfProvider().loadConfiguration(new Configuration(conf));
        DroverSettings.Checked checked = settings.readOrRefuse(read, getRMContext());
        super.reinitialize(conf, context, false);
        settings.accept(checked);
        apply(checked);
      } else {
        super.reinitialize(conf, context, false);
        apply(settings.readOrOff(getConfiguration(), getRMContext()));
      }
    }
  }

  /** What is wrong with the administrator's settings; empty if nothing is. */
  public Optional<String> complaint() {
    return settings.complaint();
  }

  /** How often bad settings were read. */
  public long refusedSettings() {
    return settings.refused();
  }

  /** Where AppMasters report. */
  public Optional<InetSocketAddress> channelAddress() {
    return channel.address();
  }

  /** How many calls of AppMasters have ended with a status since this one became active. */
  public long reports(ReportStatus status) {
    return channel.count(status);
  }

  /** What contains errors in each part of Drover's, by the part's name. */
  public Map<String, CircuitBreaker> breakers() {
    Map<String, CircuitBreaker> breakers = new TreeMap<>();
    breakers.put("Clones", clones.breaker());
    breakers.put("Learning", statistics.breaker());
    breakers.put("Keeping", statistics.keeping());
    return breakers;
  }

  /** What it has learnt of machines and links. */
  public Statistics statistics() {
    return statistics;
  }

  @Override
  public CloneManager clones() {
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

  /** What Hadoop's scheduler is to be asked: all of it where Drover fails. */
  private List<ResourceRequest> ordinary(
      ApplicationAttemptId attempt, List<ResourceRequest> requests) {
    try {
      return withoutClones(attempt, requests);
    } catch (Throwable cause) {
      clones.unknown(attempt, cause);
      return requests;
    }
  }

  private List<ResourceRequest> withoutClones(
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
    SchedulerContainer<FiCaSchedulerApp, ?> asked = asked(request);
    boolean isClone;
    try {
      isClone = asked != null && isClone(asked.getRmContainer());
    } catch (Throwable cause) {
      if (mayBeClone(asked.getRmContainer(), cause)) {
        // As Hadoop's tryCommit does: else this counts for ever as given, and is not offered again.
        asked
            .getSchedulerApplicationAttempt()
            .decUnconfirmedRes(request.getTotalAllocatedResource());
        return false;
      }
      isClone = false;
    }
    if (!isClone) {
      return super.tryCommit(total, request, updatePending);
    }
    if (request.getContainersToAllocate().isEmpty()) {
      return false;
    }
    boolean committed = super.tryCommit(total, request, updatePending);
    if (committed) {
      clones.started(asked.getRmContainer());
    }
    return committed;
  }

  /** What is to be given or reserved; null if there is nothing. */
  @SuppressWarnings("unchecked") // there are no others
  private static SchedulerContainer<FiCaSchedulerApp, ?> asked(
      ResourceCommitRequest<?, ?> request) {
    return request.anythingAllocatedOrReserved()
        ? ((ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode>) request)
            .getFirstAllocatedOrReservedContainer()
            .getAllocatedOrReservedContainer()
        : null;
  }

  private boolean isClone(RMContainer asked) {
    return clones.isClone(asked.getApplicationAttemptId().getApplicationId(), priority(asked));
  }

  // Not a SchedulerContainer's getSchedulerRequestKey: that takes a lock, for every allocation.
  private static Priority priority(RMContainer asked) {
    return asked.getAllocatedSchedulerKey().getPriority();
  }

  /**
   * Where it cannot be told whether something is a clone's. A clone that is given unseen would
   * never give way; what is not given now is offered again. While clones are off none is asked for,
   * so what is asked for then is another's.
   */
  private boolean mayBeClone(RMContainer asked, Throwable cause) {
    boolean areOff = clones.isOff();
    clones.breaker().failed(cause);
    return !areOff && ClonePriority.isClone(priority(asked).getPriority());
  }

  @Override
  protected void completedContainerInternal(
      RMContainer container, ContainerStatus status, RMContainerEventType event) {
    // Afterwards nobody can tell whether it ran.
    boolean hasRun =
        orElse(
            statistics.breaker(),
            () -> statistics.listensTo(container) && hasRun(container, event),
            false);
    super.completedContainerInternal(container, status, event);
    inStep(clones.breaker(), () -> clones.ended(container.getContainerId()));
    if (hasRun) {
      inStep(statistics.breaker(), () -> statistics.ended(container));
    }
  }

  /** What a step finds out, on Hadoop's threads; what it throws is left to its part's breaker. */
  private static <T> T orElse(CircuitBreaker breaker, Supplier<T> step, T otherwise) {
    try {
      return step.get();
    } catch (Throwable cause) {
      breaker.failed(cause);
      return otherwise;
    }
  }

  private static void inStep(CircuitBreaker breaker, Runnable step) {
    try {
      step.run();
    } catch (Throwable cause) {
      breaker.failed(cause);
    }
  }

  /** Whether a container ran, or its node says that it did: one that is released before has not. */
  private static boolean hasRun(RMContainer container, RMContainerEventType event) {
    RMContainerState state = container.getState();
    return state == RMContainerState.RUNNING
        || (state == RMContainerState.ACQUIRED && event == RMContainerEventType.FINISHED);
  }

  @Override
  public void recoverContainersOnNode(List<NMContainerStatus> reports, RMNode node) {
    super.recoverContainersOnNode(reports, node);
    if (reports != null) {
      reports.forEach(report -> inStep(clones.breaker(), () -> recoverClone(report)));
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
