// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;

/**
 * How large each reduce's part of one map's output is, as a line of text: what a map tells the
 * AppMaster when its output is written.
 *
 * <p>Sizes are written as variable-length integers, seven bits a byte, in base 64: three or four
 * characters for a part of some kilobytes, so some 4 KB for a thousand reduces.
 */
public final class PartitionSizes {
  private static final String PREFIX = TaskWord.prefix("partition-sizes", 1);

  /** Of a long, in groups of seven bits. */
  private static final int MOST_BYTES = 10;

  private PartitionSizes() {}

  /** The line for sizes of at least 0 bytes. */
  public static String encode(long[] sizes) {
    ByteBuffer bytes = ByteBuffer.allocate(sizes.length * MOST_BYTES);
    for (long size : sizes) {
      long rest = size;
      while (rest >= 0x80) {
        bytes.put((byte) ((rest & 0x7f) | 0x80));
        rest >>>= 7;
      }
      bytes.put((byte) rest);
    }
    bytes.flip();
    byte[] used = new byte[bytes.remaining()];
    bytes.get(used);
    return PREFIX + Base64.getEncoder().encodeToString(used);
  }

  /** Whether a line is meant to be one of these. */
  public static boolean isEncoded(String line) {
    return line != null && line.startsWith(PREFIX);
  }

  /**
   * The sizes in a line; it comes from another process, and may hold anything.
   *
   * @param partitions how many there must be
   * @return empty if the line does not hold so many sizes of at least 0
   */
  public static Optional<long[]> decode(String line, int partitions) {
    if (!isEncoded(line) || line.length() > PREFIX.length() + 14L * partitions + 4) {
      return Optional.empty();
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(line.substring(PREFIX.length()));
      return sizes(ByteBuffer.wrap(bytes), partitions);
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // no base 64
    }
  }

  private static Optional<long[]> sizes(ByteBuffer bytes, int partitions) {
    long[] sizes = new long[partitions];
    for (int i = 0; i < partitions; i++) {
      int shift = 0;
      byte next;
      do {
        if (!bytes.hasRemaining() || shift > 56) {
          return Optional.empty();
        }
        next = bytes.get();
        sizes[i] |= (long) (next & 0x7f) << shift;
        shift += 7;
      } while (next < 0);
    }
    return bytes.hasRemaining() ? Optional.empty() : Optional.of(sizes);
  }
}
