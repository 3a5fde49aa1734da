// SPDX-License-Identifier: Apache-2.0
package io.drover.client.sampling;

import java.util.List;

/**
 * A block of a job's input: one input split, as the job's InputFormat made it. A split of a
 * CombineFileInputFormat has several parts, which are read together or not at all.
 *
 * @param index index among the job's splits, from 0
 * @param parts the parts of files that it reads; empty if the class of the split does not tell
 * @param length length of all parts, bytes
 * @param hosts hosts that hold it: as the InputFormat names them, or the name of an address
 */
public record SampleBlock(int index, List<Part> parts, long length, List<String> hosts) {
  /**
   * A part of a file.
   *
   * @param file fully qualified path
   * @param offset position of its first byte
   * @param length bytes
   */
  public record Part(String file, long offset, long length) {}

  /** Copies the lists. */
  public SampleBlock {
    parts = List.copyOf(parts);
    hosts = List.copyOf(hosts);
  }
}
