// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import io.drover.testbed.cluster.DroverCluster;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.Job;

/** The outputs of maps that a host was to serve to the reduces are damaged on its disk. */
final class DamagedOutputs implements Damage {
  private static final int MOST = 3;
  private static final String OUTPUT = "file.out";
  private static final String INDEX = "file.out.index";

  private final DroverCluster cluster;
  private final String host;
  private final Harm harm;

  /** What is done to each output. */
  enum Harm {
    /** It is gone. */
    DELETE("deleted") {
      @Override
      void to(Path output) throws IOException {
        Files.delete(output);
        Files.deleteIfExists(output.resolveSibling(INDEX));
      }
    },
    /** One of its bytes is another one. */
    CORRUPT("corrupted") {
      @Override
      void to(Path output) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(output.toFile(), "rw")) {
          long middle = file.length() / 2;
          file.seek(middle);
          int was = file.read();
          file.seek(middle);
          file.write(was ^ 1);
        }
      }
    },
    /** Its second half is gone. */
    TRUNCATE("truncated") {
      @Override
      void to(Path output) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(output.toFile(), "rw")) {
          file.setLength(file.length() / 2);
        }
      }
    };

    private final String participle;

    Harm(String participle) {
      this.participle = participle;
    }

    abstract void to(Path output) throws IOException;
  }

  DamagedOutputs(DroverCluster cluster, String host, Harm harm) {
    this.cluster = cluster;
    this.host = host;
    this.harm = harm;
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
      harm.to(output);
    }
    return outputs.isEmpty()
        ? Optional.empty()
        : Optional.of(outputs.size() + " map outputs on " + host + " were " + harm.participle);
  }

  @Override
  public void end() {
    // they stay damaged
  }
}
