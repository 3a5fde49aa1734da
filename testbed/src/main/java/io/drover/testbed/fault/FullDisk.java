// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import io.drover.testbed.cluster.DroverCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.mapreduce.Job;

/** The disk for map outputs and working directories of a host is filled to the last byte. */
final class FullDisk implements Damage {
  private static final int BLOCK = 1 << 16;

  private final Path filler;
  private final String host;

  /**
   * Prepares to fill a disk.
   *
   * @throws IOException if the host has no disk of its own, so that others would suffer, too
   */
  FullDisk(DroverCluster cluster, String host) throws IOException {
    if (!cluster.hasSmallDisks()) {
      throw new IOException("the hosts of this cluster have no disks of their own");
    }
    this.filler = cluster.localFiles(host).resolve("filler");
    this.host = host;
  }

  @Override
  public Optional<String> begin(Job job) throws IOException {
    byte[] block = new byte[BLOCK];
    long written = 0;
    try (OutputStream out = Files.newOutputStream(filler)) {
      while (true) {
        out.write(block);
        written += BLOCK;
      }
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("No space left on device")) {
        throw e; // something else
      }
    }
    return Optional.of(
        "the local disk of " + host + " is full: " + (written >> 20) + " MB of it were free");
  }

  @Override
  public void end() throws IOException {
    Files.deleteIfExists(filler);
  }
}
