// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.AvoidedNodes;
import io.drover.appmaster.Cloner;
import io.drover.appmaster.CopyAntiAffinity;
import io.drover.appmaster.ReduceOrder;
import io.drover.appmaster.ReducePlacer;
import io.drover.appmaster.TaskKindMapping;
import io.drover.core.clone.ClonePriority;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.model.TaskKind;
import io.drover.speculator.Breakers;
import io.drover.speculator.DroverCounter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
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
import org.apache.hadoop.yarn.client.api.NMTokenCache;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.RackResolver;

/**
 * Hadoop's allocator, which inspects the containers it gets before it assigns them: one on a node
 * that an attempt is to keep away from goes to another attempt, or back; a reduce's goes to one
 * that wants its rack; a clone's to a clone. All others, it is Hadoop that hands out.
 *
 * <p>Everything here happens in the heartbeat or in the handling of a request, both of which hold
 * this object's lock. What goes wrong here must not reach Hadoop, which would end the job. An error
 * costs one step, the decision about one container say, which is then Hadoop's. After several in a
 * row Hadoop hands out all containers for a while, and clones are withdrawn.
 */
public class DroverContainerAllocator extends RMContainerAllocator {
  private final Cloner cloner;
  private final AntiAffinityRequests antiAffinity;
  private final AvoidedNodes avoided;
  private final CloneRequests clones;
  private final ReduceRequests reduces;
  private final WaitingReduces waitingReduces;
  private final Breakers breakers;
  private final CircuitBreaker breaker;
  private final RunningLimits limits = new RunningLimits(this);

  /**
   * As RMContainerAllocator, and:
   *
   * @param antiAffinity where attempts are not to run
   * @param mode whether that is heeded, only looked at, or not
   * @param avoided nodes on which the job wants no more containers
   * @param cloner makes clones, and tells which attempts are
   * @param placer chooses racks for reduces
   * @param order in which reduces get containers
   * @param breakers get one more
   */
  public DroverContainerAllocator(
      ClientService clientService,
      AppContext context,
      AMPreemptionPolicy preemptionPolicy,
      CopyAntiAffinity antiAffinity,
      Mode mode,
      AvoidedNodes avoided,
      Cloner cloner,
      ReducePlacer placer,
      ReduceOrder order,
      Breakers breakers) {
    super(clientService, context, preemptionPolicy);
    this.breakers = breakers;
    this.breaker = breakers.of("Steering containers", DroverCounter.STEERING_OFF, this::letGo);
    this.cloner = cloner;
    this.antiAffinity = new AntiAffinityRequests(this, antiAffinity, mode);
    this.avoided = avoided;
    this.clones = new CloneRequests(this, this.antiAffinity, cloner);
    this.reduces = new ReduceRequests(this, this.antiAffinity, placer);
    this.waitingReduces = new WaitingReduces(this, order);
  }

  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    super.serviceInit(conf);
    limits.read(conf);
  }

  // --- what Hadoop calls

  @Override
  protected ApplicationMasterProtocol createSchedulerProxy() {
    return new SteeringProtocol(createHadoopsProxy(), avoided, this);
  }

  /** What Hadoop's own allocator would talk to. */
  protected ApplicationMasterProtocol createHadoopsProxy() {
    return super.createSchedulerProxy();
  }

  @Override
  protected synchronized void handleEvent(ContainerAllocatorEvent event) {
    TaskAttemptId id = event.getAttemptID();
    switch (event.getType()) {
      case CONTAINER_REQ -> {
        ContainerRequestEvent request = (ContainerRequestEvent) event;
        if (!cloner.isClone(id)) {
          super.handleEvent(event); // which normalizes the size
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
   * Whether an attempt that wants no container any more had a request that only Drover knows of. It
   * is cancelled whether or not Drover steers now, so that no request is left behind. What goes
   * wrong in that must not keep Hadoop from hearing of the end.
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
    antiAffinity.sees(task(id));
  }

  @Override
  protected synchronized void heartbeat() throws Exception {
    breakers.contain("Ending attempts that were held back", cloner::releaseDue);
    breaker.run(waitingReduces::dropCancelled);
    super.heartbeat();
    breaker.run(() -> cloner.heartbeat(clones, getContext().getClock().getTime()));
  }

  @Override
  protected AllocateResponse makeRemoteRequest() throws YarnException, IOException {
    breaker.run(() -> reduces.keepStrict(true));
    AllocateResponse response = super.makeRemoteRequest();
    breaker.run(() -> reduces.onResponse(response));
    if (steers() && cares(response.getAllocatedContainers())) {
      keepTokens(response);
      breaker.run(antiAffinity::prune);
      response.getAllocatedContainers().removeIf(this::isHandedOut);
    }
    return response;
  }

  private boolean cares(List<Container> containers) {
    return antiAffinity.areSome()
        || !clones.requests().isEmpty()
        || reduces.isAiming()
        || (limits.areSet() && clones.areRunning())
        || containers.stream().anyMatch(this::isAvoided);
  }

  /**
   * As Hadoop does, but only when it has got the response back: too late for a container that is
   * handed out before, whose launcher is another thread and finds no token to show to the node. The
   * ResourceManager sends each node's once.
   */
  private static void keepTokens(AllocateResponse response) {
    if (response.getNMTokens() != null) {
      response
          .getNMTokens()
          .forEach(
              token -> NMTokenCache.setNMToken(token.getNodeId().toString(), token.getToken()));
    }
  }

  /**
   * Called by Hadoop when it may be time for more reduces. They are held, for a while, until it is
   * known where the map output lies; then Hadoop decides, as ever, how many it is time for.
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
    if (places && begun && reduces.holds(totalMaps, completedMaps + assignedMaps)) {
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

  /** Whether Drover has a hand in it now; not for a while after several errors. */
  private boolean steers() {
    return !breaker.isOpen();
  }

  /** How many steps have failed. */
  protected final long errors() {
    return breaker.failures();
  }

  /** Hadoop takes over: nothing may be left that only Drover would look after. */
  private void letGo() {
    String why = "containers are handed out by Hadoop alone after errors";
    Stream.<Runnable>of(
            waitingReduces::dropCancelled,
            () -> cloner.endAll(clones, why),
            () -> reduces.keepStrict(false))
        .forEach(step -> breakers.contain("Leaving containers to Hadoop", step));
  }

  // --- what the ResourceManager is told

  /** The hosts where no container is of use now; none where that cannot be told. */
  Set<String> unwanted() {
    return breaker.call(antiAffinity::unwanted, Set.of());
  }

  /** Whether a request for any node is meant for the racks that are named beside it only. */
  boolean isStrict(ResourceRequest request) {
    return reduces.isStrict(request);
  }

  // --- who gets what

  /** Hands a container out, or gives it back; false if Hadoop is to hand it out. */
  private boolean isHandedOut(Container container) {
    Optional<Runnable> step = breaker.call(() -> decide(container), Optional.empty());
    if (step.isEmpty()) {
      return false;
    }
    if (!breaker.run(step.get()) && getAssignedRequests().get(container.getId()) == null) {
      release(container); // nobody has it, and Hadoop is not to give it to a second one
    }
    return true;
  }

  /** What to do with a container; empty if Hadoop is to hand it out. */
  private Optional<Runnable> decide(Container container) {
    Priority priority = container.getPriority();
    if (ClonePriority.isClone(priority.getPriority())) {
      return Optional.of(clones.decide(container));
    }
    boolean isHeldBack = limits.isReached(kind(priority)) && clones.areRunning();
    if (isHeldBack || isAvoided(container)) {
      return Optional.of(elsewhere(container));
    }
    if (isOpportunistic(priority)) {
      return Optional.empty(); // its node is where the queue is short, whatever is asked for
    }
    boolean isReduce = PRIORITY_REDUCE.equals(priority);
    if (isReduce && reduces.isAiming() && !limits.isReached(TaskKind.REDUCE)) {
      Optional<Runnable> step = reduces.decide(container);
      if (step.isPresent()) {
        return step;
      }
    }
    return antiAffinity.decide(container);
  }

  /** Whether less than a while has gone by since a moment. */
  static boolean isWithin(Duration aWhile, long sinceMillis) {
    return System.currentTimeMillis() - sinceMillis < aWhile.toMillis();
  }

  /** Whether a priority is that of OPPORTUNISTIC containers, which take nothing of the headroom. */
  static boolean isOpportunistic(Priority priority) {
    return PRIORITY_OPPORTUNISTIC_MAP.equals(priority);
  }

  private static TaskKind kind(Priority priority) {
    return PRIORITY_REDUCE.equals(priority) ? TaskKind.REDUCE : TaskKind.MAP;
  }

  /** Whether a container is on a host that the job avoids by now. */
  boolean isAvoided(Container container) {
    String host = container.getNodeId().getHost();
    return avoided.contains(host) || isNodeBlacklisted(host);
  }

  /**
   * Gives a container back and asks once more. Hadoop would lose the request in two cases:
   *
   * <ul>
   *   <li>The container came before the ResourceManager heard that its host is avoided. Hadoop
   *       takes the request from its list of those that want the host. If the last in it waits no
   *       more, none is asked for again, and the ResourceManager knows of one fewer than wait.
   *   <li>The job runs as many attempts as it allows, clones among them. Hadoop releases the
   *       container and asks for none. The clones give way in this heartbeat ({@link
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
    return request.isPresent()
        ? () -> giveBack(container, request.get())
        : () -> release(container);
  }

  /** How many attempts may run at once. */
  RunningLimits limits() {
    return limits;
  }

  /**
   * Also while Hadoop hands out all containers: what was handed out before is still in its list.
   */
  @Override
  protected void setRequestLimit(Priority priority, Resource capability, int limit) {
    int[] corrected = {limit};
    breakers.contain(
        "Limits of running attempts", () -> corrected[0] = limits.requests(priority, limit));
    super.setRequestLimit(priority, capability, corrected[0]);
  }

  /** The requests among which an attempt's is, if it waits for a container. */
  Map<TaskAttemptId, ContainerRequest> pending(TaskAttemptId id) {
    if (cloner.isClone(id)) {
      return clones.requests();
    }
    ScheduledRequests scheduled = getScheduledRequests();
    return TaskKindMapping.of(id) == TaskKind.MAP ? scheduled.maps : scheduled.reduces;
  }

  /** All requests that have been made and not been met, those for clones too. */
  Stream<ContainerRequest> waiting() {
    ScheduledRequests scheduled = getScheduledRequests();
    return Stream.of(scheduled.maps, scheduled.reduces, clones.requests())
        .flatMap(requests -> requests.values().stream());
  }

  /** The host of an attempt's container, if it has one. */
  Optional<String> assignedHost(TaskAttemptId id) {
    return Optional.ofNullable(assigned(TaskKindMapping.of(id)).get(id))
        .map(c -> c.getNodeId().getHost());
  }

  /** The containers that attempts of a kind have. */
  Map<TaskAttemptId, Container> assigned(TaskKind kind) {
    AssignedRequests assigned = getAssignedRequests();
    return kind == TaskKind.MAP ? assigned.maps : assigned.reduces;
  }

  /** Whether a container is what was asked for. */
  boolean fits(ContainerRequest request, Container container) {
    return request.priority.equals(container.getPriority())
        && containers(container.getResource(), request.capability) > 0;
  }

  /** How many containers of a size there is room for. */
  int containers(Resource in, Resource size) {
    int fitting =
        ResourceCalculatorUtils.computeAvailableContainers(in, size, getSchedulerResourceTypes());
    return Math.max(0, fitting);
  }

  Task task(TaskAttemptId attempt) {
    return getJob().getTask(attempt.getTaskId());
  }

  static String rack(String host) {
    return RackResolver.resolve(host).getNetworkLocation();
  }

  // --- handing out

  /** Hands a container out, as Hadoop does where it chooses by itself. */
  @SuppressWarnings("unchecked") // the event handler is raw in RMCommunicator
  void give(Container container, ContainerRequest request) {
    TaskAttemptId id = request.attemptID;
    boolean isMap = TaskKindMapping.of(id) == TaskKind.MAP;
    JobCounterUpdateEvent count = new JobCounterUpdateEvent(id.getTaskId().getJobId());
    if (isMap) { // first: the rack may have to be looked up, which may fail
      count.addCounterUpdate(ContainerLocality.of(container, request), 1);
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
   * Gives a container back and asks once more, as Hadoop does with one on a blacklisted node; but
   * an opportunistic one is asked for again as such, where Hadoop asks for a guaranteed one.
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

  /** Gives a container back. */
  void release(Container container) {
    pendingRelease.add(container.getId());
    release(container.getId());
  }
}
