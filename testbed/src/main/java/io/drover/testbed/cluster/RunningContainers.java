// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** The containers of a cluster, as the operating system and YARN see them. */
final class RunningContainers {
  private static final Pattern CONTAINER = Pattern.compile("/(container_[0-9a-z_]+)(/|$| )");

  private final Layout layout;
  private final Predicate<String> isAlive;

  /**
   * Creates the view.
   *
   * @param isAlive whether the NodeManager of a host runs
   */
  RunningContainers(Layout layout, Predicate<String> isAlive) {
    this.layout = layout;
    this.isAlive = isAlive;
  }

  /** Returns every JVM that runs in a container of the cluster now; shells are left out. */
  List<LiveContainer> live() throws IOException {
    List<LiveContainer> live = new ArrayList<>();
    for (Processes.Found process : Processes.under(layout.hosts())) {
      Matcher container = CONTAINER.matcher(process.directory());
      List<String> command = Processes.commandLine(process.pid());
      if (!container.find() || command.isEmpty() || !command.get(0).endsWith("java")) {
        continue;
      }
      live.add(
          new LiveContainer(
              process.pid(),
              layout.hosts().relativize(Path.of(process.directory())).getName(0).toString(),
              container.group(1),
              command.stream().filter(word -> word.startsWith("attempt_")).findFirst()));
    }
    return live;
  }

  /**
   * Waits until no container runs any more, neither for the operating system nor for YARN. Ends
   * AppMasters that have reported the end of their application to the ResourceManager. By
   * themselves they would stay for 5 s more, for clients that may still ask.
   *
   * @param client configuration of clients of the cluster
   * @return what still runs at the end of the limit, for people; empty if nothing does
   */
  List<String> awaitNone(Duration limit, Configuration client)
      throws IOException, InterruptedException {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(client);
      yarn.start();
      Await.until(
          limit,
          Duration.ofMillis(200),
          () -> {
            List<LiveContainer> live = live();
            dismissAppMasters(live, yarn);
            return left(live, yarn).isEmpty();
          });
      return left(live(), yarn);
    }
  }

  private static void dismissAppMasters(List<LiveContainer> live, YarnClient yarn)
      throws IOException {
    for (LiveContainer container : live) {
      if (container.attemptId().isEmpty() && isOver(container, yarn)) {
        ProcessHandle.of(container.pid()).ifPresent(ProcessHandle::destroy);
      }
    }
  }

  private List<String> left(List<LiveContainer> live, YarnClient yarn) throws IOException {
    List<String> left = new ArrayList<>();
    live.forEach(container -> left.add(container.toString()));
    int allocated = left.isEmpty() ? allocatedContainers(yarn) : 0;
    if (allocated > 0) {
      left.add(allocated + " containers that YARN counts as running");
    }
    return left;
  }

  /** Returns whether the application of a container has reported its end. */
  private static boolean isOver(LiveContainer container, YarnClient yarn) throws IOException {
    try {
      return yarn.getApplicationReport(container.application()).getYarnApplicationState()
          == YarnApplicationState.FINISHED;
    } catch (YarnException e) {
      throw new IOException(e);
    }
  }

  /** Returns how many containers YARN believes to run on live hosts. */
  private int allocatedContainers(YarnClient yarn) throws IOException {
    try {
      return yarn.getNodeReports(NodeState.RUNNING).stream()
          .filter(node -> isAlive.test(node.getNodeId().getHost()))
          .mapToInt(NodeReport::getNumContainers)
          .sum();
    } catch (YarnException e) {
      throw new IOException(e);
    }
  }
}
