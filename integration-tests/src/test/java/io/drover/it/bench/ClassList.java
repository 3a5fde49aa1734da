// SPDX-License-Identifier: Apache-2.0
package io.drover.it.bench;

import io.drover.testbed.cluster.Await;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.host.Host;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.DemoJobSpec.DemoWorkload;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Writes the list of the classes in a cluster's class archive: those of Hadoop and of the JDK that
 * NodeManagers, AppMasters and tasks load while some of the demo's jobs run.
 *
 * <p>Argument: the file to write.
 */
public final class ClassList {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Classes that depend on the class path of the day, or that a JVM generates at run time. */
  private static final List<String> LEFT_OUT =
      List.of("io/drover/", "source:", "0x", "org/bouncycastle/");

  private ClassList() {}

  /** Runs the jobs and writes the list. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 1) {
      System.err.println("ClassList: one argument, the file to write");
      System.exit(2);
    }
    Path lists = Files.createTempDirectory("drover-class-lists");
    try {
      record(lists);
      SortedSet<String> names = new TreeSet<>();
      SortedSet<String> lambdas = new TreeSet<>();
      for (Path list : files(lists)) {
        try (Stream<String> lines = Files.lines(list)) {
          lines
              .filter(line -> !line.startsWith("#") && LEFT_OUT.stream().noneMatch(line::contains))
              .forEach(line -> (line.startsWith("@") ? lambdas : names).add(line));
        }
      }
      List<String> all = new ArrayList<>();
      all.add(
          "# What NodeManagers, AppMasters and tasks load. Written by "
              + ClassList.class.getName());
      all.addAll(names);
      all.addAll(lambdas);
      Files.write(Path.of(args[0]), all);
      System.out.println(names.size() + " classes, " + lambdas.size() + " lambdas: " + args[0]);
    } finally {
      for (Path list : files(lists)) {
        Files.delete(list);
      }
      Files.delete(lists);
    }
    System.exit(0);
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static void record(Path lists) throws IOException, InterruptedException {
    try (DroverCluster cluster =
        DroverCluster.builder()
            .droverScheduler()
            .withoutArchive()
            .jvmOption("-XX:DumpLoadedClassList=" + lists + "/%p")
            .start(StartListener.NONE)) {
      JobRunner runner = new JobRunner(cluster);
      DemoJobSpec clones = DemoJobSpec.of(Scenario.SMALL_JOBS);
      DemoJobSpec sort = DemoJobSpec.of(Scenario.NONE).with().workload(DemoWorkload.SORT).build();
      runner.run(clones, RunMode.DROVER, Map.of(), RunListener.NONE);
      runner.run(sort, RunMode.STOCK, Map.of(), RunListener.NONE);
      List<String> left = cluster.awaitNoContainers(LIMIT);
      if (!left.isEmpty()) {
        throw new IOException("still running: " + left);
      }
      endInGoodOrder(cluster, lists);
    }
  }

  /** Ends daemons in order, or their lists may lack the end. Deletes the list of the master. */
  private static void endInGoodOrder(DroverCluster cluster, Path lists)
      throws IOException, InterruptedException {
    Map<String, Long> pids = cluster.daemonPids();
    for (Host host : cluster.hosts()) {
      ProcessHandle process = ProcessHandle.of(pids.get(host.name())).orElseThrow();
      process.destroy();
      if (!Await.until(LIMIT, PAUSE, () -> !process.isAlive())) {
        throw new IOException(host.name() + " does not end");
      }
    }
    Files.delete(lists.resolve("pid" + pids.get("master"))); // the JVM writes %p like this
  }
}
