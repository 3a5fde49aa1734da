// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.DemoJobSpec.SampleSpec;
import io.drover.testbed.job.RackTraffic;
import io.drover.testbed.job.SampleRun;
import io.drover.testbed.job.SampleRun.OutputChoice;
import io.drover.testbed.job.SampleRun.Read;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Makes up which blocks a job read where, on six nodes in three racks. Drover reads the first
 * blocks, all of them on their own nodes, and one block more than it needs. Of each three that
 * stock Hadoop reads, one is on its own node, one in its rack and one elsewhere.
 */
final class SampleBlocks {
  private SampleBlocks() {}

  static SampleRun of(DemoJobSpec spec, boolean drover) {
    SampleSpec sample = spec.sample().orElseThrow();
    List<String> hosts = new ArrayList<>();
    for (int block = 0; block < spec.maps(); block++) {
      hosts.add("n" + (1 + block % 6));
    }
    List<Read> reads = new ArrayList<>();
    for (int i = 0; i < sample.needed() + (drover ? 1 : 0); i++) {
      boolean used = i < sample.needed();
      String attempt = "attempt_1767323045000_0001_m_0000%02d_0".formatted(i);
      reads.add(
          drover
              ? new Read(i, attempt, hosts.get(i), BlockLocality.MACHINE, used)
              : stock(3 * i, attempt, hosts.get(3 * i), i % 3));
    }
    return new SampleRun(
        sample,
        4,
        Map.of("n1", 2, "n2", 3, "n4", 4, "n6", 3),
        sample.uplink().isEmpty()
            ? sample.uplink()
            : OptionalLong.of(drover ? 7_000_000 : 140_000_000),
        hosts,
        reads,
        drover ? Optional.of(Duration.ofMillis(1250)) : Optional.empty(),
        drover
            ? Optional.of(new OutputChoice(21, 20, 3, "no_gain", 0.0312, 0.03, 123_456))
            : Optional.empty());
  }

  private static Read stock(int block, String attempt, String holder, int kind) {
    int host = Integer.parseInt(holder.substring(1));
    return switch (kind) {
      case 0 -> new Read(block, attempt, holder, BlockLocality.MACHINE, true);
      case 1 -> {
        String neighbour = "n" + (host % 2 == 1 ? host + 1 : host - 1);
        yield new Read(block, attempt, neighbour, BlockLocality.RACK, true);
      }
      default -> {
        String other = "n" + (1 + (host + 1) % 6);
        yield new Read(block, attempt, other, BlockLocality.ELSEWHERE, true);
      }
    };
  }

  /** Returns what reduces fetched: of three racks, the first sends the most. */
  static RackTraffic shuffled(boolean drover) {
    RackTraffic traffic = new RackTraffic();
    traffic.add("/rack1", "/rack2", drover ? 200_000 : 450_000);
    traffic.add("/rack2", "/rack3", 150_000);
    traffic.add("/rack3", "/rack1", 90_000);
    return traffic;
  }
}
