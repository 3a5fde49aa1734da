// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.config.PlacementSettings;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.mapreduce.v2.app.MRApp;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncherEvent;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NMToken;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.Token;
import org.apache.hadoop.yarn.client.api.NMTokenCache;
import org.apache.hadoop.yarn.proto.YarnServiceProtos.SchedulerResourceTypes;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;

/**
 * A ResourceManager of one application that keeps to the protocol, and gives containers on nodes by
 * chance: the most awkward that an AppMaster can meet. It heeds relaxLocality, nothing else of what
 * is asked.
 */
class FakeScheduler implements ApplicationMasterProtocol {
  private static final int CONTAINER_MB = 1024;

  private final Set<String> deaf = ConcurrentHashMap.newKeySet();
  private final Set<ContainerId> toEnd = ConcurrentHashMap.newKeySet();
  private final Map<String, String> racks = new TreeMap<>();
  private final Map<String, Integer> free = new TreeMap<>();
  private final Random random;
  private final Map<Integer, Map<String, ResourceRequest>> asks = new TreeMap<>();
  private final Map<ContainerId, String> running = new HashMap<>();
  private final List<ContainerStatus> completed = new ArrayList<>();
  private final Map<Integer, Integer> given = new HashMap<>();
  private final Map<ExecutionType, Integer> givenByType = new EnumMap<>(ExecutionType.class);
  private final ApplicationAttemptId application;
  private final Set<NodeId> told = new HashSet<>();
  private final Set<String> avoided = new HashSet<>();
  private final TokensInTime inTime = new TokensInTime();
  private final Set<String> hostsAskedFor = new HashSet<>();
  private final Set<Integer> withheld = new HashSet<>();
  private final Set<String> closed = new HashSet<>();
  private int containers;
  private int taken;

  FakeScheduler(ApplicationAttemptId application, long seed) {
    NMTokenCache.getSingleton().clearCache(); // of the JVM, and this is for another AppMaster
    this.application = application;
    this.random = new Random(seed);
  }

  /** Adds a node with room for so many containers; its name tells its rack. */
  FakeScheduler node(String name, String rack, int room) {
    String host = name + rack.replace('/', '-'); // racks are looked up once in the life of a JVM
    racks.put(host, rack);
    free.put(host, room);
    return this;
  }

  /** Adds so many nodes of one rack, h0 and so on. */
  FakeScheduler nodes(int count, String rack, int room) {
    for (int i = 0; i < count; i++) {
      node("h" + i, rack, room);
    }
    return this;
  }

  /** Somebody else takes all room there is, and that of the next containers to end. */
  synchronized void takeAllRoomAndThatOfTheNext(int endings) {
    free.replaceAll((host, room) -> 0);
    taken = endings;
  }

  /** Each node has room for so many containers now. */
  synchronized void giveRoom(int each) {
    free.replaceAll((host, room) -> each);
  }

  /** Gives no containers of a priority from now on. */
  synchronized FakeScheduler withholds(int priority) {
    withheld.add(priority);
    return this;
  }

  /** Gives containers of a priority again. */
  synchronized void gives(int priority) {
    withheld.remove(priority);
  }

  /** Gives containers on one node only. */
  synchronized void offersOnly(String host) {
    closed.addAll(racks.keySet());
    closed.remove(host);
  }

  /** Gives containers on all nodes again. */
  synchronized void offersAll() {
    closed.clear();
  }

  /** Whether containers of a priority must be where they are asked for by name. */
  synchronized boolean isAskedStrictly(int priority) {
    return !asks.get(priority).get(ResourceRequest.ANY).getRelaxLocality();
  }

  /** How many containers of a priority were given. */
  synchronized int given(int priority) {
    return given.getOrDefault(priority, 0);
  }

  /** How many containers of a priority are asked for now. */
  synchronized int asked(int priority) {
    return asked(priority, ResourceRequest.ANY);
  }

  /** How many containers of a priority are asked for now on a host or in a rack. */
  synchronized int asked(int priority, String name) {
    ResourceRequest ask = asks.getOrDefault(priority, Map.of()).get(name);
    return ask == null ? 0 : ask.getNumContainers();
  }

  /** Whether containers of a priority have been asked for on a host or in a rack, now or before. */
  synchronized boolean wasAskedFor(int priority, String name) {
    return hostsAskedFor.contains(priority + " " + name);
  }

  /** Whether it has been told to give no more containers on a host; it gives them all the same. */
  synchronized boolean isAvoided(String host) {
    return avoided.contains(host);
  }

  /** A container has ended. */
  synchronized void finished(ContainerId container) {
    String host = running.remove(container);
    if (host != null) {
      if (taken > 0) {
        taken--;
      } else {
        free.merge(host, 1, Integer::sum);
      }
      completed.add(
          ContainerStatus.newInstance(
              container, ContainerState.COMPLETE, "", ContainerExitStatus.SUCCESS));
    }
  }

  /** From now on, a node does nothing that the AppMaster wants. */
  void deaf(String host) {
    deaf.add(host);
  }

  /** From now on, all nodes do what the AppMaster wants. */
  void allHear() {
    deaf.clear();
  }

  /**
   * The AppMaster launches or ends a container.
   *
   * @return whether anything comes of it
   */
  boolean launcherHears(ContainerLauncherEvent event) {
    if (event.getType() == ContainerLauncher.EventType.CONTAINER_REMOTE_CLEANUP) {
      toEnd.add(event.getContainerID());
    }
    if (deaf.contains(event.getContainerMgrAddress().split(":")[0])) {
      return false;
    }
    if (event.getType() != ContainerLauncher.EventType.CONTAINER_REMOTE_LAUNCH) {
      finished(event.getContainerID());
    }
    return true;
  }

  /** Returns whether the launcher was to end a container. */
  boolean wasToEnd(ContainerId container) {
    return toEnd.contains(container);
  }

  @Override
  public RegisterApplicationMasterResponse registerApplicationMaster(
      RegisterApplicationMasterRequest request) {
    RegisterApplicationMasterResponse response =
        RegisterApplicationMasterResponse.newInstance(
            Resource.newInstance(CONTAINER_MB, 1),
            Resource.newInstance(64 * CONTAINER_MB, 64),
            Map.of(),
            null,
            List.of(),
            "default",
            List.of());
    response.setSchedulerResourceTypes(EnumSet.of(SchedulerResourceTypes.MEMORY));
    return response;
  }

  @Override
  public FinishApplicationMasterResponse finishApplicationMaster(
      FinishApplicationMasterRequest request) {
    return FinishApplicationMasterResponse.newInstance(true);
  }

  @Override
  public synchronized AllocateResponse allocate(AllocateRequest request) {
    for (ResourceRequest ask : request.getAskList()) {
      asks.computeIfAbsent(ask.getPriority().getPriority(), p -> new HashMap<>())
          .put(ask.getResourceName(), ResourceRequest.clone(ask));
      if (ask.getNumContainers() > 0) {
        hostsAskedFor.add(ask.getPriority().getPriority() + " " + ask.getResourceName());
      }
    }
    request.getReleaseList().forEach(this::finished);
    if (request.getResourceBlacklistRequest() != null) {
      avoided.addAll(request.getResourceBlacklistRequest().getBlacklistAdditions());
      avoided.removeAll(request.getResourceBlacklistRequest().getBlacklistRemovals());
    }
    List<ContainerStatus> over = new ArrayList<>(completed);
    completed.clear();
    List<Container> fresh = new ArrayList<>();
    asks.forEach((priority, names) -> allocate(priority, names, fresh));
    int room = free.values().stream().mapToInt(slots -> Math.max(0, slots)).sum();
    return AllocateResponse.newInstance(
        request.getResponseId() + 1,
        over,
        fresh,
        List.of(),
        Resource.newInstance(room * CONTAINER_MB, room),
        null,
        racks.size(),
        null,
        tokens(fresh));
  }

  /** As the ResourceManager's: each node's with the first container on it. */
  private List<NMToken> tokens(List<Container> fresh) {
    List<NMToken> tokens = new ArrayList<>();
    for (Container container : fresh) {
      NodeId node = container.getNodeId();
      if (told.add(node)) {
        Token token = Token.newInstance(new byte[0], "NMToken", new byte[0], node.toString());
        tokens.add(NMToken.newInstance(node, token));
      }
    }
    return tokens;
  }

  private void allocate(int priority, Map<String, ResourceRequest> names, List<Container> fresh) {
    ResourceRequest any = names.get(ResourceRequest.ANY);
    while (any != null && any.getNumContainers() > 0 && !withheld.contains(priority)) {
      List<String> nodes = new ArrayList<>();
      for (String host : racks.keySet()) {
        boolean wanted =
            any.getRelaxLocality() || counts(names, host) || counts(names, racks.get(host));
        if (wanted && free.get(host) > 0 && !closed.contains(host)) {
          nodes.add(host);
        }
      }
      if (nodes.isEmpty()) {
        return;
      }
      String host = nodes.get(random.nextInt(nodes.size()));
      for (String name : List.of(ResourceRequest.ANY, host, racks.get(host))) {
        if (counts(names, name)) {
          ResourceRequest ask = names.get(name);
          ask.setNumContainers(ask.getNumContainers() - 1);
        }
      }
      free.merge(host, -1, Integer::sum);
      given.merge(priority, 1, Integer::sum);
      Container container = container(host, priority, any.getCapability());
      ExecutionType type = any.getExecutionTypeRequest().getExecutionType();
      container.setExecutionType(type);
      givenByType.merge(type, 1, Integer::sum);
      fresh.add(container);
    }
  }

  private static boolean counts(Map<String, ResourceRequest> names, String name) {
    return names.containsKey(name) && names.get(name).getNumContainers() > 0;
  }

  private Container container(String host, int priority, Resource size) {
    ContainerId id = ContainerId.newContainerId(application, ++containers);
    NodeId node = NodeId.newInstance(host, 1234);
    running.put(id, host);
    long expiry = System.currentTimeMillis() + 600_000;
    Token token =
        MRApp.newContainerToken(
            NodeId.newInstance("127.0.0.1", 1234), // which is looked up
            "password".getBytes(java.nio.charset.StandardCharsets.UTF_8),
            new ContainerTokenIdentifier(
                id, node.toString(), "user", size, expiry, 1, 1, Priority.newInstance(0), 0));
    return Container.newInstance(
        id, node, host + ":8042", size, Priority.newInstance(priority), token);
  }

  /** How many containers of a type were given. */
  synchronized int given(ExecutionType type) {
    return givenByType.getOrDefault(type, 0);
  }

  /** Whether its tokens are there when they may be wanted. */
  TokensInTime tokens() {
    return inTime;
  }

  /** All of them, by name. */
  String[] hosts() {
    return racks.keySet().toArray(String[]::new);
  }

  /** Which host is in which rack. */
  Map<String, String> racks() {
    return Map.copyOf(racks);
  }

  /** Links so narrow that a good rack is worth waiting for. */
  Map<String, PlacementSettings.Link> narrowLinks() {
    Map<String, PlacementSettings.Link> links = new HashMap<>();
    racks.values().forEach(rack -> links.put(rack, new PlacementSettings.Link(1e6, 1e6)));
    return links;
  }
}
