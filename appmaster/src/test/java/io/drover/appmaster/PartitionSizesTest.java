// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PartitionSizesTest {
  @Test
  void whatIsEncodedIsDecoded() {
    Random random = new Random(1);
    for (int i = 0; i < 500; i++) {
      long[] sizes = new long[random.nextInt(1200)];
      for (int j = 0; j < sizes.length; j++) {
        sizes[j] = random.nextLong() >>> (1 + random.nextInt(63));
      }
      String line = PartitionSizes.encode(sizes);
      assertThat(PartitionSizes.isEncoded(line)).isTrue();
      assertThat(PartitionSizes.decode(line, sizes.length)).contains(sizes);
      assertThat(PartitionSizes.decode(line, sizes.length + 1)).isEmpty();
    }
  }

  @Test
  void thousandPartsOfSomeKilobytesTakeFourKilobytes() {
    long[] sizes = new long[1000];
    java.util.Arrays.fill(sizes, 100_000);
    assertThat(PartitionSizes.encode(sizes).length()).isLessThan(4100);
  }

  @Test
  void whatIsNotMeantToBeOneIsNoneAndWhatIsDamagedIsRefused() {
    assertThat(PartitionSizes.isEncoded("Error: no space left on device")).isFalse();
    assertThat(PartitionSizes.isEncoded(null)).isFalse();
    String prefix = PartitionSizes.encode(new long[0]);
    Random random = new Random(2);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      String payload =
          random.nextBoolean()
              ? java.util.Base64.getEncoder().encodeToString(bytes)
              : new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
      PartitionSizes.decode(prefix + payload, 10)
          .ifPresent(
              sizes ->
                  assertThat(java.util.Arrays.stream(sizes).filter(s -> s < 0).count()).isZero());
    }
    assertThat(PartitionSizes.decode(prefix + "A".repeat(1_000_000), 10)).isEmpty();
  }
}
