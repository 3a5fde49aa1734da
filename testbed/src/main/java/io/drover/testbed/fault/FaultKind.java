// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import io.drover.testbed.cluster.DroverCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What can go wrong with a host or its rack. All of it happens outside the code under test. */
public enum FaultKind {
  /** All processes of a host together get a twentieth of a core. */
  STARVED_HOST("the host has 5 % of a core", true) {
    @Override
    Damage on(DroverCluster cluster, String host) throws IOException {
      var groups = cluster.namespaces().groups();
      return Damage.of(
          host + " has 5 % of a core",
          () -> groups.limit(host, OptionalDouble.of(0.05)),
          () -> groups.limit(host, OptionalDouble.empty()));
    }
  },
  /** The tasks that run on a host now are stopped; not those that start there later. */
  STOPPED_TASKS("the tasks that run on the host are stopped", false) {
    @Override
    Damage on(DroverCluster cluster, String host) {
      return new StoppedTasks(cluster, host);
    }
  },
  /** All tasks of a host are stopped for nine tenths of each second. */
  PAUSING_TASKS("the tasks on the host are stopped 90 % of the time", false) {
    @Override
    Damage on(DroverCluster cluster, String host) {
      return new PausingTasks(cluster, host);
    }
  },
  /** A host's link carries 4 Mbit/s in each direction. */
  SLOW_HOST_LINK("the host's link carries 4 Mbit/s", true) {
    @Override
    Damage on(DroverCluster cluster, String host) throws IOException {
      var network = cluster.namespaces();
      return Damage.of(
          "the link of " + host + " carries 4 Mbit/s",
          () -> network.hostLink(host, OptionalLong.of(4_000_000)),
          () -> network.hostLink(host, OptionalLong.empty()));
    }
  },
  /** The uplink of a host's rack carries 10 Mbit/s in each direction. */
  SLOW_UPLINK("the uplink of the host's rack carries 10 Mbit/s", true) {
    @Override
    Damage on(DroverCluster cluster, String host) throws IOException {
      var network = cluster.namespaces();
      String rack = cluster.host(host).rack();
      return Damage.of(
          "the uplink of " + rack + " carries 10 Mbit/s",
          () -> network.uplink(rack, OptionalLong.of(10_000_000)),
          () -> network.uplink(rack, OptionalLong.empty()));
    }
  },
  /** A host's packets are lost; nobody is told. */
  CUT_HOST("the host's link is cut", true) {
    @Override
    Damage on(DroverCluster cluster, String host) throws IOException {
      var network = cluster.namespaces();
      return Damage.of(
          "the link of " + host + " is cut",
          () -> network.cutHost(host, true),
          () -> network.cutHost(host, false));
    }
  },
  /** The packets between a rack and the others are lost; nobody is told. */
  CUT_RACK("the uplink of the host's rack is cut", true) {
    @Override
    Damage on(DroverCluster cluster, String host) throws IOException {
      var network = cluster.namespaces();
      String rack = cluster.host(host).rack();
      return Damage.of(
          "the uplink of " + rack + " is cut",
          () -> network.cutRack(rack, true),
          () -> network.cutRack(rack, false));
    }
  },
  /** The NodeManager is killed, and the DataNode in its process; the tasks go on. */
  NM_DEATH("the host's NodeManager is killed", false) {
    @Override
    Damage on(DroverCluster cluster, String host) {
      return Damage.of(
          "the NodeManager of " + host + " was killed",
          () -> cluster.killNodeManager(host),
          Damage.Step.NOTHING);
    }
  },
  /** Every process of a host is killed. */
  HOST_DEATH("the host dies, with all that runs there", false) {
    @Override
    Damage on(DroverCluster cluster, String host) {
      return Damage.of(host + " died", () -> cluster.killNode(host), Damage.Step.NOTHING);
    }
  },
  /** The outputs of up to three maps are deleted from a host's disk. */
  LOST_OUTPUTS("the outputs of three maps on the host are deleted", false) {
    @Override
    Damage on(DroverCluster cluster, String host) {
      return new DamagedOutputs(cluster, host, DamagedOutputs.Harm.DELETE);
    }
  },
  /** A byte is changed in the outputs of up to three maps on a host's disk. */
  CORRUPT_OUTPUTS("the outputs of three maps on the host are corrupted", false) {
    @Override
    Damage on(DroverCluster cluster, String host) {
      return new DamagedOutputs(cluster, host, DamagedOutputs.Harm.CORRUPT);
    }
  },
  /** The outputs of up to three maps on a host's disk end in the middle. */
  TRUNCATED_OUTPUTS("the outputs of three maps on the host are truncated", false) {
    @Override
    Damage on(DroverCluster cluster, String host) {
      return new DamagedOutputs(cluster, host, DamagedOutputs.Harm.TRUNCATE);
    }
  },
  /** Nothing more can be written to a host's local disk. */
  FULL_DISK("the host's local disk is full", true) {
    @Override
    Damage on(DroverCluster cluster, String host) throws IOException {
      return new FullDisk(cluster, host);
    }
  },
  /** The wall clock of a host's processes is put forward. */
  WRONG_CLOCK("the host's clock is 90 s ahead", false) {
    @Override
    Damage on(DroverCluster cluster, String host) throws IOException {
      var clock = cluster.clock(host);
      return Damage.of(
          "the clock of " + host + " is 90 s ahead",
          () -> clock.set(Duration.ofSeconds(90)),
          () -> clock.set(Duration.ZERO));
    }
  };

  private final String title;
  private final boolean needsNamespaces;

  FaultKind(String title, boolean needsNamespaces) {
    this.title = title;
    this.needsNamespaces = needsNamespaces;
  }

  /**
   * Returns what does the damage to a host.
   *
   * @throws IOException if the hosts of the cluster do not have what is to be damaged
   */
  abstract Damage on(DroverCluster cluster, String host) throws IOException;

  /** Returns one line for people. */
  public String title() {
    return title;
  }

  /** Returns whether it needs hosts that are namespaces. */
  public boolean needsNamespaces() {
    return needsNamespaces;
  }

  /** Returns the name as typed on a command line. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
