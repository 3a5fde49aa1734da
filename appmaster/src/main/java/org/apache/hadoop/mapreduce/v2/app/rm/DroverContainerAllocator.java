// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.AvoidedNodes;
import io.drover.appmaster.Cloner;
import io.drover.appmaster.CopyAntiAffinity;
import io.drover.appmaster.ReduceOrder;
import io.drover.appmaster.ReducePlacer;
import io.drover.appmaster.TaskKindMapping;
import io.drover.appmaster.input.InputHolders;
import io.drover.appmaster.replicate.Replicator;
import io.drover.appmaster.sampling.SampledJob;
import io.drover.core.clone.ClonePriority;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.model.TaskKind;
import io.drover.speculator.Breakers;
import io.drover.speculator.DroverCounter;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobCounterUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptContainerAssignedEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Hadoop's allocator, which inspects containers before they are assigned. A container on a node
 * that an attempt avoids goes to another attempt or back. A reduce's container goes to a reduce
 * that wants its rack, and a clone's container goes to a clone. Hadoop assigns all others.
 *
 * <p>Everything here runs in the heartbeat or while a request is handled, and both hold this
 * object's lock. An error here must not reach Hadoop, which would end the job. It costs one step,
 * which Hadoop takes instead; after several, all steps for a while, and all clones end.
 */
public class DroverContainerAllocator extends RMContainerAllocator {
  private final Cloner cloner;
  private final AntiAffinityRequests antiAffinity;
  private final AvoidedNodes avoided;
  private final RerunRequests reruns;
  private final CloneRequests clones;
  private final ReduceRequests reduces;
  private final WaitingReduces waitingReduces;
  private final SampleRequests samples;
  private final ReplicaRequests replicas;
  private final Consumer<Cloner.Room> afterHeartbeat;
  private final Breakers breakers;
  private final CircuitBreaker breaker;
  private final RunningLimits limits = new RunningLimits(this);
  private boolean holdsReduces;

  /**
   * Creates the allocator. Parameters that are not listed are those of RMContainerAllocator.
   *
   * @param antiAffinity tells where attempts must not run
   * @param mode whether anti-affinity is applied, only logged, or off
   * @param avoided nodes on which the job wants no more containers
   * @param holders looks up which hosts hold the input of maps
   * @param cloner makes clones and knows them
   * @param placer chooses racks for reduces
   * @param order sorts the waiting reduces
   * @param sampled binds maps to blocks, if the job reads a sample of its input
   * @param replicator has replicas of outputs made
   * @param afterHeartbeat what else is looked at then; contains its errors
   * @param breakers the job's breakers; this adds one
   */
  public DroverContainerAllocator(
      ClientService clientService,
      AppContext context,
      AMPreemptionPolicy preemptionPolicy,
      CopyAntiAffinity antiAffinity,
      Mode mode,
      AvoidedNodes avoided,
      InputHolders holders,
      Cloner cloner,
      ReducePlacer placer,
      ReduceOrder order,
      SampledJob sampled,
      Replicator replicator,
      Consumer<Cloner.Room> afterHeartbeat,
      Breakers breakers) {
    super(clientService, context, preemptionPolicy);
    this.afterHeartbeat = afterHeartbeat;
    this.breakers = breakers;
    this.breaker = breakers.of("Steering containers", DroverCounter.STEERING_OFF, this::letGo);
    this.cloner = cloner;
    this.reruns = new RerunRequests(this, avoided, holders);
    this.antiAffinity = new AntiAffinityRequests(this, antiAffinity, mode, reruns);
    this.avoided = avoided;
    this.samples = new SampleRequests(this, this.antiAffinity, sampled);
    this.clones = new CloneRequests(this, this.antiAffinity, this.samples, cloner);
    this.reduces = new ReduceRequests(this, this.antiAffinity, placer);
    this.waitingReduces = new WaitingReduces(this, order);
    this.replicas = new ReplicaRequests(this, replicator, placer);
  }

  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    super.serviceInit(conf);
    limits.read(conf);
  }

  // --- called by Hadoop

  @Override
  protected ApplicationMasterProtocol createSchedulerProxy() {
    return new SteeringProtocol(createHadoopsProxy(), avoided, this);
  }

  /** Creates the proxy that Hadoop's own allocator would use. */
  protected ApplicationMasterProtocol createHadoopsProxy() {
    return super.createSchedulerProxy();
  }

  @Override
  protected synchronized void handleEvent(ContainerAllocatorEvent event) {
    TaskAttemptId id = event.getAttemptID();
    switch (event.getType()) {
      case CONTAINER_REQ -> {
        ContainerRequestEvent asked = (ContainerRequestEvent) event;
        ContainerRequestEvent request = breaker.call(() -> reruns.instead(asked), asked);
        if (!cloner.isClone(id)) {
          super.handleEvent(request); // which normalizes the size
        }
        breaker.run(() -> note(request));
      }
      case CONTAINER_DEALLOCATE -> {
        if (!isCancelledHere(id)) {
          super.handleEvent(event);
        }
      }
      case CONTAINER_FAILED -> super.handleEvent(event);
    }
  }

  /**
   * Cancels the request of an attempt that no longer wants a container, and returns whether only
   * Drover knew the request. A clone's request is cancelled even while Drover is switched off, so
   * that none is left behind. Errors are contained, so that Hadoop still learns of the end.
   */
  private boolean isCancelledHere(TaskAttemptId id) {
    breakers.contain("Ending requests", () -> cloner.ended(id));
    breakers.contain("Ending requests", () -> clones.cancel(id));
    if (cloner.isClone(id)) {
      return assignedHost(id).isEmpty();
    }
    return breaker.call(() -> waitingReduces.cancelHeld(id), false);
  }

  private void note(ContainerRequestEvent request) {
    TaskAttemptId id = request.getAttemptID();
    if (cloner.isClone(id)) {
      clones.ask(request, getConfig());
    } else {
      clones.sees(id, request.getCapability());
    }
    reduces.sees(request.getHosts());
    samples.sees(id);
    antiAffinity.sees(task(id));
  }

  @Override
  protected synchronized void heartbeat() throws Exception {
    breakers.contain("Ending attempts that were held back", cloner::releaseDue);
    breaker.run(waitingReduces::dropCancelled);
    breaker.run(samples::askAnew);
    breaker.run(reruns::askAnew);
    breakers.contain("Containers for replicas", () -> replicas.heartbeat(clones::starving));
    if (holdsReduces) { // Hadoop looks at reduces only after an event; one without a type is enough
      super.handleEvent(new ContainerAllocatorEvent(null, null));
    }
    super.heartbeat();
    breaker.run(() -> cloner.heartbeat(clones, getContext().getClock().getTime()));
    afterHeartbeat.accept(clones);
  }

  @Override
  protected AllocateResponse makeRemoteRequest() throws YarnException, IOException {
    breaker.run(() -> reduces.keepStrict(true));
    AllocateResponse response = super.makeRemoteRequest();
    breaker.run(() -> reduces.onResponse(response));
    breakers.contain("Containers for replicas", () -> replicas.takeEnds(response));
    if (steers() && cares(response.getAllocatedContainers())) {
      breaker.run(antiAffinity::prune);
      response.getAllocatedContainers().removeIf(this::isHandedOut);
    }
    return response;
  }

  private boolean cares(List<Container> containers) {
    return samples.isOn()
        || replicas.areAny()
        || antiAffinity.areSome()
        || !clones.requests().isEmpty()
        || reduces.isAiming()
        || (limits.areSet() && clones.areRunning())
        || containers.stream().anyMatch(one -> isAvoided(one.getNodeId().getHost()));
  }

  /**
   * Holds reduces for a while until it is known where the map output lies, and then lets Hadoop
   * decide as usual how many to start. With late binding, reduces wait until no map needs their
   * containers. Hadoop calls this when more reduces may be due.
   */
  @Override
  public void scheduleReduces(
      int totalMaps,
      int completedMaps,
      int scheduledMaps,
      int scheduledReduces,
      int assignedMaps,
      int assignedReduces,
      Resource mapSize,
      Resource reduceSize,
      int pendingReduces,
      float rampUpLimit,
      float slowStart) {
    boolean places = steers() && pendingReduces > 0 && reduces.isOn();
    boolean begun = completedMaps >= (int) Math.ceil(slowStart * totalMaps);
    holdsReduces =
        samples.holdsReduces()
            || (places && begun && reduces.holds(totalMaps, completedMaps + assignedMaps));
    if (holdsReduces) {
      return;
    }
    super.scheduleReduces(
        totalMaps,
        completedMaps,
        scheduledMaps,
        scheduledReduces,
        assignedMaps,
        assignedReduces,
        mapSize,
        reduceSize,
        pendingReduces,
        rampUpLimit,
        slowStart);
    breaker.run(waitingReduces::sort);
    if (places) {
      breaker.run(reduces::aim);
    }
  }

  /** Ends no reduce for a map if workers, which end at once, make room for it. */
  @Override
  boolean preemptReducesIfNeeded() {
    return !replicas.makeRoomFor(getScheduledRequests().maps) && super.preemptReducesIfNeeded();
  }

  @Override
  public void rampUpReduces(int count) {
    int before = getNumOfPendingReduces();
    if (!breaker.run(() -> waitingReduces.rampUp(count)) && getNumOfPendingReduces() == before) {
      super.rampUpReduces(count);
    }
  }

  void rampUpAsHadoop(int count) {
    super.rampUpReduces(count);
  }

  void rampDownAsHadoop(int count) {
    super.rampDownReduces(count);
  }

  /** Returns whether Drover assigns containers now. It pauses after several errors in a row. */
  private boolean steers() {
    return !breaker.isOpen();
  }

  /** Returns how many steps have failed. */
  protected final long errors() {
    return breaker.failures();
  }

  /** Removes everything that only Drover would look after, before Hadoop takes over. */
  private void letGo() {
    String why = "after errors, Hadoop alone assigns containers";
    Stream.<Runnable>of(
            waitingReduces::dropCancelled,
            () -> cloner.endAll(clones, why),
            () -> replicas.endAll(why),
            () -> reduces.keepStrict(false))
        .forEach(step -> breakers.contain("Leaving containers to Hadoop", step));
  }

  // --- requests to the ResourceManager

  /** Returns the hosts on which nobody who waits would take a container; none after an error. */
  Set<String> unwanted() {
    return breaker.call(
        () -> waiting().findAny().isPresent() ? antiAffinity.unwanted() : replicas.unwanted(),
        Set.of());
  }

  /** Returns whether a request for any node must be met in the racks that are requested with it. */
  boolean isStrict(ResourceRequest request) {
    return reduces.isStrict(request) || replicas.isStrict(request);
  }

  // --- choosing an attempt for a container

  /** Hands a container out or gives it back. Returns false if Hadoop should assign it. */
  private boolean isHandedOut(Container container) {
    Optional<Runnable> step = breaker.call(() -> decide(container), Optional.empty());
    if (step.isEmpty()) {
      return false;
    }
    if (!breaker.run(step.get()) && getAssignedRequests().get(container.getId()) == null) {
      release(container); // the step failed, and Hadoop must not assign the container again
    }
    return true;
  }

  /** Decides what to do with a container. Returns empty if Hadoop should assign it. */
  private Optional<Runnable> decide(Container container) {
    Priority priority = container.getPriority();
    if (ReplicaRequests.isOne(container)) {
      return Optional.of(replicas.decide(container));
    }
    if (ClonePriority.isClone(priority.getPriority())) {
      return Optional.of(clones.decide(container));
    }
    boolean isReduce = PRIORITY_REDUCE.equals(priority);
    TaskKind kind = isReduce ? TaskKind.REDUCE : TaskKind.MAP;
    boolean isHeldBack = limits.isReached(kind) && clones.areRunning();
    if (isHeldBack || isAvoided(container.getNodeId().getHost())) {
      return Optional.of(elsewhere(container));
    }
    if (isOpportunistic(priority)) {
      return Optional.empty(); // it runs where the queue is short, not on requested nodes
    }
    if (isReduce && reduces.isAiming() && !limits.isReached(TaskKind.REDUCE)) {
      Optional<Runnable> step = reduces.decide(container);
      if (step.isPresent()) {
        return step;
      }
    }
    Optional<Runnable> bound = samples.decide(container);
    return bound.isPresent() ? bound : antiAffinity.decide(container);
  }

  /** Returns whether a priority is for OPPORTUNISTIC containers, which use no headroom. */
  static boolean isOpportunistic(Priority priority) {
    return PRIORITY_OPPORTUNISTIC_MAP.equals(priority);
  }

  /** Returns whether the job avoids a host by now. */
  boolean isAvoided(String host) {
    return avoided.contains(host) || isNodeBlacklisted(host);
  }

  /**
   * Returns a step that gives a container back and repeats its request. Hadoop would lose the
   * request in two cases:
   *
   * <ul>
   *   <li>The container was allocated before the ResourceManager learned that its host is avoided.
   *       Hadoop takes the request from its list of requests for that host. If the last request in
   *       the list no longer waits, Hadoop repeats none, and the ResourceManager knows of one
   *       request fewer than are waiting.
   *   <li>The job runs as many attempts as it allows, some of them clones. Hadoop releases the
   *       container and repeats no request. The clones give way in this heartbeat ({@link
   *       CloneRequests#starving}), and the next container is taken.
   * </ul>
   */
  private Runnable elsewhere(Container container) {
    ScheduledRequests scheduled = getScheduledRequests();
    Optional<ContainerRequest> request =
        ContainerLocality.nearest(
            container,
            Stream.of(scheduled.maps, scheduled.reduces)
                .flatMap(requests -> requests.values().stream())
                .filter(waiting -> fits(waiting, container)));
    return request
        .<Runnable>map(r -> () -> giveBack(container, r))
        .orElse(() -> release(container));
  }

  RunningLimits limits() {
    return limits;
  }

  /**
   * Corrects a limit even while Hadoop assigns all containers, because Hadoop's list still holds
   * requests that Drover has met before.
   */
  @Override
  protected void setRequestLimit(Priority priority, Resource capability, int limit) {
    int[] corrected = {limit};
    breakers.contain(
        "Limits of running attempts", () -> corrected[0] = limits.requests(priority, limit));
    super.setRequestLimit(priority, capability, corrected[0]);
  }

  /** Returns the requests that include an attempt's request, if it waits for a container. */
  Map<TaskAttemptId, ContainerRequest> pending(TaskAttemptId id) {
    if (cloner.isClone(id)) {
      return clones.requests();
    }
    ScheduledRequests scheduled = getScheduledRequests();
    return TaskKindMapping.of(id) == TaskKind.MAP ? scheduled.maps : scheduled.reduces;
  }

  /** Returns all requests that have no container yet, including those for clones. */
  Stream<ContainerRequest> waiting() {
    ScheduledRequests scheduled = getScheduledRequests();
    return Stream.of(scheduled.maps, scheduled.reduces, clones.requests())
        .flatMap(requests -> requests.values().stream());
  }

  /** Returns the host of an attempt's container, if it has one. */
  Optional<String> assignedHost(TaskAttemptId id) {
    return Optional.ofNullable(assigned(TaskKindMapping.of(id)).get(id))
        .map(c -> c.getNodeId().getHost());
  }

  /** Returns the containers that attempts of a kind have. */
  Map<TaskAttemptId, Container> assigned(TaskKind kind) {
    AssignedRequests assigned = getAssignedRequests();
    return kind == TaskKind.MAP ? assigned.maps : assigned.reduces;
  }

  /** Returns whether a container has the priority of a request and is large enough. */
  boolean fits(ContainerRequest request, Container container) {
    return request.priority.equals(container.getPriority())
        && containers(container.getResource(), request.capability) > 0;
  }

  /** Returns how many containers of a size fit into a resource. */
  int containers(Resource in, Resource size) {
    var types = getSchedulerResourceTypes();
    return Math.max(0, ResourceCalculatorUtils.computeAvailableContainers(in, size, types));
  }

  Task task(TaskAttemptId attempt) {
    return getJob().getTask(attempt.getTaskId());
  }

  // --- handing out containers

  /** Assigns a container to a request with the same steps as Hadoop's own assignment. */
  @SuppressWarnings("unchecked") // the event handler is raw in RMCommunicator
  void give(Container container, ContainerRequest request) {
    TaskAttemptId id = request.attemptID;
    JobCounterUpdateEvent count = new JobCounterUpdateEvent(id.getTaskId().getJobId());
    boolean isMap = TaskKindMapping.of(id) == TaskKind.MAP;
    if (isMap) { // first: the rack may have to be looked up, which may fail
      JobCounter near =
          samples
              .locality(id, container.getNodeId().getHost())
              .orElseGet(() -> ContainerLocality.of(container, request));
      count.addCounterUpdate(near, 1);
    }
    decContainerReq(request);
    pending(id).remove(id);
    getAssignedRequests().add(container, id);
    eventHandler.handle(new TaskAttemptContainerAssignedEvent(id, container, applicationACLs));
    if (isMap) {
      eventHandler.handle(count);
    }
  }

  /**
   * Gives a container back and repeats its request, as Hadoop does for a container on a blacklisted
   * node. But an opportunistic request stays opportunistic, while Hadoop would repeat it as a
   * guaranteed one.
   */
  void giveBack(Container container, ContainerRequest request) {
    decContainerReq(request);
    if (isOpportunistic(request.priority)) {
      addOpportunisticResourceRequest(request.priority, request.capability);
    } else {
      addContainerReq(request);
    }
    release(container);
  }

  void release(Container container) {
    pendingRelease.add(container.getId());
    release(container.getId());
  }
}
