// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.clone.ClonePriority;
import io.drover.core.model.TaskKind;
import io.drover.scheduler.clone.CloneManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;

/** A real ResourceManager with nodes and AppMasters that exist in the test only. */
public final class MockCluster implements AutoCloseable {
  /** At which ordinary containers are asked for. */
  public static final int ORDINARY = 20;

  /** At which clones are asked for. */
  public static final int CLONE = ClonePriority.of(TaskKind.MAP);

  private static final String CAPACITY = "yarn.scheduler.capacity.";

  /** How long nodes and AppMasters may be silent, which they are here: six hours. */
  private static final int SILENCE_MILLIS = 21_600_000;

  /** Whether nodes are looked at by threads of their own, Hadoop's default. */
  static final String ASYNCHRONOUS = CAPACITY + "schedule-asynchronously.enable";

  final MockRM rm;
  private final Optional<Path> files;
  private final List<MockNM> nodes = new ArrayList<>();

  /** With one queue of everything, and Drover's scheduler. */
  public static Configuration configuration() {
    Configuration conf = new YarnConfiguration();
    conf.setClass(
        YarnConfiguration.RM_SCHEDULER, DroverCapacityScheduler.class, ResourceScheduler.class);
    conf.set(CAPACITY + "root.queues", "default");
    conf.set(CAPACITY + "root.default.capacity", "100");
    conf.set(CAPACITY + "maximum-am-resource-percent", "1");
    conf.set(ASYNCHRONOUS, "false");
    conf.set(CAPACITY + "per-node-heartbeat.maximum-offswitch-assignments", "1000");
    conf.set("yarn.drover.clone.round", "5s");
    conf.setInt(YarnConfiguration.RM_NM_EXPIRY_INTERVAL_MS, SILENCE_MILLIS);
    conf.setInt(YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS, SILENCE_MILLIS);
    conf.setInt(YarnConfiguration.RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS, SILENCE_MILLIS);
    return conf;
  }

  /** With queues of the given shares in percent, each of which may grow to everything. */
  static Configuration configuration(Map<String, Integer> queues) {
    Configuration conf = configuration();
    conf.set(CAPACITY + "root.queues", String.join(",", queues.keySet()));
    queues.forEach(
        (name, share) -> {
          conf.set(CAPACITY + "root." + name + ".capacity", share.toString());
          conf.set(CAPACITY + "root." + name + ".maximum-capacity", "100");
          conf.set(CAPACITY + "root." + name + ".user-limit-factor", "100");
        });
    return conf;
  }

  /**
   * With so many nodes of so much memory. Rounds are the test's to make: the scheduler's own would
   * come between the steps of a test that takes long. {@link CloneManager#start} starts them again.
   */
  public MockCluster(Configuration conf, int nodes, int gigabytes) throws Exception {
    Path dir = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "rm");
    files = Optional.of(dir);
    // By default all ResourceManagers of a machine share theirs.
    conf.set(YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR, dir.toUri().toString());
    rm = new MockRM(conf);
    rm.start();
    if (scheduler() instanceof DroverCapacityScheduler drover) {
      drover.clones().stop();
    }
    register(nodes, gigabytes);
  }

  /** Around a ResourceManager that is active, and stays so when this is closed. */
  public MockCluster(MockRM rm, int nodes, int gigabytes) throws Exception {
    files = Optional.empty();
    this.rm = rm;
    register(nodes, gigabytes);
  }

  private void register(int nodes, int gigabytes) throws Exception {
    for (int i = 0; i < nodes; i++) {
      String host = "127.0." + i / 200 + "." + (i % 200 + 1);
      this.nodes.add(rm.registerNode(host + ":1234", gigabytes * 1024, 1000));
    }
    rm.drainEvents();
  }

  /** Its scheduler. */
  public CapacityScheduler scheduler() {
    return (CapacityScheduler) rm.getResourceScheduler();
  }

  /** The clones of its scheduler. */
  public CloneManager clones() {
    return ((DroverCapacityScheduler) scheduler()).clones();
  }

  /** Every node says that it lives, and is given what there is. */
  public void heartbeat() {
    for (MockNM node : nodes) {
      RMNode known = rm.getRMContext().getRMNodes().get(node.getNodeId());
      scheduler().handle(new NodeUpdateSchedulerEvent(known));
    }
  }

  /** How many nodes there are. */
  public int size() {
    return nodes.size();
  }

  /** One node says that it lives. */
  public void heartbeat(int node) {
    RMNode known = rm.getRMContext().getRMNodes().get(nodes.get(node).getNodeId());
    scheduler().handle(new NodeUpdateSchedulerEvent(known));
  }

  /** The share of the memory that is in use or reserved. */
  public double utilisation() {
    Resource used = scheduler().getRootQueue().getQueueResourceUsage().getUsed();
    return (double) used.getMemorySize() / scheduler().getClusterResource().getMemorySize();
  }

  /** The name of a node. */
  public String host(int node) {
    return nodes.get(node).getNodeId().getHost();
  }

  /** The clones on a node. */
  List<RMContainer> clonesOn(int node) {
    return scheduler()
        .getNode(nodes.get(node).getNodeId())
        .getCopiedListOfRunningContainers()
        .stream()
        .filter(container -> App.isClone(container))
        .toList();
  }

  /** Nodes that would have room if their clones were gone, where no node has any. */
  List<String> nodesWhereClonesHoldTheRoomFor(int gigabytes) {
    List<String> held = new ArrayList<>();
    for (int node = 0; node < nodes.size(); node++) {
      FiCaSchedulerNode known = scheduler().getNode(nodes.get(node).getNodeId());
      long free = known.getUnallocatedResource().getMemorySize();
      long clones =
          clonesOn(node).stream().mapToLong(c -> c.getAllocatedResource().getMemorySize()).sum();
      if (free >= gigabytes * 1024L && known.getReservedContainer() == null) {
        return List.of();
      }
      if (clones > 0 && free + clones >= gigabytes * 1024L) {
        held.add(host(node) + ": " + free + " MB free, " + clones + " MB of clones");
      }
    }
    return held;
  }

  /** How many nodes are reserved for somebody. */
  long reservedNodes() {
    return scheduler().getAllNodes().stream()
        .filter(node -> node.getReservedContainer() != null)
        .count();
  }

  /** The preemption policy looks, and what it decides is done. */
  void preempt() {
    scheduler()
        .getSchedulingMonitorManager()
        .getAvailableSchedulingMonitor()
        .getSchedulingEditPolicy()
        .editSchedule();
    rm.drainEvents();
  }

  /** As {@code yarn rmadmin -refreshQueues} does. */
  void refresh(Configuration conf) throws IOException {
    scheduler().reinitialize(conf, rm.getRMContext());
  }

  /** What is asked for. */
  Resource pending() {
    return scheduler().getRootQueue().getQueueResourceUsage().getPending();
  }

  /** An application of a type, whose AppMaster runs. */
  public App submit(String type, String queue, String user) throws Exception {
    boolean asynchronous = rm.getConfig().getBoolean(ASYNCHRONOUS, true);
    RMApp app =
        MockRMAppSubmitter.submit(
            rm,
            MockRMAppSubmissionData.Builder.createWithMemory(1024, rm)
                .withAppName("app")
                .withUser(user)
                .withQueue(queue)
                .withAppType(type)
                .withUnmanagedAM(false)
                .withWaitForAppAcceptedState(!asynchronous)
                .build());
    if (!asynchronous) {
      int number = app.getApplicationId().getId() - 1;
      return new App(MockRM.launchAndRegisterAM(app, rm, nodes.get(number / 4 % nodes.size())));
    }
    MockAM am = MockRM.launchAMWhenAsyncSchedulingEnabled(app, rm);
    am.registerAppAttempt();
    return new App(am);
  }

  /** The container of an AppMaster that has said that its application is over ends. */
  public void endAppMaster(App app) throws Exception {
    ContainerId container = ContainerId.newContainerId(app.am.getApplicationAttemptId(), 1);
    RMContainer known = scheduler().getRMContainer(container);
    MockNM node =
        nodes.stream()
            .filter(one -> one.getNodeId().equals(known.getAllocatedNode()))
            .findFirst()
            .orElseThrow();
    node.nodeHeartbeat(app.am.getApplicationAttemptId(), 1, ContainerState.COMPLETE);
    rm.waitForState(app.am.getApplicationAttemptId().getApplicationId(), RMAppState.FINISHED);
  }

  @Override
  public void close() {
    files.ifPresent(
        dir -> {
          rm.stop();
          FileUtil.fullyDelete(dir.toFile());
        });
  }

  /**
   * Returns a request for one ordinary container of 1 GB at a place, or elsewhere if it is relaxed.
   */
  static ResourceRequest request(String place, boolean relaxed) {
    return request(ORDINARY, place, relaxed);
  }

  static ResourceRequest request(int priority, String place, boolean relaxed) {
    return ResourceRequest.newInstance(
        Priority.newInstance(priority), place, Resource.newInstance(1024, 1), 1, relaxed);
  }

  /** An application, whose AppMaster keeps what it is given. */
  public final class App {
    /** Its AppMaster. */
    public final MockAM am;

    private final List<Container> ordinary = new ArrayList<>();
    private final List<Container> clones = new ArrayList<>();

    private App(MockAM am) {
      this.am = am;
    }

    /** Says how many containers are wanted on top of those it has. */
    public void ask(int priority, int gigabytes, int count) {
      ask(priority, gigabytes, count, null);
    }

    /** The same in a partition. */
    void ask(int priority, int gigabytes, int count, String label) {
      Resource size = Resource.newInstance(gigabytes * 1024, 1);
      ResourceRequest request =
          ResourceRequest.newInstance(
              Priority.newInstance(priority), ResourceRequest.ANY, size, count, true, label);
      keep(allocate(List.of(request), List.of()));
    }

    /** Wants containers on a host, or elsewhere if need be. */
    void askOn(String host, int gigabytes, int count) {
      Resource size = Resource.newInstance(gigabytes * 1024, 1);
      List<ResourceRequest> requests =
          Stream.of(host, NetworkTopology.DEFAULT_RACK, ResourceRequest.ANY)
              .map(
                  place ->
                      ResourceRequest.newInstance(
                          Priority.newInstance(ORDINARY), place, size, count))
              .toList();
      keep(allocate(new ArrayList<>(requests), List.of()));
    }

    /**
     * Says anew in one heartbeat what is wanted at a priority: on hosts, or elsewhere if need be.
     */
    void askOn(int priority, Map<String, Integer> hosts, int count) {
      Resource size = Resource.newInstance(1024, 1);
      List<ResourceRequest> requests = new ArrayList<>();
      Map<String, Integer> places = new TreeMap<>(hosts);
      places.put(NetworkTopology.DEFAULT_RACK, count);
      places.put(ResourceRequest.ANY, count);
      places.forEach(
          (place, here) ->
              requests.add(
                  ResourceRequest.newInstance(Priority.newInstance(priority), place, size, here)));
      keep(allocate(requests, List.of()));
    }

    /** What of it the scheduler has been told at a priority, by place. */
    Map<String, Resource> told(int priority) {
      FiCaSchedulerApp app = scheduler().getApplicationAttempt(am.getApplicationAttemptId());
      Map<String, Resource> told = new TreeMap<>();
      app.getAppSchedulingInfo().getAllResourceRequests().stream()
          .filter(request -> request.getPriority().getPriority() == priority)
          .filter(request -> request.getNumContainers() > 0)
          .forEach(request -> told.put(request.getResourceName(), request.getCapability()));
      return told;
    }

    /** As an AppMaster's heartbeat does, without the way through the ResourceManager's services. */
    private Allocation allocate(List<ResourceRequest> asked, List<ContainerId> released) {
      return scheduler()
          .allocate(
              am.getApplicationAttemptId(),
              asked,
              null,
              released,
              null,
              null,
              new ContainerUpdates());
    }

    /** Says in one heartbeat what is wanted, as it is, and returns the answer. */
    Allocation allocate(ResourceRequest... asked) {
      return allocate(new ArrayList<>(List.of(asked)), List.of());
    }

    /** Takes what it was given. */
    public void pull() {
      keep(allocate(List.of(), List.of()));
    }

    private void keep(Allocation given) {
      for (Container container : given.getContainers()) {
        (ClonePriority.isClone(container.getPriority().getPriority()) ? clones : ordinary)
            .add(container);
      }
    }

    /** Has its containers run: their nodes say so. */
    public void launch() {
      FiCaSchedulerApp app = scheduler().getApplicationAttempt(am.getApplicationAttemptId());
      for (RMContainer container : live()) {
        if (container.getState() == RMContainerState.ACQUIRED) {
          app.containerLaunchedOnNode(container.getContainerId(), container.getAllocatedNode());
        }
      }
    }

    /** Ends some of its ordinary containers. */
    public void release(int count) {
      List<ContainerId> ended = new ArrayList<>();
      while (ended.size() < count && !ordinary.isEmpty()) {
        ended.add(ordinary.remove(0).getId());
      }
      keep(allocate(List.of(), ended));
    }

    /** Ends some of its clones, by chance. */
    void releaseClones(int count, Random random) {
      List<ContainerId> ended = new ArrayList<>();
      while (ended.size() < count && !clones.isEmpty()) {
        ended.add(clones.remove(random.nextInt(clones.size())).getId());
      }
      keep(allocate(List.of(), ended));
    }

    /** How many ordinary containers it has, the AppMaster's own not counted. */
    public long running() {
      return live().stream().filter(c -> !c.isAMContainer() && !isClone(c)).count();
    }

    /** How many containers it waits for at a priority. */
    long pending(int priority) {
      FiCaSchedulerApp app = scheduler().getApplicationAttempt(am.getApplicationAttemptId());
      return app.getAppSchedulingInfo().getSchedulerKeys().stream()
          .filter(key -> key.getPriority().getPriority() == priority)
          .mapToLong(app::getOutstandingAsksCount)
          .sum();
    }

    /** Makes rounds and heartbeats until it has so many clones. */
    public void awaitClones(int count) {
      await()
          .untilAsserted(
              () -> {
                MockCluster.this.clones().round();
                heartbeat();
                assertThat(clones()).isEqualTo(count);
              });
    }

    /** How many clones it has. */
    public long clones() {
      return live().stream().filter(App::isClone).count();
    }

    /** Its containers. */
    Set<ContainerId> containers() {
      return live().stream().map(RMContainer::getContainerId).collect(Collectors.toSet());
    }

    /** What it holds. */
    public List<RMContainer> live() {
      return List.copyOf(
          scheduler().getApplicationAttempt(am.getApplicationAttemptId()).getLiveContainers());
    }

    private static boolean isClone(RMContainer container) {
      return ClonePriority.isClone(container.getAllocatedPriority().getPriority());
    }
  }
}
