// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PartitionSizesTest {
  private static long[] decoded(List<String> lines, int partitions) {
    long[] sizes = new long[partitions];
    int next = 0;
    for (String line : lines) {
      assertThat(PartitionSizes.isEncoded(line)).isTrue();
      assertThat(line.length()).isLessThanOrEqualTo(UmbilicalMessage.MOST_CHARACTERS);
      PartitionSizes.Range range = PartitionSizes.decode(line, partitions).orElseThrow();
      assertThat(range.first()).isEqualTo(next);
      System.arraycopy(range.sizes(), 0, sizes, next, range.sizes().length);
      next += range.sizes().length;
    }
    assertThat(next).isEqualTo(partitions);
    return sizes;
  }

  @Test
  void whatIsEncodedIsDecoded() {
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      long[] sizes = new long[random.nextInt(i % 10 == 0 ? 20_000 : 1200)];
      for (int j = 0; j < sizes.length; j++) {
        sizes[j] = random.nextLong() >>> (1 + random.nextInt(63));
      }
      List<String> lines = PartitionSizes.encode(sizes);
      assertThat(decoded(lines, sizes.length)).isEqualTo(sizes);
      if (sizes.length > 0) {
        assertThat(PartitionSizes.decode(lines.get(lines.size() - 1), sizes.length - 1)).isEmpty();
      }
    }
  }

  @Test
  void thousandPartsOfSomeKilobytesTakeFourKilobytes() {
    long[] sizes = new long[1000];
    java.util.Arrays.fill(sizes, 100_000);
    assertThat(PartitionSizes.encode(sizes)).singleElement().asString().hasSizeLessThan(4100);
  }

  /** Hadoop's RPC cuts longer texts off. */
  @Test
  void partsOfManyReducesTakeSeveralLines() {
    long[] sizes = new long[20_000];
    java.util.Arrays.fill(sizes, Long.MAX_VALUE);
    List<String> lines = PartitionSizes.encode(sizes);
    assertThat(lines).hasSizeGreaterThan(10);
    assertThat(decoded(lines, 20_000)).containsOnly(Long.MAX_VALUE);
  }

  @Test
  void whatIsNotMeantToBeOneIsNoneAndWhatIsDamagedIsRefused() {
    assertThat(PartitionSizes.isEncoded("Error: no space left on device")).isFalse();
    assertThat(PartitionSizes.isEncoded(null)).isFalse();
    String prefix = "drover:partition-sizes:2:";
    Random random = new Random(2);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      String payload =
          random.nextBoolean()
              ? random.nextInt(12) + ":" + java.util.Base64.getEncoder().encodeToString(bytes)
              : new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
      PartitionSizes.decode(prefix + payload, 10)
          .ifPresent(
              range -> {
                assertThat(range.first() + range.sizes().length).isLessThanOrEqualTo(10);
                assertThat(java.util.Arrays.stream(range.sizes()).allMatch(s -> s >= 0)).isTrue();
              });
    }
    assertThat(PartitionSizes.decode(prefix + "0:" + "A".repeat(1_000_000), 10)).isEmpty();
    assertThat(PartitionSizes.decode(prefix + "-1:AAAA", 10)).isEmpty();
    assertThat(PartitionSizes.decode(prefix + "11:", 10)).isEmpty();
    assertThat(PartitionSizes.decode(prefix + "0:AAAA", 10)).isPresent();
  }
}
