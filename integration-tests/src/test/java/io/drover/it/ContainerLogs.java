// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.host.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What the containers of a job have logged. */
public final class ContainerLogs {
  private ContainerLogs() {}

  /** Returns the lines of the AppMaster's logs and the tasks'. */
  public static List<String> of(DroverCluster cluster, String jobId) throws IOException {
    return lines(cluster, jobId, file -> true);
  }

  /**
   * Returns the lines of the decision logs of all AppMasters of a job, also of those that were
   * killed. The last line of these may have been cut short.
   */
  public static List<String> decisions(DroverCluster cluster, String jobId) throws IOException {
    return lines(cluster, jobId, file -> file.endsWith("drover-decisions.jsonl"));
  }

  private static List<String> lines(DroverCluster cluster, String jobId, Predicate<Path> wanted)
      throws IOException {
    String application = jobId.replace("job_", "application_");
    List<String> lines = new ArrayList<>();
    for (Host host : cluster.hosts()) {
      Path logs = cluster.containerLogs(host.name()).resolve(application);
      if (Files.exists(logs)) {
        try (Stream<Path> files = Files.walk(logs)) {
          for (Path file : files.filter(Files::isRegularFile).filter(wanted).toList()) {
            lines.addAll(Files.readAllLines(file));
          }
        }
      }
    }
    return lines;
  }
}
