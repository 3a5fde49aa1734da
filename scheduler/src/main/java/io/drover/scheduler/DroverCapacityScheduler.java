// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.core.clone.ClonePriority;
import io.drover.core.config.ClusterSettings;
import io.drover.core.containment.CircuitBreaker;
import io.drover.scheduler.check.SchedulerChecks;
import io.drover.scheduler.clone.CloneManager;
import io.drover.scheduler.evidence.SlowNodeOffers;
import io.drover.scheduler.predict.FailurePrediction;
import io.drover.scheduler.quarantine.NodeQuarantine;
import io.drover.scheduler.statistics.Statistics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.security.PrivilegedAction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
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
import org.apache.hadoop.yarn.util.resource.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's CapacityScheduler, extended by a ceiling for clones, by statistics of machines, and by a
 * quarantine of machines on which most attempts are outliers. Machines that others call slow it
 * offers last. It schedules everything else as Hadoop does.
 *
 * <p>Its settings begin with {@value ClusterSettings#PREFIX} and are in {@code yarn-site.xml} or
 * {@code capacity-scheduler.xml}. {@code yarn rmadmin -refreshQueues} reads the latter again, and
 * also reads from {@code hadoop-policy.xml} who may use the channel. {@link DroverSettings}
 * describes what happens if a setting is bad.
 *
 * <p>Errors in Drover's code do not reach Hadoop's, except those after which a JVM cannot go on.
 * Each method below does what Hadoop's does, and contains what Drover adds.
 */
public class DroverCapacityScheduler extends CapacityScheduler implements CloneManager.Holder {
  private static final Logger LOG = LoggerFactory.getLogger(DroverCapacityScheduler.class);

  private final CloneManager clones;
  private final Statistics statistics;
  private final FailurePrediction prediction;
  private final ChannelPort channel;
  private final DroverSettings settings = new DroverSettings();
  private DroverSettings.Checked inForce = DroverSettings.Checked.OFF;
  private volatile boolean isStarted;

  /** Creates a scheduler. Hadoop calls this by reflection. */
  public DroverCapacityScheduler() {
    this(System::nanoTime);
  }

  /**
   * Creates a scheduler with another clock.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   */
  protected DroverCapacityScheduler(LongSupplier nanos) {
    clones = new CloneManager(this, nanos);
    prediction = new FailurePrediction(this, nanos);
    statistics = new Statistics(this, clones, prediction, nanos);
    channel = new ChannelPort(statistics);
  }

  @Override
  public void serviceInit(Configuration conf) throws Exception {
    super.serviceInit(conf);
    apply(settings.readOrOff(getConfiguration(), getRMContext()));
  }

  /**
   * Applies settings as the user of the ResourceManager, and not as the one who refreshes the
   * queues: threads that start here keep their user, and ask HDFS later.
   */
  private void apply(DroverSettings.Checked checked) {
    contained("The settings", () -> asLoginUser(() -> applyAsLoginUser(checked)));
  }

  private static void asLoginUser(Runnable step) {
    UserGroupInformation itself;
    try {
      itself = UserGroupInformation.getLoginUser();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
    itself.doAs(
        (PrivilegedAction<Void>)
            () -> {
              step.run();
              return null;
            });
  }

  private void applyAsLoginUser(DroverSettings.Checked checked) {
    inForce = checked;
    contained("The settings of clones", () -> clones.configure(checked.cluster()));
    contained("The settings of statistics", () -> statistics.configure(checked.cluster()));
    contained("The settings of prediction", () -> prediction.configure(checked.cluster()));
    if (isStarted) {
      contained("Prediction", () -> prediction.follow(getConfig()));
      contained("The channel", this::openChannel);
    }
  }

  /** Opens the channel, or applies new settings if it is open. Does nothing if Drover is off. */
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
      LOG.error("{}: Drover failed; the scheduler continues without it", what, e);
    }
  }

  @Override
  public void serviceStart() throws Exception {
    super.serviceStart();
    // An exception from these steps would keep the ResourceManager from becoming active.
    contained("Clones", clones::start);
    contained("Statistics", () -> statistics.start(getConfig()));
    contained("Prediction", () -> prediction.follow(getConfig()));
    contained("Metrics", () -> SchedulerMetrics.register(this));
    contained("The channel", this::openChannel);
    if (settings.complaint().isEmpty()) { // otherwise Drover is off, and the log says why
      contained("The checks of the settings", () -> SchedulerChecks.log(getConfiguration()));
    }
    isStarted = true;
  }

  @Override
  public void serviceStop() throws Exception {
    try {
      contained("The channel", channel::close);
      contained("Metrics", SchedulerMetrics::unregister);
      contained("Prediction", prediction::stop);
      contained("Statistics", statistics::stop);
      contained("Clones", clones::stop);
    } finally {
      super.serviceStop();
    }
  }

  /**
   * {@inheritDoc} A refresh applies both the queues and Drover's settings, or neither. Drover's
   * settings are checked before the queues change, and applying them afterwards throws nothing.
   */
  @Override
  public void reinitialize(Configuration conf, RMContext context, boolean validation)
      throws IOException {
    if (validation) {
      super.reinitialize(conf, context, true);
      return;
    }
    synchronized (settings) { // two refreshes must not mix
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

  /** Returns what is wrong with the administrator's settings; empty if nothing is. */
  public Optional<String> complaint() {
    return settings.complaint();
  }

  /** Returns how often settings were read that cannot be used. */
  public long refusedSettings() {
    return settings.refused();
  }

  /** Returns the address at which AppMasters report; empty if the channel is not open. */
  public Optional<InetSocketAddress> channelAddress() {
    return channel.address();
  }

  /** Returns whether the channel's port cannot be opened for now. */
  public boolean isChannelClosed() {
    return channel.isTrying();
  }

  /** Returns how many calls of AppMasters have ended with a status since the channel opened. */
  public long reports(ReportStatus status) {
    return channel.count(status);
  }

  /** Returns how many running applications have reported, whether or not it is learnt from that. */
  public int reporting() {
    return channel.speakers();
  }

  /** Returns the circuit breakers of Drover's parts, by the name of the part. */
  public Map<String, CircuitBreaker> breakers() {
    Map<String, CircuitBreaker> breakers = new TreeMap<>();
    breakers.put("Clones", clones.breaker());
    breakers.put("Learning", statistics.breaker());
    breakers.put("Counting", statistics.counting());
    breakers.put("Keeping", statistics.keeping());
    breakers.put("Predicting", prediction.breaker());
    breakers.put("KeepingJobs", prediction.keeping());
    breakers.put("Quarantine", statistics.quarantine().breaker());
    breakers.put("SlowNodeFile", statistics.slowNodes().fileBreaker());
    breakers.put("SlowDatanodes", statistics.slowNodes().hdfsBreaker());
    breakers.put("SlowNodeOffers", statistics.slowNodeOffers().breaker());
    return breakers;
  }

  /** Returns what the scheduler has learnt of machines and links. */
  public Statistics statistics() {
    return statistics;
  }

  /** Returns what the scheduler predicts of applications. */
  public FailurePrediction prediction() {
    return prediction;
  }

  @Override
  public CloneManager clones() {
    return clones;
  }

  @Override
  public SlowNodeOffers slowNodeOffers() {
    return statistics.slowNodeOffers();
  }

  @Override
  public boolean isClosed(String machine) {
    return statistics.quarantine().isClosed(machine);
  }

  @Override
  public boolean fitsOnOpen(String partition, Resource size) {
    NodeQuarantine quarantine = statistics.quarantine();
    return orElse(quarantine.breaker(), () -> quarantine.fitsOnOpen(partition, size), false);
  }

  @Override
  public Resource closedRoom(String partition) {
    NodeQuarantine quarantine = statistics.quarantine();
    return orElse(quarantine.breaker(), () -> quarantine.room(partition), Resources.none());
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
    Allocation allocation =
        super.allocate(
            attempt,
            ordinary(attempt, requests),
            schedulingRequests,
            released,
            blacklistAdditions,
            blacklistRemovals,
            updates);
    NodeQuarantine quarantine = statistics.quarantine();
    inStep(quarantine.breaker(), () -> quarantine.limitHeadroom(allocation));
    return allocation;
  }

  /** Takes requests for clones out and returns the others. Returns all of them if Drover fails. */
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
    for (ResourceRequest request : requests) { // a stream would cost as much as the rest
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

  /** {@inheritDoc} Never reserves a node for a clone, even if another thread has taken its room. */
  @Override
  @SuppressWarnings("rawtypes") // as in Hadoop's signature
  public boolean tryCommit(Resource total, ResourceCommitRequest request, boolean updatePending) {
    SchedulerContainer<FiCaSchedulerApp, ?> asked = asked(request);
    boolean isClone;
    try {
      isClone = asked != null && isClone(asked.getRmContainer());
    } catch (Throwable cause) {
      if (mayBeClone(asked.getRmContainer(), cause)) {
        // As in Hadoop's tryCommit. Otherwise this would count as given for ever, and not be
        // offered again.
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

  /** Returns the container that is to be allocated or reserved; null if there is none. */
  @SuppressWarnings("unchecked") // CapacityScheduler uses no other types
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

  // Not SchedulerContainer.getSchedulerRequestKey: that takes a lock for every allocation.
  private static Priority priority(RMContainer asked) {
    return asked.getAllocatedSchedulerKey().getPriority();
  }

  /**
   * Returns whether a container must count as a clone's after an error has hidden whether it is
   * one. A clone that starts unseen would never give way, while a container that is refused now is
   * offered again. While clones are off, none are requested, so the container is not a clone's.
   */
  private boolean mayBeClone(RMContainer asked, Throwable cause) {
    boolean areOff = clones.isOff();
    clones.breaker().failed(cause);
    return !areOff && ClonePriority.isClone(priority(asked).getPriority());
  }

  @Override
  protected void completedContainerInternal(
      RMContainer container, ContainerStatus status, RMContainerEventType event) {
    // Once the container is completed, its state no longer tells whether it ran.
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

  /** Returns a step's result, or {@code otherwise} if it throws. The breaker counts the error. */
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

  /** Returns whether a container ran, or its node says so. One that was released first did not. */
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
