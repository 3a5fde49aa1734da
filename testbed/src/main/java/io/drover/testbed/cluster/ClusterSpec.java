// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.host.HostKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Describes a cluster. Hosts are called {@code n1}, {@code n2}…, racks {@code /rack1}, {@code
 * /rack2}…; the first {@code hostsPerRack} hosts are in the first rack, and so on.
 *
 * @param hostKind what the hosts are
 * @param racks number of racks
 * @param hostsPerRack number of hosts in each rack
 * @param containersPerHost number of containers that fit on a host
 * @param droverScheduler whether the ResourceManager runs Drover's scheduler, and jobs talk to it
 * @param standbyResourceManager whether there is a second ResourceManager as a standby
 * @param nodeExpiry how long a NodeManager may be silent before the ResourceManager gives it up
 * @param startLimit how long the start may take
 * @param localDiskMegabytes the size of a disk that each host has for map outputs and working
 *     directories, apart from all others; empty if they share the disk of this machine. It needs
 *     hosts that are namespaces
 * @param losingHost a host of which Drover's scheduler knows from the beginning that it often loses
 *     map outputs; empty for none
 * @param movableClocks whether the clocks of the hosts can be put forward and back
 * @param extraClassPath jars and class directories for every daemon, AppMaster and task, besides
 *     what is on the class path of the process that starts the cluster
 * @param jvmOptions options for every daemon, AppMaster and task
 * @param daemonConf properties for every daemon; they override the cluster's own
 * @param jobConf properties for every client and so for every job; they override the cluster's own
 * @param workBase the directory in which the cluster creates the one it lives in until it is closed
 * @param archiveDir where class archives are kept from one cluster to the next; if empty, none is
 *     used, and every process starts slower
 */
public record ClusterSpec(
    HostKind hostKind,
    int racks,
    int hostsPerRack,
    int containersPerHost,
    boolean droverScheduler,
    boolean standbyResourceManager,
    Duration nodeExpiry,
    Duration startLimit,
    OptionalInt localDiskMegabytes,
    Optional<String> losingHost,
    boolean movableClocks,
    List<Path> extraClassPath,
    List<String> jvmOptions,
    Map<String, String> daemonConf,
    Map<String, String> jobConf,
    Path workBase,
    Optional<Path> archiveDir) {

  /** Checks the numbers and copies the collections. */
  public ClusterSpec {
    extraClassPath = List.copyOf(extraClassPath);
    jvmOptions = List.copyOf(jvmOptions);
    daemonConf = Map.copyOf(daemonConf);
    jobConf = Map.copyOf(jobConf);
    Objects.requireNonNull(losingHost, "losingHost");
    Objects.requireNonNull(archiveDir, "archiveDir");
    if (racks < 1 || hostsPerRack < 1 || racks * hostsPerRack > 200) {
      throw new IllegalArgumentException(
          "a cluster needs 1 to 200 hosts, not " + racks + " racks of " + hostsPerRack);
    }
    if (containersPerHost < 2) {
      throw new IllegalArgumentException(
          "a host needs room for at least 2 containers, not " + containersPerHost);
    }
    if (nodeExpiry.toSeconds() < 1) {
      throw new IllegalArgumentException("the node expiry must be at least 1 s, not " + nodeExpiry);
    }
  }

  /** Collects a {@link ClusterSpec} and starts it. */
  public static final class Builder {
    private HostKind hostKind = HostKind.LOOPBACK;
    private int racks = 3;
    private int hostsPerRack = 2;
    private int containersPerHost = 4;
    private boolean droverScheduler;
    private boolean standbyResourceManager;
    private Duration nodeExpiry = Duration.ofMinutes(2);
    private Duration startLimit = Duration.ofMinutes(2);
    private OptionalInt localDiskMegabytes = OptionalInt.empty();
    private Optional<String> losingHost = Optional.empty();
    private boolean movableClocks;
    private final List<Path> extraClassPath = new ArrayList<>();
    private final List<String> jvmOptions = new ArrayList<>();
    private final Map<String, String> daemonConf = new LinkedHashMap<>();
    private final Map<String, String> jobConf = new LinkedHashMap<>();
    private Path workBase = Path.of(System.getProperty("java.io.tmpdir"));
    private Optional<Path> archiveDir =
        Optional.ofNullable(System.getProperty("drover.archives")).map(Path::of);

    Builder() {}

    /** Sets what the hosts are: loopback addresses by default. */
    public Builder hosts(HostKind kind) {
      hostKind = kind;
      return this;
    }

    /** Sets the shape: 3 racks of 2 hosts by default. */
    public Builder shape(int newRacks, int newHostsPerRack) {
      racks = newRacks;
      hostsPerRack = newHostsPerRack;
      return this;
    }

    /** Sets how many containers fit on each host: 4 by default. */
    public Builder containersPerHost(int containers) {
      containersPerHost = containers;
      return this;
    }

    /** Uses Drover's scheduler instead of Hadoop's, and a channel from the jobs to it. */
    public Builder droverScheduler() {
      droverScheduler = true;
      return this;
    }

    /** Adds a second ResourceManager, so that the first may die: {@link DroverCluster#failOver}. */
    public Builder standbyResourceManager() {
      standbyResourceManager = true;
      return this;
    }

    /** Sets when a silent node is given up: after 120 s by default (stock Hadoop: 600 s). */
    public Builder nodeExpiry(Duration expiry) {
      nodeExpiry = expiry;
      return this;
    }

    /** Sets how long the start may take: 120 s by default. */
    public Builder startLimit(Duration limit) {
      startLimit = limit;
      return this;
    }

    /** Gives each host, which must be a namespace, a small disk of its own for its local files. */
    public Builder localDisk(int megabytes) {
      localDiskMegabytes = OptionalInt.of(megabytes);
      return this;
    }

    /**
     * Lets Drover's scheduler begin as if a host had lost nine tenths of its map outputs so far.
     */
    public Builder losingHost(String name) {
      losingHost = Optional.of(name);
      return this;
    }

    /** Lets the clocks of hosts be moved: {@link DroverCluster#clock}. It needs libfaketime. */
    public Builder movableClocks() {
      movableClocks = true;
      return this;
    }

    /** Adds a jar or a directory of classes for every process of the cluster. */
    public Builder addClassPath(Path jarOrDirectory) {
      extraClassPath.add(jarOrDirectory);
      return this;
    }

    /** Adds an option for the JVM of every process of the cluster. */
    public Builder jvmOption(String option) {
      jvmOptions.add(option);
      return this;
    }

    /** Sets a property for every daemon, which overrides the cluster's own. */
    public Builder daemonConf(String key, String value) {
      daemonConf.put(key, value);
      return this;
    }

    /** Sets a property for every job, which overrides the cluster's own. */
    public Builder jobConf(String key, String value) {
      jobConf.put(key, value);
      return this;
    }

    /** Sets where the cluster's own directory is created: the temporary directory by default. */
    public Builder workBase(Path directory) {
      workBase = directory;
      return this;
    }

    /**
     * Sets where class archives are kept. The default is the directory that the system property
     * {@code drover.archives} names, which bin/drover sets; without that property, nowhere.
     */
    public Builder archiveDir(Path directory) {
      archiveDir = Optional.of(directory);
      return this;
    }

    /** Uses no class archives. Every process then starts slower. */
    public Builder withoutArchive() {
      archiveDir = Optional.empty();
      return this;
    }

    /** Returns the specification. */
    public ClusterSpec build() {
      return new ClusterSpec(
          hostKind,
          racks,
          hostsPerRack,
          containersPerHost,
          droverScheduler,
          standbyResourceManager,
          nodeExpiry,
          startLimit,
          localDiskMegabytes,
          losingHost,
          movableClocks,
          extraClassPath,
          jvmOptions,
          daemonConf,
          jobConf,
          workBase,
          archiveDir);
    }

    /** Starts the cluster and waits until every daemon serves. */
    public DroverCluster start(StartListener listener) throws IOException, InterruptedException {
      return DroverCluster.start(build(), listener);
    }
  }

  /** Reads and changes the options of a job's AppMaster, which may end in the name of its class. */
  static final class AppMasterOptions {
    /** The key of the options in a job's configuration. */
    static final String KEY = MRJobConfig.MR_AM_COMMAND_OPTS;

    /** A name, because the class is found on the class path of the AppMaster. */
    private static final String DROVER = "io.drover.appmaster.DroverAppMaster";

    /** Matches the class alone, or as in conf/, where the shell first checks for the jar. */
    private static final Pattern CHOICE =
        Pattern.compile("\\$\\([^()]*" + Pattern.quote(DROVER) + "\\)|" + Pattern.quote(DROVER));

    private AppMasterOptions() {}

    /** Returns whether an AppMaster with these options is Drover's. */
    static boolean areDrovers(String options) {
      return CHOICE.matcher(options).find();
    }

    /** Returns the options that start Drover's AppMaster. */
    static String forDrover(String options) {
      return areDrovers(options) ? options : options + " " + DROVER;
    }

    /** Returns the options that start Hadoop's AppMaster. */
    static String forHadoop(String options) {
      return CHOICE.matcher(options).replaceAll("").strip();
    }
  }
}
