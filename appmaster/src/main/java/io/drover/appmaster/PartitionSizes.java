// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The size of each reduce's part of one map's output, as lines of text. A map sends them to the
 * AppMaster when its output is written.
 *
 * <p>Sizes are written as variable-length integers, seven bits a byte, in base 64: three or four
 * characters for a part of some kilobytes, so about 4 KB for a thousand reduces. A line holds the
 * sizes of consecutive reduces and says with which reduce it begins.
 */
public final class PartitionSizes {
  /** The kind of line. */
  public static final String KIND = "partition-sizes:2";

  private static final String PREFIX = UmbilicalMessage.prefix(KIND);

  /** The most bytes that one size takes, at seven bits a byte. */
  private static final int MOST_BYTES = 9;

  /** Bytes in a line, so that it stays within {@link UmbilicalMessage#MOST_CHARACTERS}. */
  private static final int BYTES_A_LINE = (UmbilicalMessage.MOST_CHARACTERS - 100) / 4 * 3;

  private PartitionSizes() {}

  /** Returns the lines for sizes of at least 0 bytes. */
  public static List<String> encode(long[] sizes) {
    List<String> lines = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.allocate(BYTES_A_LINE);
    int first = 0;
    for (int i = 0; i < sizes.length; i++) {
      if (bytes.remaining() < MOST_BYTES) {
        lines.add(line(first, bytes));
        first = i;
      }
      put(bytes, sizes[i]);
    }
    lines.add(line(first, bytes));
    return lines;
  }

  private static void put(ByteBuffer bytes, long size) {
    long rest = size;
    while (rest >= 0x80) {
      bytes.put((byte) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    bytes.put((byte) rest);
  }

  private static String line(int first, ByteBuffer bytes) {
    byte[] used = new byte[bytes.position()];
    bytes.flip().get(used);
    bytes.clear();
    return PREFIX + first + ":" + Base64.getEncoder().encodeToString(used);
  }

  /** Returns whether a line claims to hold partition sizes. */
  public static boolean isEncoded(String line) {
    return line != null && line.startsWith(PREFIX);
  }

  /**
   * The sizes of the parts of consecutive reduces.
   *
   * @param first the number of the first reduce, at least 0
   * @param sizes of the parts, at least 0 bytes each
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  public record Range(int first, long[] sizes) {}

  /**
   * Returns the sizes in a line, which comes from another process and may hold anything.
   *
   * @param partitions number of reduces
   * @return empty if the line does not hold sizes, of at least 0, of some of these reduces
   */
  public static Optional<Range> decode(String line, int partitions) {
    if (!isEncoded(line) || line.length() > UmbilicalMessage.MOST_CHARACTERS) {
      return Optional.empty();
    }
    int colon = line.indexOf(':', PREFIX.length());
    try {
      int first = Integer.parseInt(line, PREFIX.length(), Math.max(PREFIX.length(), colon), 10);
      byte[] bytes = Base64.getDecoder().decode(line.substring(colon + 1));
      return first < 0 ? Optional.empty() : range(first, ByteBuffer.wrap(bytes), partitions);
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // not a number, or not base 64
    }
  }

  private static Optional<Range> range(int first, ByteBuffer bytes, int partitions) {
    long[] sizes = new long[bytes.remaining()];
    int count = 0;
    while (bytes.hasRemaining()) {
      int shift = 0;
      byte next;
      do {
        if (!bytes.hasRemaining() || shift > 56) {
          return Optional.empty();
        }
        next = bytes.get();
        sizes[count] |= (long) (next & 0x7f) << shift;
        shift += 7;
      } while (next < 0);
      count++;
    }
    return count > partitions - first
        ? Optional.empty()
        : Optional.of(new Range(first, Arrays.copyOf(sizes, count)));
  }
}
