// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import io.drover.appmaster.sampling.SampleState.MapAttempt;
import io.drover.core.sampling.BlockChoice;
import io.drover.core.sampling.InputBlock;
import io.drover.core.sampling.SamplingSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Creates binders of small jobs; all hosts are in one rack. */
final class BlockBinders {
  private BlockBinders() {}

  /** Creates a choice; each block is on the hosts of one text, with blanks between them. */
  static BlockChoice choice(int needed, int maps, String... hosts) {
    List<InputBlock> blocks =
        Arrays.stream(hosts)
            .map(host -> new InputBlock(List.of(host.split(" ")), List.of("/r")))
            .toList();
    return BlockChoice.anyOf(blocks, needed, maps, SamplingSettings.KMN, new Random(1));
  }

  static BlockBinder binder(int needed, int maps, String... hosts) {
    return new BlockBinder(
        choice(needed, maps, hosts), SampleState.unbound(hosts.length, needed, maps, List.of()));
  }

  static MapAttempt attempt(int map, int attempt) {
    return new MapAttempt(map, attempt);
  }

  static int bind(BlockBinder binder, int map, int attempt, String host) {
    return binder.bind(attempt(map, attempt), host, "/r").orElseThrow();
  }
}
