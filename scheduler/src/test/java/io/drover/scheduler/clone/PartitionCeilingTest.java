// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.junit.jupiter.api.Test;

class PartitionCeilingTest {
  private final PartitionCeiling ceiling = new PartitionCeiling(0.7, 0.05, type -> true);

  /**
   * Memory, and of something that a clone may do without: cores stand for GPUs here, since a JVM
   * has one list of types for all its tests.
   */
  private static Resource of(long memory, int gpus) {
    return Resource.newInstance(memory, gpus);
  }

  @Test
  void busyGpusCloseNothingForClonesThatNeedNone() {
    Resource total = of(100, 8);
    Resource used = of(20, 8);
    ceiling.observe(used, total, Resources.none());
    assertThat(ceiling.admits(Resources.add(used, of(1, 0)), total, of(1, 0))).isTrue();
    assertThat(ceiling.isAbove(used, total, of(1, 0))).isFalse();
    assertThat(ceiling.admits(Resources.add(used, of(1, 1)), total, of(1, 1))).isFalse();
    assertThat(ceiling.isAbove(used, total, of(1, 1))).isTrue();
  }

  @Test
  void whatClonesHeldThatGaveWayIsClosedUntilLessIsInUse() {
    Resource total = of(100, 8);
    ceiling.observe(of(68, 0), total, of(1, 0));
    assertThat(ceiling.isOpen(of(1, 0))).isFalse();
    ceiling.observe(of(66, 0), total, Resources.none());
    assertThat(ceiling.isOpen(of(1, 0))).isFalse();
    ceiling.observe(of(65, 0), total, Resources.none());
    assertThat(ceiling.isOpen(of(1, 0))).isTrue();
  }

  @Test
  void sevenTenthsAreNotAboveSevenTenths() {
    Resource total = of(10, 0);
    assertThat(ceiling.isAbove(of(7, 0), total, of(1, 0))).isFalse();
    assertThat(ceiling.admits(of(7, 0), total, of(1, 0))).isFalse();
    assertThat(ceiling.admits(of(6, 0), total, of(1, 0))).isTrue();
  }
}
