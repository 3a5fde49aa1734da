// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import io.drover.testbed.cluster.DroverCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.Job;

/** The outputs of maps that a host was to serve to the reduces are deleted from its disk. */
final class LostOutputs implements Damage {
  private static final int MOST = 3;
  private static final String OUTPUT = "file.out";
  private static final String INDEX = "file.out.index";

  private final DroverCluster cluster;
  private final String host;

  LostOutputs(DroverCluster cluster, String host) {
    this.cluster = cluster;
    this.host = host;
  }

  @Override
  public Optional<String> begin(Job job) throws IOException {
    String application = job.getJobID().toString().replaceFirst("job", "application");
    List<Path> outputs;
    try (Stream<Path> files = Files.walk(cluster.localFiles(host))) {
      outputs =
          files
              .filter(file -> file.endsWith(OUTPUT))
              .filter(file -> file.toString().contains("/" + application + "/output/"))
              .sorted()
              .limit(MOST)
              .toList();
    }
    for (Path output : outputs) {
      Files.delete(output);
      Files.deleteIfExists(output.resolveSibling(INDEX));
    }
    return outputs.isEmpty()
        ? Optional.empty()
        : Optional.of(outputs.size() + " map outputs on " + host + " were deleted");
  }

  @Override
  public void end() {
    // they stay lost
  }
}
