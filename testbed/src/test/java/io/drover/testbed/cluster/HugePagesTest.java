// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.cluster.ClusterFiles.HugePages;
import org.junit.jupiter.api.Test;

class HugePagesTest {
  @Test
  void areAskedForWhereTheKernelGrantsThem() {
    assertThat(HugePages.options("always [madvise] never\n"))
        .containsExactly("-XX:+UseTransparentHugePages");
    assertThat(HugePages.options("[always] madvise never\n")).hasSize(1);
  }

  @Test
  void areNotAskedForWhereThereAreNone() {
    assertThat(HugePages.options("always madvise [never]\n")).isEmpty();
    assertThat(HugePages.options("")).isEmpty();
  }
}
