// SPDX-License-Identifier: Apache-2.0
package io.drover.client.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.client.sampling.SampleBlock.Part;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SampleBlockTest {
  private static final Part PART = new Part("hdfs://n/in/a", 0, 100);

  @Test
  void listsAreCopied() {
    List<Part> parts = new ArrayList<>(List.of(PART));
    List<String> hosts = new ArrayList<>(List.of("h"));
    SampleBlock block = new SampleBlock(0, parts, 100, hosts);
    parts.clear();
    hosts.clear();
    assertThat(block.parts()).containsExactly(PART);
    assertThat(block.hosts()).containsExactly("h");
  }
}
