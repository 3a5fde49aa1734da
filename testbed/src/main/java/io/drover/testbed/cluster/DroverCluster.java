// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import static io.drover.testbed.host.HostNetwork.MASTER;

import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.ClusterSpec.AppMasterOptions;
import io.drover.testbed.host.Host;
import io.drover.testbed.host.HostNetwork;
import io.drover.testbed.host.MovableClock;
import io.drover.testbed.host.NamespaceNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real Hadoop cluster on this machine, without root: one process with HDFS, ResourceManager and
 * JobHistoryServer, and one NodeManager process for each host, in racks. AppMasters and tasks are
 * real processes too. Closing it kills every process and removes every file. If this process dies
 * for any reason without closing it, the daemons notice and do the same.
 */
public final class DroverCluster implements Cluster {
  private static final Logger LOG = LoggerFactory.getLogger(DroverCluster.class);

  private static final Duration PAUSE = Duration.ofMillis(25);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(30);
  private static final Duration FAILOVER_LIMIT = Duration.ofSeconds(60);

  private final ClusterSpec spec;
  private final Layout layout;
  private final HostNetwork network;
  private final ClusterConf conf;
  private final RunningContainers containers;
  private final Map<String, DaemonProcess> daemons = new LinkedHashMap<>();
  private final Thread hook = new Thread(this::closeAtExit, "drover-cluster-close");
  private int activeResourceManager;
  private boolean closed;

  private DroverCluster(ClusterSpec spec, Layout layout, HostNetwork network) {
    this.spec = spec;
    this.layout = layout;
    this.network = network;
    this.conf = new ClusterConf(spec, network, layout);
    this.containers = new RunningContainers(layout, this::isAlive);
  }

  /** Returns a builder for a cluster; every setting has a default. */
  public static ClusterSpec.Builder builder() {
    return new ClusterSpec.Builder();
  }

  static DroverCluster start(ClusterSpec spec, StartListener listener)
      throws IOException, InterruptedException {
    DroverCluster cluster = make(spec);
    Runtime.getRuntime().addShutdownHook(cluster.hook);
    boolean started = false;
    try {
      cluster.startAll(listener);
      started = true;
      return cluster;
    } finally {
      if (!started) {
        cluster.close();
      }
    }
  }

  /** Makes the directory and the network, in which nothing runs yet; both or none. */
  static DroverCluster make(ClusterSpec spec) throws IOException, InterruptedException {
    Layout layout = StaleDirectories.newDirectory(spec.workBase());
    boolean made = false;
    try {
      StaleDirectories.removeBeside(layout);
      HostNetwork network =
          spec.hostKind().network(spec.racks(), spec.hostsPerRack(), ClusterConf.PORTS);
      DroverCluster cluster = new DroverCluster(spec, layout, network);
      made = true;
      return cluster;
    } finally {
      if (!made) {
        Layout.delete(layout.root());
      }
    }
  }

  @Override
  public Configuration clientConf() {
    return conf.client();
  }

  /** Switches Drover on as the files in conf/ do. */
  @Override
  public Map<String, String> underDrover() {
    return Map.of(
        AppMasterOptions.KEY, AppMasterOptions.forDrover(clientConf().get(AppMasterOptions.KEY)));
  }

  @Override
  public String jobFiles() {
    return "/drover";
  }

  /** Returns all hosts that were started, including dead ones. */
  @Override
  public List<Host> hosts() {
    return network.hosts();
  }

  /** Returns the host with this name. */
  public Host host(String name) {
    return hosts().stream()
        .filter(host -> host.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no host " + name));
  }

  /** Returns the URL of the active ResourceManager's page, for a browser on this machine. */
  public synchronized String resourceManagerPage() {
    return conf.resourceManagerPage(activeResourceManager);
  }

  /** Returns the active ResourceManager's web services URL; {@code /drover} can be appended. */
  public synchronized String resourceManagerServices() {
    return conf.resourceManagerServices(activeResourceManager);
  }

  /** Returns whether the ResourceManager runs Drover's scheduler. */
  public boolean hasDroverScheduler() {
    return spec.droverScheduler();
  }

  /** Returns how many containers fit on a host. */
  public int containersPerHost() {
    return spec.containersPerHost();
  }

  @Override
  public List<Host> liveHosts() {
    return hosts().stream().filter(host -> isAlive(host.name())).toList();
  }

  /** Returns whether the host's NodeManager runs. */
  public synchronized boolean isAlive(String host) {
    return isUp(host(host).name());
  }

  /**
   * Makes a machine die: kills the host's NodeManager and everything in its containers with
   * SIGKILL, and stops its DataNode.
   */
  public synchronized void killNode(String host) throws IOException, InterruptedException {
    DaemonProcess nodeManager = daemons.get(host(host).name());
    nodeManager.kill(); // first, so that it cannot report the end of its containers
    Processes.killUnder(layout.host(host), KILL_LIMIT);
    nodeManager.awaitEnd(KILL_LIMIT);
    if (!network.isApart()) {
      daemons.get(MASTER).command(MasterDaemon.STOP_DATA_NODE + host);
    }
  }

  /**
   * Kills the host's NodeManager with SIGKILL. Its containers go on, and nobody serves their
   * outputs. If the host has a DataNode of its own, that dies too: it is in the same process.
   */
  public synchronized void killNodeManager(String host) throws IOException, InterruptedException {
    DaemonProcess nodeManager = daemons.get(host(host).name());
    nodeManager.kill();
    nodeManager.awaitEnd(KILL_LIMIT);
  }

  /**
   * Makes the machine of the active ResourceManager die, with SIGKILL, and makes the standby
   * active. Works once. Returns when the standby is active.
   *
   * @throws IllegalStateException if there is no standby
   */
  public synchronized void failOver() throws IOException, InterruptedException {
    if (!spec.standbyResourceManager() || activeResourceManager > 0) {
      throw new IllegalStateException("there is no standby ResourceManager");
    }
    DaemonProcess dead = daemons.get(ResourceManagerDaemon.IDS.get(0));
    dead.kill();
    dead.awaitEnd(KILL_LIMIT);
    activeResourceManager = 1;
    String next = ResourceManagerDaemon.IDS.get(1);
    daemons.get(next).command(ResourceManagerDaemon.ACTIVATE);
    Path sign = layout.sign(ResourceManagerDaemon.active(next));
    if (!Await.until(FAILOVER_LIMIT, PAUSE, () -> Files.exists(sign) || !isUp(next))
        || !isUp(next)) {
      throw new ClusterException(
          next + " is not active; its log ends with\n" + daemons.get(next).tail());
    }
  }

  private synchronized boolean isUp(String daemon) {
    return daemons.get(daemon).isAlive();
  }

  @Override
  public boolean isRunning(String jobId) throws IOException {
    return liveContainers().stream().anyMatch(container -> container.isOf(jobId));
  }

  /** Returns every JVM that runs in a container of the cluster now; shells are left out. */
  public List<LiveContainer> liveContainers() throws IOException {
    return containers.live();
  }

  /**
   * Waits until no container runs any more, neither for the operating system nor for YARN.
   *
   * @return what still runs at the end of the limit, for people; empty if nothing does
   */
  public List<String> awaitNoContainers(Duration limit) throws IOException, InterruptedException {
    return containers.awaitNone(limit, clientConf());
  }

  /** Sends a signal, such as {@code STOP}, to a process of the cluster. */
  public void signal(String name, long pid) throws IOException {
    Processes.signal(name, pid);
  }

  /**
   * Returns the network of the hosts.
   *
   * @throws IOException if they are not namespaces
   */
  public NamespaceNetwork namespaces() throws IOException {
    if (network instanceof NamespaceNetwork namespaces) {
      return namespaces;
    }
    throw new ClusterException("this needs hosts that are namespaces: --hosts namespaces");
  }

  /** Returns the process ids of the running daemons, by name; a host's is the host's name. */
  public synchronized Map<String, Long> daemonPids() {
    Map<String, Long> pids = new LinkedHashMap<>();
    daemons.forEach(
        (name, daemon) -> {
          if (daemon.isAlive()) {
            pids.put(name, daemon.pid());
          }
        });
    return pids;
  }

  /** Returns the cluster's directory, with the files of all its daemons. */
  @Override
  public Path directory() {
    return layout.root();
  }

  /** Returns the directory of the daemons' logs. */
  public Path daemonLogs() {
    return layout.logs();
  }

  /** Returns whether each host has a small disk of its own for its local files. */
  public boolean hasSmallDisks() {
    return spec.localDiskMegabytes().isPresent();
  }

  /** Returns the directory of a host's local files: map outputs, and what containers work with. */
  public Path localFiles(String host) {
    Path files = layout.localFiles(host);
    if (!hasSmallDisks()) {
      return files;
    }
    Path asSeenThere = Path.of("/proc", Long.toString(daemonPids().get(host)), "root");
    return asSeenThere.resolve(files.getRoot().relativize(files));
  }

  /**
   * Returns the clock of a host's processes.
   *
   * @throws IOException if it cannot be moved
   */
  public MovableClock clock(String host) throws IOException {
    if (!spec.movableClocks()) {
      throw new ClusterException("the clocks of this cluster cannot be moved");
    }
    return new MovableClock(layout.clock(host(host).name()));
  }

  /** Returns the directory of the logs of a host's containers. */
  public Path containerLogs(String host) {
    return layout.containerLogs(host);
  }

  /** Kills every process and removes the directory. */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    HostNames.forget(hosts());
    try {
      daemons.values().forEach(DaemonProcess::kill);
      Processes.killUnder(layout.root(), KILL_LIMIT);
      for (DaemonProcess daemon : daemons.values()) {
        daemon.awaitEnd(KILL_LIMIT);
      }
      network.close();
      Layout.delete(layout.root());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the cluster was being closed", e);
    } finally {
      if (Thread.currentThread() != hook) {
        removeHook();
      }
    }
  }

  private void startAll(StartListener listener) throws IOException, InterruptedException {
    ClassPath classPath = ClassPath.ofThisProcess(spec.extraClassPath());
    ClusterFiles files = new ClusterFiles(layout, network, classPath, spec.jvmOptions());
    files.write(conf.daemons());
    if (spec.losingHost().isPresent()) {
      MachineHistory.write(layout.statistics(), hostNames(), spec.losingHost().get());
    }
    HostNames.learn(hosts());

    Optional<ClassArchive> archive = Optional.empty();
    if (spec.archiveDir().isPresent()) {
      archive = Optional.of(new ClassArchive(spec.archiveDir().get(), layout, classPath));
    }
    Optional<ClassArchive> missing = archive.filter(present -> !present.exists());
    Set<String> parts = masterParts();
    StartSteps steps =
        new StartSteps(listener, parts.size() + hosts().size() + (missing.isPresent() ? 1 : 0));
    if (missing.isPresent()) {
      files.writeArguments(List.of());
      missing.get().beginToMake();
      startMasters();
      awaitDaemons(parts, steps);
      files.writeArguments(missing.get().awaitAndUse());
      steps.done("class archive (first time only)");
      parts = new LinkedHashSet<>();
    } else {
      files.writeArguments(archive.map(ClassArchive::use).orElse(List.of()));
      startMasters();
    }
    startHosts();
    parts.addAll(hostNames());
    awaitDaemons(parts, steps);
  }

  void startMasters() throws IOException {
    List<String> dataNodes = network.isApart() ? List.of() : hostNames();
    startDaemon(
        MASTER,
        network.on(MASTER),
        Map.of(),
        layout.master(),
        "-Xmx320m",
        MasterDaemon.class,
        dataNodes);
    if (spec.standbyResourceManager()) {
      for (String id : ResourceManagerDaemon.IDS) {
        startDaemon(
            id,
            network.on(MASTER),
            Map.of(),
            layout.master().resolve(id),
            "-Xmx256m",
            ResourceManagerDaemon.class,
            List.of(id));
      }
    }
  }

  private void startHosts() throws IOException {
    for (Host host : hosts()) {
      List<String> on = new ArrayList<>(network.on(host.name()));
      if (hasSmallDisks()) {
        namespaces(); // or all hosts would have the same disk
        int megabytes = spec.localDiskMegabytes().getAsInt();
        on.addAll(Layout.onDiskInMemory(layout.localFiles(host.name()), megabytes));
      }
      startDaemon(
          host.name(),
          on,
          spec.movableClocks() ? clock(host.name()).environment() : Map.of(),
          layout.host(host.name()),
          network.isApart() ? "-Xmx160m" : "-Xmx96m",
          NodeDaemon.class,
          List.of(host.name(), Boolean.toString(network.isApart())));
    }
  }

  private List<String> hostNames() {
    return hosts().stream().map(Host::name).toList();
  }

  private synchronized void startDaemon(
      String name,
      List<String> on,
      Map<String, String> environment,
      Path directory,
      String heap,
      Class<?> main,
      List<String> arguments)
      throws IOException {
    if (closed) { // by a Ctrl-C: a daemon would make the directory again, for good
      throw new ClusterException("the cluster was closed while it started");
    }
    List<String> java = new ArrayList<>();
    java.add(heap);
    java.add("@" + layout.daemonArguments());
    java.add(main.getName());
    java.add(layout.root().toString());
    java.addAll(arguments);
    daemons.put(
        name, DaemonProcess.start(name, on, environment, directory, layout.log(name), java));
  }

  /** Returns the parts of the masters that signal when they serve. Hosts signal by their names. */
  private Set<String> masterParts() {
    Set<String> parts = new LinkedHashSet<>();
    parts.add(MasterDaemon.HDFS);
    if (spec.standbyResourceManager()) {
      parts.add(ResourceManagerDaemon.active(ResourceManagerDaemon.IDS.get(0)));
      parts.add(ResourceManagerDaemon.IDS.get(1));
    } else {
      parts.add(MasterDaemon.RESOURCE_MANAGER);
    }
    parts.add(MasterDaemon.HISTORY_SERVER);
    return parts;
  }

  private void awaitDaemons(Set<String> parts, StartSteps steps)
      throws IOException, InterruptedException {
    Set<String> missing = new LinkedHashSet<>(parts);
    boolean complete =
        Await.until(
            spec.startLimit(),
            PAUSE,
            () -> {
              checkDaemons();
              for (String part : List.copyOf(missing)) {
                if (Files.exists(layout.sign(part))) {
                  missing.remove(part);
                  steps.done(part);
                }
              }
              return missing.isEmpty();
            });
    if (!complete) {
      String late = missing.iterator().next();
      DaemonProcess daemon = daemons.getOrDefault(late, daemons.get(MASTER));
      throw new ClusterException(
          String.format(
              "not up after %d s: %s; the log of %s ends with%n%s",
              spec.startLimit().toSeconds(), missing, daemon.name(), daemon.tail()));
    }
  }

  private synchronized void checkDaemons() throws ClusterException {
    for (DaemonProcess daemon : daemons.values()) {
      if (!daemon.isAlive()) {
        throw new ClusterException(
            "the daemon " + daemon.name() + " has ended; its log ends with\n" + daemon.tail());
      }
    }
  }

  private void closeAtExit() {
    try {
      close();
    } catch (IOException e) {
      LOG.warn("The cluster in {} could not be closed cleanly", layout.root(), e);
    }
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      LOG.debug("The process is already ending; its shutdown hook will find the cluster closed", e);
    }
  }
}
