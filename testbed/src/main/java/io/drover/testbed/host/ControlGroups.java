// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Control groups of hosts, version 1 or 2, by which the processes of a host can be kept to a share
 * of the processor, or stopped.
 */
public final class ControlGroups {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final int PERIOD_MICROS = 100_000;

  /** The least quota that kernels accept, microseconds. */
  private static final int LEAST_QUOTA = 1_000;

  private final String prefix;
  private final boolean isUnified;

  ControlGroups(String prefix) {
    this.prefix = prefix;
    this.isUnified = isUnified();
  }

  private static boolean isUnified() {
    return Files.exists(ROOT.resolve("cgroup.controllers"));
  }

  /** Returns the directories that hold the groups of all hosts of a network. */
  static List<Path> directories(String prefix) {
    String all = "drover-" + prefix;
    return isUnified()
        ? List.of(ROOT.resolve(all))
        : List.of(ROOT.resolve("cpu").resolve(all), ROOT.resolve("freezer").resolve(all));
  }

  /** Makes the groups of a host. */
  void make(String host) throws IOException {
    for (Path directory : directories(prefix)) {
      Files.createDirectories(directory);
      if (isUnified) {
        Files.writeString(ROOT.resolve("cgroup.subtree_control"), "+cpu");
        Files.writeString(directory.resolve("cgroup.subtree_control"), "+cpu");
      }
      Files.createDirectory(directory.resolve(host));
    }
  }

  /** Returns the files into which a process writes its id to become one of the host's. */
  List<String> processFiles(String host) {
    List<String> files = new ArrayList<>();
    for (Path directory : directories(prefix)) {
      files.add(directory.resolve(host).resolve("cgroup.procs").toString());
    }
    return files;
  }

  /**
   * Limits the processes of a host.
   *
   * @param cores how much of one core all of them together get, above 0; empty for no limit
   */
  public void limit(String host, OptionalDouble cores) throws IOException {
    Path group = directories(prefix).get(0).resolve(host);
    long quota =
        cores.isEmpty()
            ? -1
            : Math.max(LEAST_QUOTA, Math.round(cores.getAsDouble() * PERIOD_MICROS));
    if (isUnified) {
      Files.writeString(
          group.resolve("cpu.max"),
          (quota < 0 ? "max" : Long.toString(quota)) + " " + PERIOD_MICROS);
    } else {
      Files.writeString(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
      Files.writeString(group.resolve("cpu.cfs_quota_us"), Long.toString(quota));
    }
  }

  /** Stops all processes of a host, or lets them go on. */
  public void freeze(String host, boolean isFrozen) throws IOException {
    List<Path> directories = directories(prefix);
    Path group = directories.get(directories.size() - 1).resolve(host);
    if (isUnified) {
      Files.writeString(group.resolve("cgroup.freeze"), isFrozen ? "1" : "0");
    } else {
      Files.writeString(group.resolve("freezer.state"), isFrozen ? "FROZEN" : "THAWED");
    }
  }
}
